/** Makes Excel read the file as UTF-8. Other readers of UTF-8 ignore it. */
const BYTE_ORDER_MARK = '\ufeff'

/**
 * Texts that a spreadsheet would run instead of showing them: formulas, also behind spaces and in full width, and texts
 * that start with a tab or a line break. Source: OWASP, "CSV Injection".
 */
const RUNNABLE = /^([\t\r\n]|\s*[=+\-@＝＋－＠])/

/** Some languages of a spreadsheet separate cells by `;` or tab. */
const QUOTED = /[",;\t\r\n]/

/** Formats a cell (RFC 4180), with an apostrophe before a text that a spreadsheet would run. */
function cell(value: string | number | null): string {
  if (typeof value !== 'string') return String(value ?? '')
  const harmless = RUNNABLE.test(value) ? `'${value}` : value
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Formats a line with its end. */
export const csvLine = (values: (string | number | null)[]): string => `${values.map(cell).join(',')}\r\n`

/** Yields the lines of a CSV file, the column names first. Reads a row only when its line is asked for. */
export async function* csv<Column extends string>(
  columns: readonly Column[],
  rows: AsyncIterable<Record<Column, string | number | null>>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine([...columns])
  for await (const row of rows) yield csvLine(columns.map((column) => row[column]))
}

/**
 * Joins lines into pieces of at least `size` characters, except the last, because sending line by line costs more than
 * the content.
 */
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
