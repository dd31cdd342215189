// The site with hot reload: Vite's server in front of the API. A process of its own, so that an error in it ends only it.
// Started by local/launch-site.ts with the port of the site, the host, and the address of the API.
import { createServer } from 'vite'

const [port, host, api] = process.argv.slice(2)
const SERVED_BY_API = ['/api', '/pictures', '/tiles', '/healthz', '/readyz', '/metrics']

const server = await createServer({
  clearScreen: false,
  logLevel: 'warn',
  server: {
    port: Number(port),
    strictPort: true,
    host,
    // The API resolves microsites by the Host header, so it is not changed.
    proxy: Object.fromEntries(SERVED_BY_API.map((path) => [path, { target: api, changeOrigin: false }])),
  },
})
await server.listen()
process.send?.('ready')

// The channel closes when the launcher ends.
process.on('disconnect', () => process.exit(0))
