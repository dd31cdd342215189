const LARGEST_BATCH = 50
/** Two at once, so that one can be prepared while the other is being committed. */
const PARALLEL = 2

type Entry<Item, Result> = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }

/**
 * Turns a function of many into a function of one: what arrives while `run` is busy waits, and goes together next. An
 * item that comes alone goes at once. `run` answers for each item in its order, with a result or an Error. If a batch
 * fails as a whole, each of its items is tried once more alone, so that none fails for another's fault.
 */
export function createBatcher<Item, Result>(run: (items: Item[]) => Promise<(Result | Error)[]>) {
  let waiting: Entry<Item, Result>[] = []
  let running = 0

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
    if (running === PARALLEL || waiting.length === 0) return
    const batch = waiting.slice(0, LARGEST_BATCH)
    waiting = waiting.slice(LARGEST_BATCH)
    running += 1
    runBatch(batch).finally(() => {
      running -= 1
      startNext()
    })
  }

  return (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      startNext()
    })
}
