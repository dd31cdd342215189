import { type AddressInfo, connect, createServer } from 'node:net'
import { SECOND } from '../core/time.ts'

const LOOPBACK = ['127.0.0.1', '::1']

/**
 * Whether nothing on this machine answers on a port and we may listen on it. Both loopback addresses count, because a
 * browser that is sent to `localhost` may try either.
 */
export async function isPortFree(port: number): Promise<boolean> {
  const answers = await Promise.all(LOOPBACK.map((host) => isAnswered(host, port)))
  return !answers.includes(true) && (await listenOnce(port)) !== null
}

/** The wanted port when it is free, else one that the system chooses. */
export async function freePort(wanted = 0): Promise<number> {
  if (wanted && (await isPortFree(wanted))) return wanted
  const port = await listenOnce(0)
  if (port === null) throw new Error('There is no free port on 127.0.0.1.')
  return port
}

function isAnswered(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: SECOND })
    const settle = (answered: boolean) => {
      socket.destroy()
      resolve(answered)
    }
    socket.on('connect', () => settle(true))
    socket.on('timeout', () => settle(false))
    socket.on('error', () => settle(false))
  })
}

function listenOnce(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.on('error', () => resolve(null))
    server.listen(port, '127.0.0.1', () => {
      const { port: listening } = server.address() as AddressInfo
      server.close(() => resolve(listening))
    })
  })
}
