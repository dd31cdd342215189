import { PassThrough } from 'node:stream'
import type Koa from 'koa'

/** Answers line by line while something goes on (NDJSON). `tell` may go on when nobody listens any more. */
export function answerLines<Line>(ctx: Koa.Context): { tell(line: Line): void; end(): void } {
  const lines = new PassThrough()
  ctx.type = 'application/x-ndjson'
  // Each line goes out as it comes: no middleware and no proxy collects them.
  ctx.compress = false
  ctx.set('X-Accel-Buffering', 'no')
  ctx.body = lines

  return {
    tell: (line) => void (lines.destroyed || lines.write(`${JSON.stringify(line)}\n`)),
    end: () => void lines.end(),
  }
}
