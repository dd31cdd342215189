import { expect, test } from 'vitest'
import { keepRunning } from '../../local/keep-running.ts'
import { waitFor } from '../support/wait.ts'

/** Stands for a process: `end` is its death, and each start makes the next one. */
function fakeService({ failing = () => false }: { failing?: (start: number) => boolean } = {}) {
  const starts: { end(reason: string): void }[] = []
  let tries = 0
  const start = async () => {
    if (failing(++tries)) throw new Error('No port')
    let end: (reason: string) => void = () => {}
    const exited = new Promise<string>((resolve) => {
      end = resolve
    })
    starts.push({ end })
    return { pid: starts.length, exited, stop: async () => end('stopped') }
  }
  return { starts, start }
}

test('what ends by itself is named, with its reason, and started again', async () => {
  const { starts, start } = fakeService()
  const said: string[] = []
  const kept = await keepRunning(start, { name: 'Worker', warn: (text) => said.push(text), firstPause: 10 })
  starts[0]?.end('signal SIGKILL')
  await waitFor('a second start', () => starts.length === 2)
  expect(said).toEqual(['Worker has ended (signal SIGKILL). Starting it again.'])
  await kept.stop()
  expect(starts).toHaveLength(2)
})

test('what fails again and again at the first start is given up, with its own words', async () => {
  const { start, starts } = fakeService({ failing: () => true })
  await expect(keepRunning(start, { name: 'API', warn: () => {}, firstPause: 10 })).rejects.toThrow('No port')
  expect(starts).toHaveLength(0)
})

test('what fails later is tried again until it starts, and complains once', async () => {
  const { start, starts } = fakeService({ failing: (n) => n === 2 || n === 3 })
  const said: string[] = []
  const kept = await keepRunning(start, { name: 'Redis', warn: (text) => said.push(text), firstPause: 10 })
  starts[0]?.end('exit code 1')
  await waitFor('a second start', () => starts.length === 2)
  expect(said.filter((text) => text === 'No port')).toHaveLength(1)
  await kept.stop()
})
