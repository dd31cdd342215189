import { z } from 'zod'
import { Email, line } from './forms.ts'

/** A viewer reads. A manager also acts: changes, deletes, exports, and looks after the accounts. */
export const StaffRole = z.enum(['viewer', 'manager'])
export type StaffRole = z.infer<typeof StaffRole>

/** Somebody of the staff, as managers see them. Times are ISO 8601. */
export const StaffAccount = z.object({
  id: z.number().int(),
  name: z.string(),
  /** Never changes: the audit log knows people by it. */
  email: z.string(),
  role: StaffRole,
  created_at: z.iso.datetime(),
  disabled_at: z.iso.datetime().nullable(),
  /** The password was made by somebody else and is only good for choosing one's own. */
  must_change_password: z.boolean(),
  /** Of the sessions that are still stored. */
  last_seen_at: z.iso.datetime().nullable(),
  open_sessions: z.number().int(),
})
export type StaffAccount = z.infer<typeof StaffAccount>

export const StaffList = z.object({ staff: z.array(StaffAccount) })
export type StaffList = z.infer<typeof StaffList>

/** The body of `POST /api/staff`. */
export const NewStaff = z.object({
  name: line('Name', 100),
  email: Email,
  role: z.enum(StaffRole.enum, { error: 'Choose a role: viewer or manager' }),
})
export type NewStaff = z.output<typeof NewStaff>

/** The body of `PATCH /api/staff/{id}`: what is left out stays. */
export const StaffUpdate = NewStaff.pick({ name: true, role: true })
  .extend({ disabled: z.boolean({ error: 'Must be true or false' }) })
  .partial()
export type StaffUpdate = z.output<typeof StaffUpdate>

/** The only time that a password is ever shown: it is for the account's owner, who chooses another with it. */
export const Invitation = z.object({
  account: StaffAccount,
  password: z.string(),
  password_expires_at: z.iso.datetime(),
})
export type Invitation = z.infer<typeof Invitation>

export const SHORTEST_PASSWORD = 12

/** A password that somebody chooses. Length is what counts (NIST SP 800-63B, 3.1.1.2). */
export const ChosenPassword = z
  .string({ error: 'Enter a new password' })
  .min(SHORTEST_PASSWORD, `The new password must have ${SHORTEST_PASSWORD} characters or more`)
  .max(200, 'The new password must have 200 characters or fewer')
  .refine((password) => new Set(password).size > 3, 'The new password repeats the same few characters')
