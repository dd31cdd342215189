import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Context } from 'koa'

type Encoding = 'br' | 'gzip'

const COMPRESSORS = { br: promisify(brotliCompress), gzip: promisify(gzip) }

/** A text that is the same for many requests, with its compressed forms, each made on first use. */
export type KeptBody = { text: string; compressed: Partial<Record<Encoding, Promise<Buffer>>> }

/** Prepares a text for `answerKept`. */
export function keepBody(text: string): KeptBody {
  return { text, compressed: {} }
}

/**
 * Answers with a kept text in the browser's preferred encoding. Compresses it at most once. The caller sets the content
 * type.
 */
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
