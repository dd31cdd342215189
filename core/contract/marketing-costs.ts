import { z } from 'zod'
import { defineCall } from './call.ts'

/** The most lines of one file, and the most characters. */
export const MAX_COST_LINES = 5000
export const MAX_COST_FILE = 400_000

/** The columns of a file of costs. */
export const COST_COLUMNS = ['date', 'source', 'campaign', 'cost'] as const

/** One line of costs. Source and campaign are in lower case; the campaign is empty for the cost of a source as a whole. */
export type CostLine = { day: string; source: string; campaign: string; cost_cents: number }

/** The stored costs: their first and last day, which are null without any, and their sum in cents of a US dollar. */
export const CostSummary = z.object({
  lines: z.number().int(),
  from: z.iso.date().nullable(),
  to: z.iso.date().nullable(),
  totalCents: z.number(),
})
export type CostSummary = z.infer<typeof CostSummary>

export const getCosts = defineCall({
  method: 'GET',
  path: '/api/costs',
  summary: 'Get the period and the sum of the stored advertising costs.',
  access: 'viewer',
  output: CostSummary,
})

export const uploadCosts = defineCall({
  method: 'POST',
  path: '/api/costs',
  summary:
    'Store advertising costs from a CSV file with the columns date, source, campaign and cost. A line replaces the stored one of the same day, source and campaign. Nothing is stored while a line is wrong.',
  access: 'manager',
  input: {
    body: z.object({
      csv: z
        .string()
        .max(MAX_COST_FILE, `A file must have ${MAX_COST_FILE.toLocaleString('en-US')} characters or fewer`),
    }),
  },
  /** `stored` is the number of lines of the file. */
  output: CostSummary.extend({ stored: z.number().int() }),
})

export const deleteCosts = defineCall({
  method: 'DELETE',
  path: '/api/costs',
  summary: 'Delete all stored advertising costs.',
  access: 'manager',
  output: CostSummary,
})
