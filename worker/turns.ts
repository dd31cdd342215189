export type Turns = {
  /** Runs work concurrently, once nothing has to run alone. Work that runs alone waits for `ends`. */
  together<Value>(start: () => Promise<{ value: Value; ends: Promise<unknown>[] }>): Promise<Value>
  /** Runs work alone, once everything that was begun has ended. */
  alone<Value>(run: () => Promise<Value>): Promise<Value>
}

/** Keeps what may end this process away from everything else that it does. */
export function createTurns(): Turns {
  const running = new Set<Promise<unknown>>()
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  return {
    async together(start) {
      while (waiting > 0) await last
      const begun = start()
      const ended = begun.then(
        ({ ends }) => Promise.allSettled(ends),
        () => {},
      )
      running.add(ended)
      ended.then(() => running.delete(ended))
      return (await begun).value
    },
    alone(run) {
      waiting += 1
      const turn = last.then(async () => {
        try {
          await Promise.all(running)
          return await run()
        } finally {
          waiting -= 1
        }
      })
      last = turn.catch(() => {})
      return turn
    },
  }
}
