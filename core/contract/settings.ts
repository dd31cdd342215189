import { z } from 'zod'
import { defineCall } from './call.ts'

/** What the staff's pages need to know of how Leadwell is set up. */
export const StaffSettings = z.object({
  /** The WordPress site that the providers come from, without a slash at the end, if there is one. */
  wordpress_url: z.string().nullable(),
  /** How far the nearest provider may be from a lead to be matched by itself. */
  match_radius_miles: z.number(),
  /** Where maps get their tiles, and whom they name for them. */
  map_tiles: z.object({ url: z.string(), attribution: z.string() }),
  /** True when this request came through a proxy although `TRUST_PROXY_HOPS` is 0: all visitors count as one address. */
  proxy_ignored: z.boolean(),
})
export type StaffSettings = z.infer<typeof StaffSettings>

export const getSettings = defineCall({
  method: 'GET',
  path: '/api/settings',
  summary: 'The settings that the staff’s pages need.',
  access: 'viewer',
  output: StaffSettings,
})
