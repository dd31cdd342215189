import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { loadOrRetry } from '../../web/lib/load-or-retry.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('loads a script once when it comes', async () => {
  const load = vi.fn(async () => 'the part')
  expect(await loadOrRetry(load)).toBe('the part')
  await vi.runAllTimersAsync()
  expect(load).toHaveBeenCalledTimes(1)
})

it('loads a script that was lost once more, after a pause', async () => {
  const load = vi.fn(async () => 'the part').mockRejectedValueOnce(new TypeError('lost'))
  const loaded = loadOrRetry(load)
  await vi.advanceTimersByTimeAsync(0)
  expect(load).toHaveBeenCalledTimes(1)
  await vi.runAllTimersAsync()
  expect(await loaded).toBe('the part')
  expect(load).toHaveBeenCalledTimes(2)
})

it('gives up after the second try, and says why', async () => {
  const load = vi.fn(() => Promise.reject(new TypeError('lost for good')))
  const loaded = expect(loadOrRetry(load)).rejects.toThrow('lost for good')
  await vi.runAllTimersAsync()
  await loaded
  expect(load).toHaveBeenCalledTimes(2)
})
