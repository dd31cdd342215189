import { z } from 'zod'
import { defineCall } from './call.ts'

/** The settings that the dashboard needs. */
export const StaffSettings = z.object({
  /** The WordPress site of the providers, without a slash at the end; null if none is connected. */
  wordpress_url: z.string().nullable(),
  /** The largest distance of an automatic match. */
  match_radius_miles: z.number(),
  /** What happens to a lead whose clinics in reach are paused or full. */
  no_room: z.enum(['team', 'wait']),
  /** The tiles of the maps and their attribution. */
  map_tiles: z.object({ url: z.string(), attribution: z.string() }),
  /** Whether a lead has come. Test leads do not count. */
  has_leads: z.boolean(),
  /** Whether this request came through a proxy although `TRUST_PROXY_HOPS` is 0: all visitors share one address. */
  proxy_ignored: z.boolean(),
})
export type StaffSettings = z.infer<typeof StaffSettings>

export const getSettings = defineCall({
  method: 'GET',
  path: '/api/settings',
  summary: 'Get the settings that the dashboard needs.',
  access: 'viewer',
  output: StaffSettings,
})
