import { z } from 'zod'
import { Email } from './forms.ts'
import { Factor } from './second-factor.ts'
import { ChosenPassword, StaffRole } from './staff.ts'

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
