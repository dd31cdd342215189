import { z } from 'zod'
import { defineCall, ROLES, RowParams } from '../../contract/call.ts'
import { Email, line } from '../../contract/forms.ts'

/** The code of an authenticator app. Spaces are ignored, because many apps show one in the middle. */
const TotpCode = z
  .string({ error: 'Enter the code' })
  .max(20, 'Enter the 6 digits of the code')
  .transform((typed) => typed.replace(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'Enter the 6 digits of the code'))

const RecoveryCode = z.string({ error: 'Enter the code' }).trim().min(1, 'Enter a recovery code').max(40)

const exactlyOne = (given: object) => Object.values(given).filter((value) => value !== undefined).length === 1

/** The body of `passSecondStep`: a code of the app, or a recovery code. */
export const SecondStep = z
  .object({ code: TotpCode, recovery_code: RecoveryCode })
  .partial()
  .refine(exactlyOne, { error: 'Enter a code', path: ['code'] })
export type SecondStep = z.output<typeof SecondStep>

/** The body of `confirmIdentity`: the password, or a code of the app. */
export const IdentityConfirmation = z
  .object({
    password: z.string().min(1, 'Enter the password').max(200),
    code: TotpCode,
  })
  .partial()
  .refine(exactlyOne, { error: 'Enter the password', path: ['password'] })
export type IdentityConfirmation = z.input<typeof IdentityConfirmation>

export const SecondFactor = z.object({
  required: z.boolean(),
  /** The time at which the authenticator app was turned on; null if it is off. */
  totp_since: z.iso.datetime().nullable(),
  recovery_codes_left: z.number().int(),
})
export type SecondFactor = z.infer<typeof SecondFactor>

/** A new secret for an authenticator app: in base32, and as the URI of a QR code. */
export const TotpSetup = z.object({ secret: z.string().regex(/^[A-Z2-7]{32}$/), uri: z.string() })
export type TotpSetup = z.infer<typeof TotpSetup>

/** The body of `confirmTotp`: a secret of `setUpTotp`, and the code that the app shows for it. */
const TotpConfirmation = TotpSetup.pick({ secret: true }).extend({ code: TotpCode })

/** New recovery codes, which are shown only once. The earlier ones stop working. */
export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })
export type RecoveryCodes = z.infer<typeof RecoveryCodes>

export const getSecondFactor = defineCall({
  method: 'GET',
  path: '/api/second-factor',
  summary: 'Get the second factor of your account.',
  access: 'viewer',
  beforeSecondFactor: true,
  output: SecondFactor,
})

export const setUpTotp = defineCall({
  method: 'POST',
  path: '/api/second-factor/totp',
  summary: 'Create a secret for an authenticator app. A confirmed code turns the app on.',
  access: 'viewer',
  needsConfirmation: true,
  beforeSecondFactor: true,
  output: TotpSetup,
})

export const confirmTotp = defineCall({
  method: 'POST',
  path: '/api/second-factor/totp/confirm',
  summary: 'Turn the authenticator app on with its code, in place of an earlier app. Answers with new recovery codes.',
  access: 'viewer',
  needsConfirmation: true,
  beforeSecondFactor: true,
  input: { body: TotpConfirmation },
  output: RecoveryCodes,
})

export const removeFactor = defineCall({
  method: 'DELETE',
  path: '/api/second-factor',
  summary: 'Turn the authenticator app off. Its recovery codes stop working.',
  access: 'viewer',
  needsConfirmation: true,
})

export const renewRecoveryCodes = defineCall({
  method: 'POST',
  path: '/api/second-factor/recovery-codes',
  summary: 'Create ten new recovery codes. The earlier ones stop working.',
  access: 'viewer',
  needsConfirmation: true,
  output: RecoveryCodes,
})

/**
 * The roles, lowest first. A viewer reads, with emails and phone numbers masked. An agent sees these, and records
 * opt-outs. A manager changes, deletes, exports, and manages the accounts.
 */
export const StaffRole = z.enum(ROLES)
export type StaffRole = z.infer<typeof StaffRole>

/**
 * The link with which the owner of an account chooses a password. `state` is that of its email until it is sent, or
 * `expired`.
 */
export const StaffLink = z.object({
  kind: z.enum(['invitation', 'reset']),
  state: z.enum(['sending', 'retrying', 'sent', 'failed', 'expired']),
  /** Null until the email is sent. */
  expires_at: z.iso.datetime().nullable(),
  /** The error of the email, in our own words. */
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
  two_step: z.boolean(),
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

export const LinkAnswer = z.object({
  kind: StaffLink.shape.kind,
  name: z.string(),
  email: z.string(),
  expires_at: z.iso.datetime(),
})
export type LinkAnswer = z.infer<typeof LinkAnswer>

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
  summary: 'Create an account. Its owner gets an email with a link to choose a password, valid for 72 hours.',
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
  summary:
    'End the sessions of an account. Also send its owner a link to choose a password, or remove a second factor that was lost.',
  access: 'manager',
  needsConfirmation: true,
  input: { params: RowParams, body: z.object({ what: z.enum(['password', 'factors', 'sessions']) }) },
  output: StaffAccount,
})

export const switchOffSharedPassword = defineCall({
  method: 'DELETE',
  path: '/api/shared-password',
  summary: 'Switch the shared password off. Its sessions end. `npm run staff` switches it on again.',
  access: 'manager',
  needsConfirmation: true,
})
