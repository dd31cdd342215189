import { onTestFinished, vi } from 'vitest'

/**
 * Makes every deadline by `AbortSignal.timeout` come after `after` milliseconds, until the end of the test.
 * @returns the deadlines that were asked for, in milliseconds
 */
export function shortenDeadlines({ after = 200 } = {}): number[] {
  const asked: number[] = []
  const { timeout } = AbortSignal
  const shortened = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    asked.push(ms)
    return timeout.call(AbortSignal, after)
  })
  onTestFinished(() => shortened.mockRestore())
  return asked
}
