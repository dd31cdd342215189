type Close = () => unknown

const closers: Close[] = []
let isEnding = false

/**
 * Closes what the files of a Vitest worker share, such as a browser or a site, when the worker ends. Vitest sends SIGTERM
 * after the last file and has no hook of its own for it; half a second later it sends SIGKILL.
 */
export function atWorkerEnd(close: Close): void {
  if (closers.length === 0) {
    process.once('SIGTERM', end)
    process.once('disconnect', end)
  }
  closers.push(close)
}

async function end(): Promise<void> {
  if (isEnding) return
  isEnding = true
  await Promise.allSettled(closers.map(async (close) => close()))
  process.kill(process.pid, 'SIGKILL')
}
