import { detectPort } from 'detect-port'

/**
 * Where free ports are looked for: below those that Linux (32768 to 60999), macOS and Windows (from 49152) give to
 * outgoing connections, because one of those may be taken between the look and the listening. Nor do two processes look in
 * the same hundred, if they were started one after the other.
 */
const MIN_PORT = 20_000 + (process.pid % 100) * 100
let given = 0

/** Returns whether a port can be listened on, at every address of this machine. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await detectPort(port)) === port
}

/** Returns the wanted port if it is free, otherwise any free one. */
export async function freePort(wanted?: number): Promise<number> {
  if (wanted && (await isPortFree(wanted))) return wanted
  const port = MIN_PORT + (given++ % 100)
  return (await isPortFree(port)) ? port : freePort()
}
