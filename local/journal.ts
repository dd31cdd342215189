import { appendFile, mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { readIfExists } from './read-file.ts'

export interface Journal<Entry> {
  /** The kept entries, oldest first. */
  entries: readonly Entry[]
  /** Keeps one more entry. Resolves when it is in the file. */
  append(entry: Entry): Promise<void>
}

/**
 * A list that outlives the process: one JSON entry a line, of which the last `limit` are kept.
 * A last line cut short by a crash is left out.
 */
export async function openJournal<Entry>(file: string, limit: number): Promise<Journal<Entry>> {
  await mkdir(dirname(file), { recursive: true })
  const text = (await readIfExists(file)) ?? ''
  const entries = text
    .split('\n')
    .flatMap((line) => parse<Entry>(line))
    .slice(-limit)
  if (text !== asLines(entries)) await rewrite(file, entries)

  let written = entries.length
  let turn: Promise<unknown> = Promise.resolve()
  return {
    entries,
    append(entry) {
      entries.push(entry)
      if (entries.length > limit) entries.shift()
      const write = async () => {
        written += 1
        if (written <= 2 * limit) return appendFile(file, asLines([entry]), { mode: 0o600 })
        written = entries.length
        return rewrite(file, entries)
      }
      const result = turn.then(write)
      turn = result.catch(() => {})
      return result
    },
  }
}

/** Replaces the file as a whole, so that a crash leaves either the old or the new one. */
async function rewrite(file: string, entries: unknown[]): Promise<void> {
  await writeFile(`${file}.new`, asLines(entries), { mode: 0o600 })
  await rename(`${file}.new`, file)
}

function asLines(entries: unknown[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
}

function parse<Entry>(line: string): Entry[] {
  try {
    return line ? [JSON.parse(line) as Entry] : []
  } catch {
    return []
  }
}
