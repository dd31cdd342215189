import { z } from 'zod'
import { ActionAnswer, defineCall } from './call.ts'
import { LeadExportQuery } from './leads.ts'

/** The most leads that the dashboard downloads at once. A larger export is prepared by a worker first. */
export const MAX_DIRECT_ROWS = 10_000
/** The most exports of one person that are prepared or stored at the same time. */
export const MAX_EXPORTS = 3

/** Why an export was deleted, for the person who wants to download it. */
export const DELETED_EXPORT = {
  erased: 'This export was deleted because a lead that may be in it was permanently deleted. Export again.',
  expired: 'This export was deleted because it was older than 24 hours. Export again.',
  unwanted: 'This export was deleted because you did not want it anymore. Export again.',
} as const

/** A large export: a job of the ledger, and its file. `done` and `total` are rows. */
export const Export = z.object({
  id: z.uuid(),
  /** `erased`: deleted for the privacy of a person in it. */
  state: z.enum(['running', 'done', 'failed', 'erased']),
  done: z.number().int(),
  total: z.number().int(),
  /** The filter and the order, as `startExport` takes them. Null once the file is deleted. */
  query: z.record(z.string(), z.unknown()).nullable(),
  expires_at: z.iso.datetime(),
})
export type Export = z.infer<typeof Export>

const ExportParams = z.object({ id: z.uuid() })

export const startExport = defineCall({
  method: 'POST',
  path: '/api/exports',
  summary: 'Export the leads that match a filter as CSV, in the background. Answers with the id of the export.',
  access: 'manager',
  needsConfirmation: true,
  // Strict, because ignoring a misspelled condition would export every lead.
  input: { body: LeadExportQuery.strict() },
  output: ExportParams,
  status: 202,
})

export const listExports = defineCall({
  method: 'GET',
  path: '/api/exports',
  summary: 'List the exports of the caller that have not expired, the newest first.',
  access: 'manager',
  output: z.object({ exports: z.array(Export) }),
})

export const downloadExport = defineCall({
  method: 'GET',
  path: '/api/exports/:id/file',
  summary: 'Download the file of an export of the caller.',
  access: 'manager',
  needsConfirmation: true,
  input: { params: ExportParams },
  output: z.string(),
  type: 'text/csv',
})

export const deleteExport = defineCall({
  method: 'DELETE',
  path: '/api/exports/:id',
  summary: 'Cancel an export of the caller, or delete its file.',
  access: 'manager',
  input: { params: ExportParams },
  output: ActionAnswer,
})
