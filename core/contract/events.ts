import { z } from 'zod'
import { defineCall } from './call.ts'

const ids = z.array(z.number().int()).optional()

/**
 * Which rows have changed, by their ids: created, changed, deleted and restored ones alike. `jobs` are leads too: those
 * whose deliveries went on. `all`: so many that it is better to read everything again.
 */
export const Changes = z.object({
  leads: ids,
  jobs: ids,
  applications: ids,
  providers: ids,
  /**
   * Runs of the provider sync: started, a page further (once a second), ended. Providers that changed are in
   * `providers`.
   */
  syncs: ids,
  all: z.literal(true).optional(),
})
export type Changes = z.infer<typeof Changes>

/**
 * The events of `GET /api/events`.
 *
 * - `resync`: first of all, and whenever changes may have been missed. Read again what is on the screen. No data.
 * - `changes`: data is `Changes`. Comes at most five times a second, with all that was changed in between.
 * - `signed-out`: the session has ended, and with it the stream. No data.
 */
export const EventName = z.enum(['resync', 'changes', 'signed-out'])
export type EventName = z.infer<typeof EventName>

export const streamEvents = defineCall({
  method: 'GET',
  path: '/api/events',
  summary: 'Server-sent events that say which rows have changed: resync, changes (with their ids), signed-out.',
  access: 'viewer',
  output: z.string(),
  type: 'text/event-stream',
})
