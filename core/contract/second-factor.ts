import { z } from 'zod'
import { ActionAnswer, defineCall, RowParams } from './call.ts'
import { line } from './forms.ts'

/** What an account can pass the second step of a sign-in with: an authenticator app, or a passkey. */
export const Factor = z.enum(['totp', 'passkey'])
export type Factor = z.infer<typeof Factor>

/** The code that an authenticator app shows. Many show it, and people type it, with a space in the middle. */
export const TotpCode = z
  .string({ error: 'Enter the code' })
  .max(20, 'Enter the 6 digits of the code')
  .transform((typed) => typed.replace(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'Enter the 6 digits of the code'))

const RecoveryCode = z.string({ error: 'Enter the code' }).trim().min(1, 'Enter a recovery code').max(40)

const Bytes = z
  .string()
  .regex(/^[\w-]*$/)
  .max(16_000)
const Credential = z.object({
  id: Bytes,
  rawId: Bytes,
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}).default({}),
})

/** What a browser answers when it was asked for a passkey (WebAuthn, `AuthenticationResponseJSON`). */
export const PasskeyAnswer = Credential.extend({
  response: z.object({
    clientDataJSON: Bytes,
    authenticatorData: Bytes,
    signature: Bytes,
    userHandle: Bytes.optional(),
  }),
})
export type PasskeyAnswer = z.output<typeof PasskeyAnswer>

/** What a browser is asked with: the JSON of WebAuthn's options, which the server makes and the browser takes as it is. */
export const PasskeyOptions = z.looseObject({ challenge: z.string() })
export type PasskeyOptions = z.infer<typeof PasskeyOptions>

const exactlyOne = (given: object) => Object.values(given).filter((value) => value !== undefined).length === 1

/** The body of `POST /api/session/second-step`: a code of the app, or one of the recovery codes. */
export const SecondStep = z
  .object({ code: TotpCode, recovery_code: RecoveryCode })
  .partial()
  .refine(exactlyOne, { error: 'Enter a code', path: ['code'] })
export type SecondStep = z.output<typeof SecondStep>

/** The body of `POST /api/session/passkey`. */
export const PasskeySignIn = z.object({ passkey: PasskeyAnswer })

/** The body of `POST /api/session/confirm`: one's password, a code of the app, or a passkey. */
export const IdentityConfirmation = z
  .object({
    password: z.string().min(1, 'Enter the password').max(200),
    code: TotpCode,
    passkey: PasskeyAnswer,
  })
  .partial()
  .refine(exactlyOne, { error: 'Enter the password', path: ['password'] })
export type IdentityConfirmation = z.input<typeof IdentityConfirmation>

/** A passkey of one's own. Times are ISO 8601. */
export const Passkey = z.object({
  id: z.number().int(),
  name: z.string(),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
})
export type Passkey = z.infer<typeof Passkey>

/** What one's own account has for the second step. */
export const SecondFactor = z.object({
  /** Whether the account must have one (`REQUIRE_SECOND_FACTOR`). */
  required: z.boolean(),
  /** Since when the authenticator app is on; null when it is not. */
  totp_since: z.iso.datetime().nullable(),
  passkeys: z.array(Passkey),
  recovery_codes_left: z.number().int(),
})
export type SecondFactor = z.infer<typeof SecondFactor>

/** A new secret for an authenticator app: in base32, and as the address that a QR code holds. */
export const TotpSetup = z.object({ secret: z.string(), uri: z.string() })
export type TotpSetup = z.infer<typeof TotpSetup>

/** The body of `POST /api/second-factor/totp/confirm`. */
export const TotpConfirmation = z.object({ code: TotpCode })

/** The body of `POST /api/second-factor/passkeys` (WebAuthn, `RegistrationResponseJSON`). */
export const NewPasskey = z.object({
  name: line('Name', 60),
  passkey: Credential.extend({
    response: z.object({
      clientDataJSON: Bytes,
      attestationObject: Bytes,
      transports: z.array(z.string().max(40)).max(10).default([]),
    }),
  }),
})
export type NewPasskey = z.output<typeof NewPasskey>

/** Recovery codes, which are shown this once. Null where the account has some already. */
export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()).nullable() })
export type RecoveryCodes = z.infer<typeof RecoveryCodes>

export const getSecondFactor = defineCall({
  method: 'GET',
  path: '/api/second-factor',
  summary: 'What your account has for two-step sign-in.',
  access: 'viewer',
  beforeSecondFactor: true,
  output: SecondFactor,
})

export const setUpTotp = defineCall({
  method: 'POST',
  path: '/api/second-factor/totp',
  summary: 'Make the secret for an authenticator app, which is on once a code of it was confirmed.',
  access: 'viewer',
  needsConfirmation: true,
  beforeSecondFactor: true,
  output: TotpSetup,
})

export const confirmTotp = defineCall({
  method: 'POST',
  path: '/api/second-factor/totp/confirm',
  summary: 'Turn the authenticator app on with a code that it shows. The first factor comes with recovery codes.',
  access: 'viewer',
  needsConfirmation: true,
  beforeSecondFactor: true,
  input: { body: TotpConfirmation },
  output: RecoveryCodes,
})

export const removeTotp = defineCall({
  method: 'DELETE',
  path: '/api/second-factor/totp',
  summary: 'Turn the authenticator app off.',
  access: 'viewer',
  needsConfirmation: true,
  output: ActionAnswer,
})

export const requestNewPasskey = defineCall({
  method: 'POST',
  path: '/api/second-factor/passkeys/options',
  summary: 'Ask for what a browser makes a passkey with.',
  access: 'viewer',
  needsConfirmation: true,
  beforeSecondFactor: true,
  output: PasskeyOptions,
})

export const addPasskey = defineCall({
  method: 'POST',
  path: '/api/second-factor/passkeys',
  summary: 'Add the passkey that the browser has made. The first factor comes with recovery codes.',
  access: 'viewer',
  needsConfirmation: true,
  beforeSecondFactor: true,
  input: { body: NewPasskey },
  output: RecoveryCodes,
})

export const removePasskey = defineCall({
  method: 'DELETE',
  path: '/api/second-factor/passkeys/:id',
  summary: 'Remove a passkey of yours.',
  access: 'viewer',
  needsConfirmation: true,
  input: { params: RowParams },
  output: ActionAnswer,
})

export const renewRecoveryCodes = defineCall({
  method: 'POST',
  path: '/api/second-factor/recovery-codes',
  summary: 'Make ten new recovery codes. The earlier ones end.',
  access: 'viewer',
  needsConfirmation: true,
  output: RecoveryCodes,
})
