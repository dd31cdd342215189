import { z } from 'zod'
import { ActionAnswer, defineCall, RowParams } from '../../contract/call.ts'
import { line } from '../../contract/forms.ts'

const DAY = 24 * 60 * 60 * 1000
/** The longest pause, in days. Clinics that never have to answer would be a mistake. */
export const MAX_PAUSE_DAYS = 60

/** A time in which no clinic has to answer, such as a holiday. */
export const NetworkPause = z.object({
  id: z.number().int(),
  starts_at: z.iso.datetime(),
  ends_at: z.iso.datetime(),
  reason: z.string(),
  /** As in the audit log. */
  created_by: z.string(),
})
export type NetworkPause = z.infer<typeof NetworkPause>

const Moment = z.iso.datetime({ offset: true, error: 'Choose a day and a time' })

/** The body of `addNetworkPause`. */
export const NewNetworkPause = z
  .object({ starts_at: Moment, ends_at: Moment, reason: line('A reason', 100) })
  .refine(({ starts_at, ends_at }) => Date.parse(ends_at) > Date.parse(starts_at), {
    path: ['ends_at'],
    message: 'The end must be after the start',
  })
  .refine(({ starts_at, ends_at }) => Date.parse(ends_at) - Date.parse(starts_at) <= MAX_PAUSE_DAYS * DAY, {
    path: ['ends_at'],
    message: `A pause must be ${MAX_PAUSE_DAYS} days or shorter`,
  })
export type NewNetworkPause = z.output<typeof NewNetworkPause>

export const listNetworkPauses = defineCall({
  method: 'GET',
  path: '/api/network-pauses',
  summary: 'List the present and future pauses of the network, the earliest first.',
  access: 'viewer',
  output: z.object({ pauses: z.array(NetworkPause) }),
})

export const addNetworkPause = defineCall({
  method: 'POST',
  path: '/api/network-pauses',
  summary: 'Pause the clocks of all clinics from one time to another.',
  access: 'manager',
  input: { body: NewNetworkPause },
  output: NetworkPause,
})

export const endNetworkPause = defineCall({
  method: 'DELETE',
  path: '/api/network-pauses/:id',
  summary: 'End a pause now, or cancel one that has not begun.',
  access: 'manager',
  input: { params: RowParams },
  output: ActionAnswer,
})
