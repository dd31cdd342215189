import { z } from 'zod'
import { ActionAnswer, defineCall, RowParams } from './call.ts'
import { Email } from './forms.ts'
import { Factor, IdentityConfirmation, PasskeyOptions, PasskeySignIn, SecondStep } from './second-factor.ts'
import { ChosenPassword, LinkAnswer, LinkQuestion, PasswordByLink, StaffRole } from './staff.ts'

const Password = z.string({ error: 'Enter the password' }).min(1, 'Enter the password').max(200)

/** With an e-mail, the password of that account; without, the one that the staff share. */
export const Login = z.object({
  email: z.preprocess((typed) => (typed === '' ? undefined : typed), Email.optional()),
  password: Password,
})

/** Who is signed in. Those who came in with the shared password have no account, and are managers. */
export const Person = z.object({
  id: z.number().int().nullable(),
  name: z.string(),
  email: z.string().nullable(),
  role: StaffRole,
})
export type Person = z.infer<typeof Person>

/** Whether this browser may see the staff's pages, whether that takes a password, who is signed in, and how to. */
export const Session = z.object({
  authenticated: z.boolean(),
  /** The password was right, and the account has these: one of them, or a recovery code, is still to come. */
  second_step: z.array(Factor).optional(),
  /** What the account that is signed in has for the second step. Absent for the shared password. */
  factors: z.array(Factor).optional(),
  /** It must set one up (`REQUIRE_SECOND_FACTOR`), and until then can do nothing else. */
  lacks_factor: z.boolean().optional(),
  access: z.enum(['password', 'open']),
  staff: Person.optional(),
  /** Seconds until the session ends for lack of activity. Absent without a session. */
  idle_seconds_left: z.number().int().optional(),
  /**
   * What can be signed in with: an account, the shared password, a passkey, single sign-on (the words for it). None of the
   * first two: the first account is yet to be made.
   */
  ways: z.object({
    account: z.boolean(),
    shared: z.boolean(),
    passkey: z.boolean().default(false),
    single_sign_on: z.string().nullable().default(null),
  }),
  /** Of the network (an IANA name), in which staff see days and times. */
  time_zone: z.string(),
})
export type Session = z.infer<typeof Session>

/** The body of `POST /api/session/password`. */
export const PasswordChange = z.object({ password: Password, new_password: ChosenPassword })

/** A browser that is signed in. `account` is null for the shared password. Times are ISO 8601. */
export const OpenSession = z.object({
  id: z.number().int(),
  /** The one that asks. */
  current: z.boolean(),
  account: z.object({ id: z.number().int(), name: z.string(), email: z.string(), role: StaffRole }).nullable(),
  created_at: z.iso.datetime(),
  /** The last activity of the person: calls that a page makes by itself do not count. */
  last_seen_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
})
export type OpenSession = z.infer<typeof OpenSession>

/** The query of `GET /api/sessions`: one's own, or everybody's, for managers. */
export const SessionListQuery = z.object({ of: z.enum(['me', 'everybody']).default('me') })
export const SessionList = z.object({ sessions: z.array(OpenSession) })
export type SessionList = z.infer<typeof SessionList>

export const getSession = defineCall({
  method: 'GET',
  path: '/api/session',
  summary: 'Whether this browser is signed in as staff, and as whom.',
  access: 'public',
  noStore: true,
  output: Session,
})

export const signIn = defineCall({
  method: 'POST',
  path: '/api/session',
  summary: 'Sign in with an account, or with the password that the staff share. An account may have a second step.',
  access: 'public',
  noStore: true,
  input: { body: Login },
  output: Session,
})

export const signOut = defineCall({
  method: 'DELETE',
  path: '/api/session',
  summary: 'Sign out.',
  access: 'public',
  noStore: true,
  output: Session,
})

export const passSecondStep = defineCall({
  method: 'POST',
  path: '/api/session/second-step',
  summary: 'Complete a sign-in, after the right password, with a code of your app or a recovery code. Each works once.',
  access: 'public',
  noStore: true,
  input: { body: SecondStep },
  output: Session,
})

export const requestSignInPasskey = defineCall({
  method: 'POST',
  path: '/api/session/passkey/options',
  summary: 'Ask for what a passkey is to sign for a sign-in.',
  access: 'public',
  noStore: true,
  output: PasskeyOptions,
})

export const signInByPasskey = defineCall({
  method: 'POST',
  path: '/api/session/passkey',
  summary: 'Sign in with a passkey, which is both factors at once, or complete a sign-in with it.',
  access: 'public',
  noStore: true,
  input: { body: PasskeySignIn },
  output: Session,
})

export const changePassword = defineCall({
  method: 'POST',
  path: '/api/session/password',
  summary: 'Choose a password of your own. Your other sessions end.',
  access: 'viewer',
  input: { body: PasswordChange },
  output: Session,
})

export const reportActivity = defineCall({
  method: 'POST',
  path: '/api/session/activity',
  summary: 'Say that the person is at work, so that the session stays open. Calls that only read do not say so.',
  access: 'viewer',
  beforeSecondFactor: true,
  output: Session,
})

export const confirmIdentity = defineCall({
  method: 'POST',
  path: '/api/session/confirm',
  summary:
    'Confirm your identity with your password, a code of your app or a passkey, which sensitive calls ask for after ten minutes.',
  access: 'viewer',
  beforeSecondFactor: true,
  input: { body: IdentityConfirmation },
  output: Session,
})

export const requestConfirmationPasskey = defineCall({
  method: 'POST',
  path: '/api/session/confirm/passkey',
  summary: 'Ask for what a passkey is to sign for the confirmation of your identity.',
  access: 'viewer',
  beforeSecondFactor: true,
  output: PasskeyOptions,
})

export const checkConfirmed = defineCall({
  method: 'GET',
  path: '/api/session/confirmed',
  summary: 'Whether your identity is confirmed: refused with `confirm_identity` if not. Made before a download.',
  access: 'viewer',
  needsConfirmation: true,
  output: ActionAnswer,
})

export const findStaffLink = defineCall({
  method: 'POST',
  path: '/api/session/link',
  summary: 'Whose link to choose a password this is.',
  access: 'public',
  noStore: true,
  input: { body: LinkQuestion },
  output: LinkAnswer,
})

export const choosePassword = defineCall({
  method: 'POST',
  path: '/api/session/link/password',
  summary: 'Choose a password with a link from an e-mail, and sign in. The link works once; your sessions end.',
  access: 'public',
  noStore: true,
  input: { body: PasswordByLink },
  output: Session,
})

export const listSessions = defineCall({
  method: 'GET',
  path: '/api/sessions',
  summary: 'The browsers that are signed in: your own, or everybody’s for managers.',
  access: 'viewer',
  input: { query: SessionListQuery },
  output: SessionList,
})

export const endSession = defineCall({
  method: 'DELETE',
  path: '/api/sessions/:id',
  summary: 'End a session: your own, or anybody’s for managers, who confirm their identity for it.',
  access: 'viewer',
  input: { params: RowParams },
  output: ActionAnswer,
})
