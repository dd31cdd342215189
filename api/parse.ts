import type { z } from 'zod'
import { AppError } from '../core/errors.ts'

/**
 * Reads what came from outside by a schema of the contract.
 * @throws AppError `invalid` whose `fields` name each wrong field with a sentence
 */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = safely(() => schema.safeParse(value, { error: inPlainWords }))
  if (read.success) return read.data

  const fields: Record<string, string> = {}
  for (const { path, message } of read.error.issues) fields[path.join('.') || 'body'] ??= message
  throw new AppError('invalid', Object.values(fields)[0] ?? 'Some fields are not valid.', { fields })
}

/** For what a schema of the contract does not put into words itself. */
function inPlainWords({ path = [] }: { path?: PropertyKey[] }): string {
  return path.length > 0 ? `The value of ${String(path.at(-1))} is not valid.` : 'This is not valid.'
}

/** zod looks at `length` whatever has it, and throws on `{ "length": { "valueOf": null, "toString": null } }`. */
function safely<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (cause) {
    throw new AppError('malformed', 'The request could not be read.', { cause })
  }
}
