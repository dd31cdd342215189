import { CsvError, type Info, parse } from 'csv-parse/sync'
import { z } from 'zod'
import { COST_COLUMNS, type CostLine, MAX_COST_LINES } from '../contract/marketing-costs.ts'

/** The costs of a file, or what is wrong with it: `line` counts from 1 and includes the line of the column names. */
export type CostFile = { lines: CostLine[] } | { problems: { line: number; message: string }[] }

const MAX_NAME = 200
const MAX_COST = 1_000_000

const Name = z
  .string()
  .max(MAX_NAME, `A name must have ${MAX_NAME} characters or fewer`)
  .regex(/^\P{Cc}*$/u, 'A name contains characters that cannot be used')
  .transform((name) => name.toLowerCase())

/** `1234.5`, `1,234.50` or `$1,234.50`. */
const Cost = z
  .string()
  .regex(/^\$?(\d+|\d{1,3}(,\d{3})+)(\.\d{1,2})?$/, 'Write the cost in US dollars, like 123.45')
  .transform((text) => Math.round(Number(text.replace(/[$,]/g, '')) * 100))
  .refine((cents) => cents <= MAX_COST * 100, `The cost of a line must be $${MAX_COST.toLocaleString('en-US')} or less`)

const Line = z.object({
  date: z.iso.date('Write the date like 2026-11-23'),
  source: Name.refine((name) => name !== '', 'The source is missing'),
  campaign: Name,
  cost: Cost,
})

type ReadRow = { record: Record<string, string>; info: Info }

/** Reads a file of costs (RFC 4180, separated by commas, semicolons or tabs). A line that is there twice is wrong. */
export function readCostFile(csv: string): CostFile {
  const problems: { line: number; message: string }[] = []
  const lines = new Map<string, { line: number; cost: CostLine }>()
  for (const { record, info } of rowsOf(csv, problems)) {
    const { lines: line } = info
    const parsed = Line.safeParse(record)
    if (!parsed.success) {
      problems.push({ line, message: parsed.error.issues.map(({ message }) => message).join('. ') })
      continue
    }
    const { date: day, source, campaign, cost: cost_cents } = parsed.data
    const key = JSON.stringify([day, source, campaign])
    const same = lines.get(key)
    if (same) problems.push({ line, message: `Line ${same.line} has the same date, source and campaign` })
    else lines.set(key, { line, cost: { day, source, campaign, cost_cents } })
  }
  if (problems.length === 0 && lines.size === 0) problems.push({ line: 1, message: 'The file has no costs' })
  return problems.length > 0 ? { problems } : { lines: [...lines.values()].map(({ cost }) => cost) }
}

/** Returns the rows of a file, and adds what makes it unreadable to `problems`. */
function rowsOf(csv: string, problems: { line: number; message: string }[]): ReadRow[] {
  let unknown = false
  const wrongColumns = () =>
    problems.push({ line: 1, message: `The first line must name the columns ${COST_COLUMNS.join(', ')}` })
  try {
    const rows: unknown = parse(csv, {
      bom: true,
      delimiter: [',', ';', '\t'],
      info: true,
      skip_empty_lines: true,
      trim: true,
      columns: (names: string[]) => {
        const columns = names.map((name) => name.toLowerCase())
        unknown = columns.length !== COST_COLUMNS.length || COST_COLUMNS.some((name) => !columns.includes(name))
        return columns
      },
      to: MAX_COST_LINES + 1,
    })
    if (unknown) {
      wrongColumns()
      return []
    }
    const found = rows as ReadRow[]
    if (found.length > MAX_COST_LINES) {
      const most = MAX_COST_LINES.toLocaleString('en-US')
      problems.push({ line: found.at(-1)?.info.lines ?? 1, message: `A file must have ${most} lines or fewer` })
      return []
    }
    return found
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const isInconsistent = error.code.startsWith('CSV_RECORD_INCONSISTENT')
    const message = isInconsistent ? `The line must have ${COST_COLUMNS.length} cells` : 'The line is not valid CSV'
    if (unknown) wrongColumns()
    else problems.push({ line: Number(error.lines ?? 1), message })
    return []
  }
}
