import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createBatcher } from '../../api/batcher.ts'

/** A batcher of numbers that doubles them, and the batches that it made. */
function doubling(run = async (items: number[]): Promise<(number | Error)[]> => items.map((item) => item * 2)) {
  const batches: number[][] = []
  const double = createBatcher<number, number>(async (items) => {
    batches.push(items)
    await sleep(5)
    return run(items)
  })
  return { batches, double }
}

const upTo = (count: number) => Array.from({ length: count }, (_, number) => number)

describe('createBatcher', () => {
  it('answers each item with its own result', async () => {
    const { double } = doubling()
    expect(await Promise.all(upTo(200).map(double))).toEqual(upTo(200).map((number) => number * 2))
  })

  it('runs an item that comes alone at once, and together what comes meanwhile', async () => {
    const { double, batches } = doubling()
    await Promise.all(upTo(10).map(double))
    expect(batches).toEqual([[0], [1], [2, 3, 4, 5, 6, 7, 8, 9]])
  })

  it('makes no batch of more than 50', async () => {
    const { double, batches } = doubling()
    await Promise.all(upTo(200).map(double))
    expect(Math.max(...batches.map((batch) => batch.length))).toBe(50)
  })

  it('rejects only the item whose result is an error', async () => {
    const { double } = doubling(async (items) => items.map((item) => (item === 3 ? new Error('three') : item)))
    const settled = await Promise.allSettled(upTo(6).map(double))
    expect(settled.map(({ status }) => status === 'rejected')).toEqual([false, false, false, true, false, false])
  })

  it('tries each item alone when a batch fails, so that none fails for another', async () => {
    const { double } = doubling(async (items) => {
      if (items.includes(4)) throw new Error('four spoils the batch')
      return items
    })
    const settled = await Promise.allSettled(upTo(8).map(double))
    expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect(settled[4]).toMatchObject({ status: 'rejected', reason: { message: 'four spoils the batch' } })
  })
})
