import { dayOf } from '../../dates.ts'
import type { LeadExportQuery } from '../../leads/contract/leads.ts'

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

const csvLine = (values: (string | number | null)[]): string => `${values.map(cell).join(',')}\r\n`

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

/** Returns a filter for the logs, without the search term, which may be a visitor's name, email or phone. */
export function withoutSearch<Query extends { q?: string }>({ q, ...filter }: Query) {
  return { ...filter, ...(q !== undefined && { search: true }) }
}

export function loggedQuery(query: LeadExportQuery) {
  const { sort, ...filter } = withoutSearch(query)
  return { filter, sort }
}

/** The most characters of a file name that tell the filter. */
const MAX_FILTER_NAME = 80

/**
 * Returns the name of a file of exported leads, without its ending: `leads`, or with a filter and the days of the leads or the
 * day of the export, such as `leads-unmatched-state-md-2026-11-25`. The text of a search is left out.
 */
export function exportName(query: LeadExportQuery, at: Date, timeZone: string): string {
  const {
    filter: { from, to, ...filter },
  } = loggedQuery(query)
  const today = dayOf(at, timeZone)
  const last = to ?? today
  const days =
    from === undefined ? (to === undefined ? today : `to-${to}`) : from === last ? from : `${from}-to-${last}`
  const words = Object.entries(filter).map(([name, value]) => {
    if (value === true) return name
    return value === false ? `not-${name}` : `${name}-${value}`
  })
  if (words.length === 0) return from === undefined && to === undefined ? 'leads' : `leads-${days}`
  const slug = words
    .join('-')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  return `leads-${slug.slice(0, MAX_FILTER_NAME).replace(/-$/, '')}-${days}`
}
