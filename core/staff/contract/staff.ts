import { z } from 'zod'
import { ActionAnswer, defineCall, ROLES, RowParams } from '../../contract/call.ts'
import { Email, line } from '../../contract/forms.ts'
import { Factor } from './second-factor.ts'

/**
 * The roles, lowest first. A viewer reads, with e-mails and phone numbers masked. An agent sees these, and records
 * opt-outs. A manager changes, deletes, exports, and manages the accounts.
 */
export const StaffRole = z.enum(ROLES)
export type StaffRole = z.infer<typeof StaffRole>

/**
 * The link with which the owner of an account chooses a password. `state` is that of its e-mail until it is sent, or
 * `expired`.
 */
export const StaffLink = z.object({
  kind: z.enum(['invitation', 'reset']),
  state: z.enum(['sending', 'retrying', 'sent', 'failed', 'expired']),
  /** Null until the e-mail is sent. */
  expires_at: z.iso.datetime().nullable(),
  /** The error of the e-mail, in our own words. */
  error: z.string().nullable(),
})
export type StaffLink = z.infer<typeof StaffLink>

/** A staff account, for managers. Times are ISO 8601. */
export const StaffAccount = z.object({
  id: z.number().int(),
  name: z.string(),
  /** Never changes, because the audit log identifies accounts by it. */
  email: z.string(),
  role: StaffRole,
  created_at: z.iso.datetime(),
  disabled_at: z.iso.datetime().nullable(),
  /** False until the owner has chosen one, and after a reset. */
  has_password: z.boolean(),
  link: StaffLink.nullable(),
  /** The second factors of the account. */
  factors: z.array(Factor),
  /** The last activity in the sessions that are still stored. */
  last_seen_at: z.iso.datetime().nullable(),
  open_sessions: z.number().int(),
})
export type StaffAccount = z.infer<typeof StaffAccount>

/** The shared password: `none` is set (ADMIN_PASSWORD), or it is switched `on` or `off`. */
export const SharedPassword = z.object({
  state: z.enum(['none', 'on', 'off']),
  /** Whether an enabled manager has a password of their own, so that it can be switched off. */
  can_switch_off: z.boolean(),
})
export type SharedPassword = z.infer<typeof SharedPassword>

export const StaffList = z.object({ staff: z.array(StaffAccount), shared_password: SharedPassword })
export type StaffList = z.infer<typeof StaffList>

/** The body of `addStaff`. */
export const NewStaff = z.object({
  name: line('Name', 100),
  email: Email,
  role: z.enum(StaffRole.enum, { error: 'Choose a role: viewer, agent or manager' }),
})
export type NewStaff = z.output<typeof NewStaff>

/** The body of `updateStaff`. Missing fields stay unchanged. */
export const StaffUpdate = NewStaff.pick({ name: true, role: true })
  .extend({ disabled: z.boolean({ error: 'Must be true or false' }) })
  .partial()
export type StaffUpdate = z.output<typeof StaffUpdate>

export const MIN_PASSWORD_LENGTH = 12

/**
 * A new password. Only its length is restricted (NIST SP 800-63B, 3.1.1.2). The server also refuses passwords that are
 * easy to guess (`core/platform/passwords.ts`).
 */
export const ChosenPassword = z
  .string({ error: 'Enter a new password' })
  .min(MIN_PASSWORD_LENGTH, `The new password must have ${MIN_PASSWORD_LENGTH} characters or more`)
  .max(200, 'The new password must have 200 characters or fewer')

const LinkToken = z.string().min(1).max(200)

/** The body of `findStaffLink`. The token is in the body, because URLs are logged. */
export const LinkQuestion = z.object({ token: LinkToken })

/** The owner of a link. */
export const LinkAnswer = z.object({
  kind: StaffLink.shape.kind,
  name: z.string(),
  email: z.string(),
  expires_at: z.iso.datetime(),
})
export type LinkAnswer = z.infer<typeof LinkAnswer>

/** The body of `choosePassword`. */
export const PasswordByLink = z.object({ token: LinkToken, new_password: ChosenPassword })

export const listStaff = defineCall({
  method: 'GET',
  path: '/api/staff',
  summary: 'List the staff accounts.',
  access: 'manager',
  output: StaffList,
})

export const addStaff = defineCall({
  method: 'POST',
  path: '/api/staff',
  summary: 'Create an account. Its owner gets an e-mail with a link to choose a password, valid for 72 hours.',
  access: 'manager',
  needsConfirmation: true,
  input: { body: NewStaff },
  output: StaffAccount,
  status: 201,
})

export const updateStaff = defineCall({
  method: 'PATCH',
  path: '/api/staff/:id',
  summary: 'Change the name or role of an account, disable or enable it. Disabling ends its sessions.',
  access: 'manager',
  needsConfirmation: true,
  input: { params: RowParams, body: StaffUpdate },
  output: StaffAccount,
})

export const resetSignIn = defineCall({
  method: 'POST',
  path: '/api/staff/:id/reset',
  summary: 'Send the owner a new link to choose a password, or remove second factors that were lost. The sessions end.',
  access: 'manager',
  needsConfirmation: true,
  input: { params: RowParams, body: z.object({ what: z.enum(['password', 'factors']) }) },
  output: StaffAccount,
})

export const switchOffSharedPassword = defineCall({
  method: 'DELETE',
  path: '/api/shared-password',
  summary: 'Switch the shared password off. Its sessions end. `npm run staff` switches it on again.',
  access: 'manager',
  needsConfirmation: true,
  output: ActionAnswer,
})
