import type { z } from 'zod'
import { AppError } from '../core/errors.ts'

/**
 * Reads what came from outside by a schema of the contract.
 * @throws AppError `invalid` whose `fields` name each wrong field with a sentence
 */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = schema.safeParse(value)
  if (read.success) return read.data

  const fields: Record<string, string> = {}
  for (const { path, message } of read.error.issues) fields[path.join('.') || 'body'] ??= message
  throw new AppError('invalid', Object.values(fields)[0] ?? 'Invalid input', { fields })
}
