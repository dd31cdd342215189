import type { z } from 'zod'

/** Settings as text, by their names. */
export type Given = Record<string, string | undefined>

/** A bad or missing setting; its message lists every problem, one a line, and never a value. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

/** Compose files and shells hand over what is not set as an empty text. */
export function withoutEmpty(source: Given): Given {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
}

/**
 * Reads those settings that a schema describes.
 * @throws SettingsError that lists every problem of these.
 */
export function readSettings<Schema extends z.ZodType>(schema: Schema, given: Given): z.output<Schema> {
  const read = schema.safeParse(given)
  if (read.success) return read.data

  throw settingsError(
    read.error.issues.map(({ path, message }) => {
      const name = String(path[0])
      return `${name} ${given[name] === undefined && !message.startsWith('is required') ? 'is missing' : message}`
    }),
  )
}

export function settingsError(problems: string[]): SettingsError {
  return new SettingsError(`Fix these settings, then start again:\n${problems.map((line) => `  ${line}`).join('\n')}`)
}
