import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort, isPortFree } from '../../local/ports.ts'

/** The lowest port that any system gives to outgoing connections by default: Linux's. */
const EPHEMERAL = 32_768

describe('a free port', () => {
  const taken = createServer()
  beforeAll(() => new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve)))
  afterAll(() => new Promise((resolve) => taken.close(resolve)))
  const takenPort = () => (taken.address() as { port: number }).port

  it('is none that an outgoing connection may take before we listen on it', async () => {
    const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()))
    expect(ports.filter((port) => port >= EPHEMERAL)).toEqual([])
    expect(new Set(ports).size).toBeGreaterThan(40)
  })

  it('is the wanted one, unless somebody has it', async () => {
    expect(await isPortFree(takenPort())).toBe(false)
    expect(await freePort(takenPort())).not.toBe(takenPort())
    const free = await freePort()
    expect(await freePort(free)).toBe(free)
  })
})
