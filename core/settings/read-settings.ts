import { readFileSync } from 'node:fs'
import type { z } from 'zod'

/** Settings as text, by their names. */
export type Given = Record<string, string | undefined>

/** Bad or missing settings. The message lists every problem on a line of its own, and never a value. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

/** Removes empty settings, because compose files and shells pass an unset one as an empty text. */
export function withoutEmpty(source: Given): Given {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
}

/**
 * Reads the settings of a schema. `NAME_FILE` may name a file that holds `NAME`, as containers get secrets. An empty file
 * counts as none.
 * @throws SettingsError that lists every problem
 */
export function readSettings<Schema extends z.ZodObject>(schema: Schema, given: Given): z.output<Schema> {
  const { values, problems } = withFiles(Object.keys(schema.shape), given)
  const read = schema.safeParse(values)
  if (read.success && problems.size === 0) return read.data

  for (const { path, message } of read.error?.issues ?? []) {
    const name = String(path[0])
    const isMissing = values[name] === undefined && !message.startsWith('is required')
    // A setting whose file is unreadable is reported once, not as missing too.
    if (!problems.has(`${name}_FILE`)) problems.set(name, isMissing ? 'is missing' : message)
  }
  throw settingsError([...problems].map(([name, message]) => `${name} ${message}`))
}

/** Copies the content of each `NAME_FILE` to `NAME`. */
function withFiles(names: string[], given: Given): { values: Given; problems: Map<string, string> } {
  const values = { ...given }
  const problems = new Map<string, string>()
  for (const name of names) {
    const fileName = `${name}_FILE`
    const file = given[fileName]
    if (file === undefined) continue
    try {
      const content = readFileSync(file, 'utf8').trim()
      if (content && given[name] !== undefined) problems.set(name, `must not be set together with ${fileName}`)
      else if (content) values[name] = content
    } catch (error) {
      problems.set(fileName, `names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`)
    }
  }
  return { values, problems }
}

export function settingsError(problems: string[]): SettingsError {
  return new SettingsError(`Fix these settings, then start again:\n${problems.map((line) => `  ${line}`).join('\n')}`)
}
