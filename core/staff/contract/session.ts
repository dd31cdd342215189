import { z } from 'zod'
import { defineCall, RowParams } from '../../contract/call.ts'
import { Email } from '../../contract/forms.ts'
import { IdentityConfirmation, LinkAnswer, LinkQuestion, PasswordByLink, SecondStep, StaffRole } from './staff.ts'

const Password = z.string({ error: 'Enter the password' }).min(1, 'Enter the password').max(200)

/** The body of `signIn`. Without an email, the password is the shared one. */
export const Login = z.object({
  email: z.preprocess((typed) => (typed === '' ? undefined : typed), Email.optional()),
  password: Password,
})

/** A signed-in person. The shared password stands for a manager without an account. */
export const Person = z.object({
  id: z.number().int().nullable(),
  name: z.string(),
  email: z.string().nullable(),
  role: StaffRole,
})
export type Person = z.infer<typeof Person>

/** The session of this browser, and the available ways to sign in. */
export const Session = z.object({
  authenticated: z.boolean(),
  /** The password was right, and the second step is pending. */
  second_step: z.literal(true).optional(),
  /** Whether the signed-in account has a second factor. Absent for the shared password. */
  two_step: z.boolean().optional(),
  /** The account must set up a second factor before any other call (`REQUIRE_SECOND_FACTOR`). */
  lacks_factor: z.boolean().optional(),
  access: z.enum(['password', 'open']),
  staff: Person.optional(),
  /** Seconds until the idle timeout of the session. Absent without a session. */
  idle_seconds_left: z.number().int().optional(),
  /** Whether the identity was confirmed within the last ten minutes, as sensitive calls need. Absent without a session. */
  identity_confirmed: z.boolean().optional(),
  /**
   * The available ways to sign in; `single_sign_on` is its label. If neither `account` nor `shared` is available, the
   * first account has to be created.
   */
  ways: z.object({
    account: z.boolean(),
    shared: z.boolean(),
    single_sign_on: z.string().nullable().default(null),
  }),
  /** The network's time zone (an IANA name), in which days and times are shown. */
  time_zone: z.string(),
})
export type Session = z.infer<typeof Session>

/** A browser that is signed in. Times are ISO 8601. */
export const OpenSession = z.object({
  id: z.number().int(),
  current: z.boolean(),
  created_at: z.iso.datetime(),
  /** The last activity of the person. Automatic calls of a page do not count. */
  last_seen_at: z.iso.datetime(),
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
})
export type OpenSession = z.infer<typeof OpenSession>

export const SessionList = z.object({ sessions: z.array(OpenSession) })

export const getSession = defineCall({
  method: 'GET',
  path: '/api/session',
  summary: 'Get the session of this browser, and the available ways to sign in.',
  access: 'public',
  noStore: true,
  output: Session,
})

export const signIn = defineCall({
  method: 'POST',
  path: '/api/session',
  summary: 'Sign in with an account, or with the shared password. An account may need a second step.',
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
  summary: 'Complete a sign-in with a code of your app or a recovery code. A code works once.',
  access: 'public',
  noStore: true,
  input: { body: SecondStep },
  output: Session,
})

export const reportActivity = defineCall({
  method: 'POST',
  path: '/api/session/activity',
  summary: 'Report activity of the person, which keeps the session open. Calls that only read do not.',
  access: 'viewer',
  beforeSecondFactor: true,
  output: Session,
})

export const confirmIdentity = defineCall({
  method: 'POST',
  path: '/api/session/confirm',
  summary:
    'Confirm your identity with your password or a code of your app. Sensitive calls need a confirmation of the last ten minutes.',
  access: 'viewer',
  beforeSecondFactor: true,
  input: { body: IdentityConfirmation },
  output: Session,
})

export const requestReset = defineCall({
  method: 'POST',
  path: '/api/session/reset',
  summary: 'Email the owner of an account a link to choose a new password. Answers the same without such an account.',
  access: 'public',
  noStore: true,
  input: { body: z.object({ email: Email }) },
})

export const findStaffLink = defineCall({
  method: 'POST',
  path: '/api/session/link',
  summary: 'Get the owner of a link to choose a password.',
  access: 'public',
  noStore: true,
  input: { body: LinkQuestion },
  output: LinkAnswer,
})

export const choosePassword = defineCall({
  method: 'POST',
  path: '/api/session/link/password',
  summary: 'Choose a password with a link from an email, and sign in. A link works once. Your other sessions end.',
  access: 'public',
  noStore: true,
  input: { body: PasswordByLink },
  output: Session,
})

export const listSessions = defineCall({
  method: 'GET',
  path: '/api/sessions',
  summary: 'List your open sessions.',
  access: 'viewer',
  output: SessionList,
})

export const endSession = defineCall({
  method: 'DELETE',
  path: '/api/sessions/:id',
  summary: 'End one of your sessions.',
  access: 'viewer',
  input: { params: RowParams },
})

/** The reasons for which single sign-on fails. The sign-in page explains them. */
export const SINGLE_SIGN_ON_PROBLEMS = {
  unavailable: 'Single sign-on cannot be reached at the moment. Please try again, or sign in with a password.',
  refused: 'Single sign-on did not work. Please try again.',
  cancelled: 'You cancelled the sign-in.',
  expired: 'That took too long, or began in another browser. Please try again.',
  unverified: 'Your identity provider has not verified your email address. Ask your administrator.',
  unknown: 'There is no account for you here. Ask a manager to add one.',
  linked: 'Your account here belongs to another person of single sign-on. Ask a manager.',
} as const
export type SingleSignOnProblem = keyof typeof SINGLE_SIGN_ON_PROBLEMS

/** The path at which single sign-on starts. */
export const SINGLE_SIGN_ON_PATH = '/admin/sso'
/** The redirect path after PUBLIC_URL, which must be registered at the provider. */
export const SINGLE_SIGN_ON_CALLBACK = '/admin/sso/callback'
/** The query parameter of the dashboard with the result: a problem, or `done`. */
export const SINGLE_SIGN_ON_RESULT = 'sso'

export const SINGLE_SIGN_ON = 'Sign in with single sign-on'

const BROWSERS: [RegExp, string][] = [
  [/Edg(A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const SYSTEMS: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** Returns the name of a browser and its system, such as `Chrome on Windows`. */
export function deviceName(userAgent: string | null): string {
  const nameIn = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)]
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? 'Unknown browser'
}
