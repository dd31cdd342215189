import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SECOND } from '../../core/time.ts'
import { DeliveryError } from '../../worker/delivery-error.ts'
import { sendByHalves } from '../../worker/senders/hubspot-answers.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const refusal = new DeliveryError('No', { cause: 'refused', retry: 'never', status: 400, detail: '5 is bad' })
const outage = new DeliveryError('Away', { cause: 'server_error', retry: 'later', status: 503 })
const NOT_ALONE = 'The CRM refused a batch that contains this lead. The lead is retried.'

/** Sends numbers to a CRM that refuses each call with a bad one in it. Returns the calls and what became of each number. */
async function send(all: number[], isBad: (item: number) => boolean, { error = refusal, duration = 0 } = {}) {
  const calls: number[][] = []
  const call = async (items: number[]) => {
    calls.push(items)
    vi.advanceTimersByTime(duration)
    if (items.some(isBad)) throw error
    return items.map((item) => ({ status: 200, externalId: String(item) }))
  }
  const answers = await sendByHalves(all, { call, isAboutOne: ({ status }) => status === 400 })
  const results = answers.map((answer) =>
    answer instanceof DeliveryError ? `${answer.retry} ${answer.status}: ${answer.message} ${answer.detail}` : answer,
  )
  return { calls, answers, results }
}

describe('a batch', () => {
  it('is one call when it is taken, and each item has its own answer', async () => {
    const { calls, results } = await send(numbers(3), () => false)
    expect(calls).toEqual([[1, 2, 3]])
    expect(results).toEqual(['1', '2', '3'].map((externalId) => ({ status: 200, externalId })))
  })

  it('of nothing is no call', async () => {
    expect(await send([], () => false)).toMatchObject({ calls: [], results: [] })
  })

  it('is divided down to the one that is refused, the first half before the second', async () => {
    const { calls, results } = await send(numbers(5), (item) => item === 4)
    expect(calls).toEqual([[1, 2, 3, 4, 5], [1, 2, 3], [4, 5], [4], [5]])
    expect(results.map((result) => typeof result)).toEqual(['object', 'object', 'object', 'string', 'object'])
    expect(results[3]).toBe('never 400: No 5 is bad')
  })

  it('is not divided when the error is the same for all of them', async () => {
    const { calls, answers } = await send(numbers(4), () => true, { error: outage })
    expect(calls).toHaveLength(1)
    expect(answers).toEqual([outage, outage, outage, outage])
  })
})

describe('a batch of which one after the other is refused', () => {
  it('ends when three were refused alone and none was taken: the rest is tried again later', async () => {
    const { calls, results } = await send(numbers(8), () => true)
    expect(calls.filter(({ length }) => length === 1)).toEqual([[1], [2], [3]])
    expect(results).toEqual([
      ...Array(3).fill('never 400: No 5 is bad'),
      ...Array(5).fill(`later 400: ${NOT_ALONE} undefined`),
    ])
  })

  it('keeps from the others what the CRM said, but not the status and the cause', async () => {
    const { answers } = await send(numbers(8), () => true)
    expect(answers[7]).toMatchObject({ status: 400, cause: 'refused', retry: 'later', summary: NOT_ALONE })
  })

  it('goes on when one was taken before: it is about each of them', async () => {
    const { results } = await send(numbers(8), (item) => item > 1)
    expect(results).toEqual([{ status: 200, externalId: '1' }, ...Array(7).fill('never 400: No 5 is bad')])
  })
})

describe('a batch that takes long', () => {
  it('begins its last call after half a minute', async () => {
    const { calls, results } = await send(numbers(4), (item) => item === 4, { duration: 15 * SECOND })
    expect(calls).toEqual([
      [1, 2, 3, 4],
      [1, 2],
      [3, 4],
    ])
    expect(results.slice(2)).toEqual([`later 400: ${NOT_ALONE} undefined`, `later 400: ${NOT_ALONE} undefined`])
  })

  it('begins no call later than that', async () => {
    const { calls } = await send(numbers(4), (item) => item === 4, { duration: 15 * SECOND + 1 })
    expect(calls).toEqual([
      [1, 2, 3, 4],
      [1, 2],
    ])
  })
})
