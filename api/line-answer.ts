import { PassThrough } from 'node:stream'
import type Koa from 'koa'

/** Answers line by line during long work (NDJSON). `tell` may be called after the client disconnected. */
export function answerLines<Line>(ctx: Koa.Context): { tell(line: Line): void; end(): void } {
  const lines = new PassThrough()
  ctx.type = 'application/x-ndjson'
  // Each line is sent at once: no middleware and no proxy buffers them.
  ctx.compress = false
  ctx.set('X-Accel-Buffering', 'no')
  ctx.body = lines

  return {
    tell: (line) => void (lines.destroyed || lines.write(`${JSON.stringify(line)}\n`)),
    end: () => void lines.end(),
  }
}
