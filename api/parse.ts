import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Context } from 'koa'
import type { z } from 'zod'
import { AppError } from '../core/errors.ts'

/** @throws AppError `invalid` whose `fields` hold a sentence for each invalid field */
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

type Encoding = 'br' | 'gzip'

const COMPRESSORS = { br: promisify(brotliCompress), gzip: promisify(gzip) }

/** A text that is the same for many requests, with its compressed forms, each made on first use. */
export type KeptBody = { text: string; compressed: Partial<Record<Encoding, Promise<Buffer>>> }

export function keepBody(text: string): KeptBody {
  return { text, compressed: {} }
}

/** Answers in the browser's preferred encoding, compressing at most once. The caller sets the content type. */
export async function answerKept(ctx: Context, { text, compressed }: KeptBody): Promise<void> {
  const encoding = ctx.acceptsEncodings(['br', 'gzip', 'identity'])
  if (encoding !== 'br' && encoding !== 'gzip') {
    ctx.body = text
    return
  }
  compressed[encoding] ??= COMPRESSORS[encoding](text)
  const bytes = await compressed[encoding]
  ctx.set('Content-Encoding', encoding)
  ctx.body = bytes
}
