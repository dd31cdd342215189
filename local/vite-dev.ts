// The site with hot reload: Vite's server in front of the API, as a process of its own so that trouble in it ends only it.
// Started by local/main.ts with the port of the site, the host, and the address of the API.
import { createServer } from 'vite'

const [port, host, api] = process.argv.slice(2)
const SERVED_BY_API = ['/api', '/admin/queues', '/healthz', '/readyz', '/metrics']

const server = await createServer({
  clearScreen: false,
  logLevel: 'warn',
  server: {
    port: Number(port),
    strictPort: true,
    host,
    // The API resolves microsites by the Host header, so it stays as it is.
    proxy: Object.fromEntries(SERVED_BY_API.map((path) => [path, { target: api, changeOrigin: false }])),
  },
})
await server.listen()
process.send?.('ready')

// The launcher is gone when its channel is.
process.on('disconnect', () => process.exit(0))
