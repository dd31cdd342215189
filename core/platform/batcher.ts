type Entry<Item, Result> = {
  item: Item
  came: number
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * Groups single calls into batches of up to `size` items. At most `atOnce` batches run at once; calls made meanwhile
 * form the next batch. A single call waits `linger` milliseconds at most for others.
 *
 * `run` returns one result or Error per item, in their order. Items of a batch that fails as a whole are retried one by
 * one, so that no item fails because of another.
 */
export function createBatcher<Item, Result>(
  run: (items: Item[]) => Promise<(Result | Error)[]>,
  { size = 50, atOnce = 1, linger = 0 } = {},
): (item: Item) => Promise<Result> {
  let waiting: Entry<Item, Result>[] = []
  let running = 0
  let timer: NodeJS.Timeout | undefined

  const runBatch = async (batch: Entry<Item, Result>[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item))
      batch.forEach(({ resolve, reject }, position) => {
        const result = results[position]
        if (result instanceof Error) reject(result)
        else resolve(result as Result)
      })
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error)
      else await Promise.all(batch.map((entry) => runBatch([entry])))
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
