import { z } from 'zod'
import { ActionAnswer, defineCall, RowParams } from '../../contract/call.ts'
import { line } from '../../contract/forms.ts'

/** The second factors of a sign-in: an authenticator app, or a passkey. */
export const Factor = z.enum(['totp', 'passkey'])
export type Factor = z.infer<typeof Factor>

/** The code of an authenticator app. Spaces are ignored, because many apps show one in the middle. */
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

/** The answer of a browser to a passkey request (WebAuthn, `AuthenticationResponseJSON`). */
export const PasskeyAnswer = Credential.extend({
  response: z.object({
    clientDataJSON: Bytes,
    authenticatorData: Bytes,
    signature: Bytes,
    userHandle: Bytes.optional(),
  }),
})
export type PasskeyAnswer = z.output<typeof PasskeyAnswer>

/** The WebAuthn options of a passkey request. The browser uses them unchanged. */
export const PasskeyOptions = z.looseObject({ challenge: z.string() })
export type PasskeyOptions = z.infer<typeof PasskeyOptions>

const exactlyOne = (given: object) => Object.values(given).filter((value) => value !== undefined).length === 1

/** The body of `passSecondStep`: a code of the app, or a recovery code. */
export const SecondStep = z
  .object({ code: TotpCode, recovery_code: RecoveryCode })
  .partial()
  .refine(exactlyOne, { error: 'Enter a code', path: ['code'] })
export type SecondStep = z.output<typeof SecondStep>

/** The body of `signInByPasskey`. */
export const PasskeySignIn = z.object({ passkey: PasskeyAnswer })

/** The body of `confirmIdentity`: the password, a code of the app, or a passkey. */
export const IdentityConfirmation = z
  .object({
    password: z.string().min(1, 'Enter the password').max(200),
    code: TotpCode,
    passkey: PasskeyAnswer,
  })
  .partial()
  .refine(exactlyOne, { error: 'Enter the password', path: ['password'] })
export type IdentityConfirmation = z.input<typeof IdentityConfirmation>

/** A passkey of an account. Times are ISO 8601. */
export const Passkey = z.object({
  id: z.number().int(),
  name: z.string(),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
})
export type Passkey = z.infer<typeof Passkey>

/** The second factors of an account. */
export const SecondFactor = z.object({
  /** Whether the account must have a second factor (`REQUIRE_SECOND_FACTOR`). */
  required: z.boolean(),
  /** The time at which the authenticator app was turned on; null if it is off. */
  totp_since: z.iso.datetime().nullable(),
  passkeys: z.array(Passkey),
  recovery_codes_left: z.number().int(),
})
export type SecondFactor = z.infer<typeof SecondFactor>

/** A new secret for an authenticator app: in base32, and as the URI of a QR code. */
export const TotpSetup = z.object({ secret: z.string(), uri: z.string() })
export type TotpSetup = z.infer<typeof TotpSetup>

/** The body of `confirmTotp`. */
export const TotpConfirmation = z.object({ code: TotpCode })

/** The body of `addPasskey` (WebAuthn, `RegistrationResponseJSON`). */
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

/** New recovery codes, which are shown only once; null if the account already has some. */
export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()).nullable() })
export type RecoveryCodes = z.infer<typeof RecoveryCodes>

export const getSecondFactor = defineCall({
  method: 'GET',
  path: '/api/second-factor',
  summary: 'Get the second factors of your account.',
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
  summary: 'Turn the authenticator app on with its code. With the first factor, the answer has recovery codes.',
  access: 'viewer',
  needsConfirmation: true,
  beforeSecondFactor: true,
  input: { body: TotpConfirmation },
  output: RecoveryCodes,
})

export const requestNewPasskey = defineCall({
  method: 'POST',
  path: '/api/second-factor/passkeys/options',
  summary: 'Get the options for creating a passkey.',
  access: 'viewer',
  needsConfirmation: true,
  beforeSecondFactor: true,
  output: PasskeyOptions,
})

export const addPasskey = defineCall({
  method: 'POST',
  path: '/api/second-factor/passkeys',
  summary: 'Add a passkey. With the first factor, the answer has recovery codes.',
  access: 'viewer',
  needsConfirmation: true,
  beforeSecondFactor: true,
  input: { body: NewPasskey },
  output: RecoveryCodes,
})

export const removeFactor = defineCall({
  method: 'DELETE',
  path: '/api/second-factor/:id',
  summary: 'Turn the authenticator app off (`totp`), or remove one of your passkeys.',
  access: 'viewer',
  needsConfirmation: true,
  input: { params: z.object({ id: z.union([z.literal('totp'), RowParams.shape.id]) }) },
  output: ActionAnswer,
})

export const renewRecoveryCodes = defineCall({
  method: 'POST',
  path: '/api/second-factor/recovery-codes',
  summary: 'Create ten new recovery codes. The earlier ones stop working.',
  access: 'viewer',
  needsConfirmation: true,
  output: RecoveryCodes,
})
