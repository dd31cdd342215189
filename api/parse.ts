import type { z } from 'zod'
import { AppError } from '../core/errors.ts'

/**
 * Parses an input by a schema of the contract.
 * @throws AppError `invalid` whose `fields` hold a sentence for each invalid field
 */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = safely(() => schema.safeParse(value, { error: defaultMessage }))
  if (read.success) return read.data

  const fields: Record<string, string> = {}
  for (const { path, message } of read.error.issues) fields[path.join('.') || 'body'] ??= message
  throw new AppError('invalid', Object.values(fields)[0] ?? 'Some fields are not valid.', { fields })
}

/** Returns the message of an error for which the schema has none. */
function defaultMessage({ path = [] }: { path?: PropertyKey[] }): string {
  return path.length > 0 ? `The value of ${String(path.at(-1))} is not valid.` : 'This is not valid.'
}

/** Catches errors of zod itself, which throws on `{ "length": { "valueOf": null, "toString": null } }`. */
function safely<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (cause) {
    throw new AppError('malformed', 'The request could not be read.', { cause })
  }
}
