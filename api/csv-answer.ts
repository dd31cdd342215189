import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { Context } from 'koa'
import { csv, inPieces } from '../core/csv.ts'
import { AppError } from '../core/errors.ts'

/** Each holds a connection of the pool while it is read, which visitors need as well. */
const MOST_AT_ONCE = 3
let open = 0

type Table<Column extends string> = {
  columns: readonly Column[]
  rows: AsyncIterable<Record<Column, string | number | null>>
}

/**
 * Answers with a table as a CSV file, `name` and `.csv`. Rows are read as fast as the other side takes them, and no
 * further once it hangs up. What fails before the first piece is an answer like any other.
 * @throws AppError `rate_limited` while others are being sent
 */
export async function answerCsv<Column extends string>(
  ctx: Context,
  name: string,
  { columns, rows }: Table<Column>,
): Promise<void> {
  if (open >= MOST_AT_ONCE) {
    throw new AppError('rate_limited', 'Other tables are being downloaded. Please try again in a minute.', {
      retryAfterSeconds: 60,
    })
  }
  const pieces = Readable.from(counted(inPieces(csv(columns, rows))), { objectMode: false })
  await once(pieces, 'readable')

  ctx.attachment(`${name}.csv`)
  ctx.type = 'text/csv; charset=utf-8'
  ctx.body = pieces
}

async function* counted(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  open += 1
  try {
    yield* pieces
  } finally {
    open -= 1
  }
}
