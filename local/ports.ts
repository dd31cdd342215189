import { randomInt } from 'node:crypto'
import { connect, createServer } from 'node:net'
import { SECOND } from '../core/time.ts'

const LOOPBACK = ['127.0.0.1', '::1']

/**
 * Where ports are looked for: below those that Linux (32768 to 60999), macOS and Windows (from 49152) give to outgoing
 * connections. One of those may be taken between the look and the listening.
 */
const FIRST = 20_000
const LAST = 29_999
const TRIES = 100

/**
 * Whether nothing on this machine answers on a port and we may listen on it. Both loopback addresses count, because a
 * browser that is sent to `localhost` may try either.
 */
export async function isPortFree(port: number): Promise<boolean> {
  const answers = await Promise.all(LOOPBACK.map((host) => isAnswered(host, port)))
  return !answers.includes(true) && (await mayListen(port))
}

/** The wanted port when it is free, else any that is. @throws Error when none of a hundred is free */
export async function freePort(wanted?: number): Promise<number> {
  if (wanted && (await isPortFree(wanted))) return wanted
  for (let tries = 0; tries < TRIES; tries++) {
    const port = randomInt(FIRST, LAST + 1)
    if (await isPortFree(port)) return port
  }
  throw new Error(`There is no free port on 127.0.0.1 from ${FIRST} to ${LAST}.`)
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

function mayListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.on('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
