type Entry<Item, Result> = {
  item: Item
  came: number
  resolve: (result: Result | Promise<Result>) => void
  reject: (error: unknown) => void
}

/**
 * Groups single calls into batches of up to `size` items. At most `atOnce` batches run at once; calls made meanwhile
 * form the next batch. A single call waits `linger` milliseconds at most for others.
 *
 * `run` returns one result or promise per item, in their order; the batch has ended when `run` has, and does not wait for the
 * promises. A batch that fails as a whole fails each of its items, so that an outage does not multiply work;
 * but where `isAboutOne` says that one item may have caused the error, the items run again one after the other.
 */
export function createBatcher<Item, Result>(
  run: (items: Item[]) => Promise<(Result | Promise<Result>)[]>,
  { size = 50, atOnce = 1, linger = 0, isAboutOne = (_: Error): boolean => false } = {},
): (item: Item) => Promise<Result> {
  let waiting: Entry<Item, Result>[] = []
  let running = 0
  let timer: NodeJS.Timeout | undefined

  const runBatch = async (batch: Entry<Item, Result>[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item))
      batch.forEach(({ resolve }, position) => {
        resolve(results[position] as Result | Promise<Result>)
      })
    } catch (error) {
      if (batch.length > 1 && isAboutOne(error as Error)) for (const entry of batch) await runBatch([entry])
      else for (const { reject } of batch) reject(error)
    }
  }

  const startNext = (): void => {
    clearTimeout(timer)
    const [first] = waiting
    if (!first || running === atOnce) return
    const rest = first.came + linger - performance.now()
    if (waiting.length < size && rest > 0) {
      timer = setTimeout(startNext, rest)
      return
    }
    const batch = waiting.slice(0, size)
    waiting = waiting.slice(size)
    running += 1
    runBatch(batch).finally(() => {
      running -= 1
      startNext()
    })
    startNext()
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, came: performance.now(), resolve, reject })
      startNext()
    })
}
