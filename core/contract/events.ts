import { z } from 'zod'
import { SendingId } from '../conditions/contract/integrations.ts'
import { defineCall, RowParams } from './call.ts'

const ids = z.array(z.number().int()).optional()

/**
 * The ids of the rows that were created, changed, deleted or restored. `jobs` holds the ids of leads whose deliveries
 * changed. `all` is set if there are too many to list: read everything again.
 */
export const Changes = z.object({
  leads: ids,
  jobs: ids,
  applications: ids,
  providers: ids,
  /** Runs of the provider sync that started, made progress (once a second) or ended. */
  syncs: ids,
  /** Accounts of staff whose emails went on. */
  accounts: ids,
  /** Integrations whose sending was paused or resumed. */
  sending: z.array(SendingId).optional(),
  /** The figures of the overview are out of date. Comes in an event of its own, at most every five seconds. */
  overview: z.literal(true).optional(),
  /** Staff have set something aside, or taken it back. */
  attention: z.literal(true).optional(),
  /** Accounts that have a lead open, said again every `VIEWING_INTERVAL`, or that have `left` it. */
  viewing: z.array(z.object({ lead: z.number().int(), account: z.number().int(), left: z.boolean() })).optional(),
  all: z.literal(true).optional(),
})
export type Changes = z.infer<typeof Changes>

/**
 * The events of `streamEvents`.
 *
 * - `resync`: comes first, whenever changes may have been missed, and every five minutes, because some things become
 *   overdue by the clock alone. Read again what is on the screen. No data.
 * - `changes`: data is `Changes`. Comes at most five times a second, with all changes since the last one.
 * - `signed-out`: the session has ended, and the stream ends. No data.
 */
export const EventName = z.enum(['resync', 'changes', 'signed-out'])
export type EventName = z.infer<typeof EventName>

export const streamEvents = defineCall({
  method: 'GET',
  path: '/api/events',
  summary: 'Stream server-sent events about changed rows: resync, changes (with their ids), signed-out.',
  access: 'viewer',
  output: z.string(),
  type: 'text/event-stream',
})

/** How often a browser says that a lead is open. Without news, the others forget it after three times as long. In milliseconds. */
export const VIEWING_INTERVAL = 20_000

export const viewLead = defineCall({
  method: 'POST',
  path: '/api/leads/:id/viewing',
  summary: 'Tell the other dashboards that one has a lead open, or has left it. Nothing is stored.',
  access: 'viewer',
  input: { params: RowParams, body: z.object({ left: z.boolean() }) },
})
