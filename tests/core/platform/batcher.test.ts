import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createBatcher } from '../../../core/platform/db.ts'
import { waitFor } from '../../support/wait.ts'

/** A batcher of numbers that doubles them, and the batches that it made. */
function doubling(run = async (items: number[]): Promise<number[]> => items.map((item) => item * 2)) {
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
    expect(batches).toEqual([[0], [1, 2, 3, 4, 5, 6, 7, 8, 9]])
  })

  it('makes no batch of more than 50', async () => {
    const { double, batches } = doubling()
    await Promise.all(upTo(200).map(double))
    expect(Math.max(...batches.map((batch) => batch.length))).toBe(50)
  })

  it('fails each item of a batch that fails, once, so that an outage does not multiply work', async () => {
    const { double, batches } = doubling(async () => {
      throw new Error('the database is away')
    })
    const settled = await Promise.allSettled(upTo(8).map(double))
    expect(settled.map(({ status }) => status)).toEqual(Array(8).fill('rejected'))
    expect(batches).toHaveLength(2)
  })

  it('runs the items again one after the other where one of them may have spoiled the batch', async () => {
    let running = 0
    const add = createBatcher<number, number>(
      async (items) => {
        running += 1
        expect(running).toBe(1)
        await sleep(1)
        running -= 1
        if (items.includes(4)) throw new Error('four spoils the batch')
        return items
      },
      { isAboutOne: ({ message }) => message.startsWith('four') },
    )
    const settled = await Promise.allSettled(upTo(8).map(add))
    expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect(settled[4]).toMatchObject({ status: 'rejected', reason: { message: 'four spoils the batch' } })
  })

  it('goes on with the next batch while items of the last one end by themselves', async () => {
    const ends: (() => void)[] = []
    const add = createBatcher<number, number>(async (items) =>
      items.map((item) => new Promise((resolve) => ends.push(() => resolve(item)))),
    )
    const [first, second] = [add(1), add(2)]
    await waitFor('both', () => ends.length === 2)
    ends[1]?.()
    await expect(second).resolves.toBe(2)
    ends[0]?.()
    await expect(first).resolves.toBe(1)
  })
})

/** Batches whose runs the test ends by hand. */
function startBatches({ size = 3, atOnce = 2, linger = 20 } = {}) {
  const runs: { items: number[]; end: () => void; fail: (error: Error) => void }[] = []
  const add = createBatcher<number, string>(
    (items) =>
      new Promise((resolve, fail) =>
        runs.push({ items, end: () => resolve(items.map((item) => `did ${item}`)), fail }),
      ),
    { size, atOnce, linger },
  )
  return { runs, add, items: () => runs.map((run) => run.items) }
}

describe('a batcher that lingers', () => {
  it('starts a full batch at once', () => {
    const { add, items } = startBatches({ linger: 60_000 })
    for (const item of [1, 2, 3, 4]) void add(item)
    expect(items()).toEqual([[1, 2, 3]])
  })

  it('starts another after a moment, also with one item', async () => {
    const { add, items } = startBatches()
    void add(1)
    expect(items()).toEqual([])
    await waitFor('the first batch', () => items().length === 1)
    void add(2)
    void add(3)
    await waitFor('the second batch', () => items().length === 2)
    expect(items()).toEqual([[1], [2, 3]])
  })

  it('does not linger where a batch is one item', () => {
    const { add, items } = startBatches({ size: 1, linger: 60_000 })
    void add(1)
    expect(items()).toEqual([[1]])
  })

  it('gathers while it waits for a place', async () => {
    const { add, runs, items } = startBatches({ atOnce: 1 })
    for (const item of [1, 2, 3, 4]) void add(item)
    await sleep(60)
    for (const item of [5, 6, 7]) void add(item)
    expect(items()).toEqual([[1, 2, 3]])
    runs[0]?.end()
    await waitFor('the next batch', () => items().length === 2)
    expect(items()[1]).toEqual([4, 5, 6])
  })

  it('ends each item with its batch, and one that fails stops no other', async () => {
    const { add, runs } = startBatches({ size: 1, atOnce: 2 })
    const [first, second, third] = [add(1), add(2), add(3)]
    runs[0]?.fail(new Error('the database is away'))
    await expect(first).rejects.toThrow('the database is away')
    runs[1]?.end()
    await expect(second).resolves.toBe('did 2')
    await waitFor('the third', () => runs.length === 3)
    runs[2]?.end()
    await expect(third).resolves.toBe('did 3')
  })
})
