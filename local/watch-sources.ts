import { watch } from 'node:fs'
import { join } from 'node:path'

/** Editors save in several steps; this many milliseconds of quiet make one change. */
const QUIET = 150

/** Calls `changed` whenever a file in one of the folders has changed. Returns how to stop watching. */
export function watchSources(root: string, folders: string[], changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const watchers = folders.map((folder) =>
    watch(join(root, folder), { recursive: true }, () => {
      clearTimeout(timer)
      timer = setTimeout(changed, QUIET)
    }),
  )
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}
