/** What Excel needs in order to read the file as UTF-8, and everything else that reads UTF-8 leaves out. */
const BYTE_ORDER_MARK = '\ufeff'

/**
 * What a spreadsheet would run instead of showing it: formulas, also behind spaces and in full width, and what starts
 * with a tab or a line break. Source: OWASP, "CSV Injection".
 */
const RUNNABLE = /^([\t\r\n]|\s*[=+\-@＝＋－＠])/

/** `;` and tab separate cells where the spreadsheet's language says so. */
const QUOTED = /[",;\t\r\n]/

/** A cell that a reader gets back as it was (RFC 4180), but for an apostrophe before what a spreadsheet would run. */
function cell(value: string | number | null): string {
  if (typeof value !== 'string') return String(value ?? '')
  const harmless = RUNNABLE.test(value) ? `'${value}` : value
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

const line = (values: (string | number | null)[]): string => `${values.map(cell).join(',')}\r\n`

/** A table as the lines of a CSV file, the names of its columns first. It reads a row when a line is asked for. */
export async function* csv<Column extends string>(
  columns: readonly Column[],
  rows: AsyncIterable<Record<Column, string | number | null>>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + line([...columns])
  for await (const row of rows) yield line(columns.map((column) => row[column]))
}

/** Pieces of at least `size` characters but for the last: what is sent line by line costs more than what is in it. */
export async function* inPieces(lines: AsyncIterable<string>, size = 16_384): AsyncGenerator<string> {
  let piece = ''
  for await (const line of lines) {
    piece += line
    if (piece.length < size) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}
