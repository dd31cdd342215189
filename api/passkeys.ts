import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { brand } from '../core/brand/brand.ts'
import { AppError } from '../core/errors.ts'
import { deriveKey, keyedHash } from '../core/platform/data-key.ts'
import type { NewPasskey, PasskeyAnswer, PasskeyOptions } from '../core/staff/contract/staff.ts'
import * as auditLog from '../core/staff/stores/audit-log.ts'
import * as factors from '../core/staff/stores/staff-factors.ts'
import * as staffSessions from '../core/staff/stores/staff-sessions.ts'
import type { Services } from './services.ts'

/** The account whose passkey signed a challenge. */
export type Proof = { accountId: number; email: string }

/**
 * Creates and verifies passkeys (WebAuthn). Each is discoverable and verifies the person by fingerprint, face or PIN, so it
 * is both factors at once. Challenges belong to one browser, known by `token`, and are answered once.
 */
export function createPasskeys({ db, env }: Pick<Services, 'db' | 'env'>) {
  const { hostname: rpID, origin } = new URL(env.PUBLIC_URL)
  const key = deriveKey(env.DATA_KEY, 'second-factor')
  /** Returns the user handle of an account, which reveals nothing about the person (WebAuthn, 14.6.1). */
  const handleOf = (accountId: number) => Buffer.from(keyedHash(key, `user handle of account ${accountId}`), 'hex')

  /** Verifies a signed challenge. Returns the account of the passkey, or null. */
  async function verify(token: string, purpose: 'sign-in' | 'confirm', answer: PasskeyAnswer): Promise<Proof | null> {
    const challenge = await staffSessions.takeChallenge(db, token, purpose)
    const found = await factors.findCredential(db, answer.id)
    if (!challenge || !found) return null
    const { accountId, email, credential } = found
    const verified = await verifyAuthenticationResponse({
      response: answer as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      credential,
      requireUserVerification: true,
    }).catch(() => null)
    const isRight =
      verified?.verified &&
      answer.response.userHandle === handleOf(accountId).toString('base64url') &&
      (await factors.countPasskeyUse(db, credential.id, verified.authenticationInfo.newCounter))
    if (!isRight) {
      await auditLog.countFailedSignIn(db, accountId, 'passkey')
      return null
    }
    return { accountId, email }
  }

  return {
    /** Returns the options for signing a challenge with a passkey of one account, or with any passkey. */
    async request(token: string, purpose: 'sign-in' | 'confirm', accountId: number | null): Promise<PasskeyOptions> {
      const allowed = accountId === null ? undefined : await factors.credentials(db, accountId)
      const options = await generateAuthenticationOptions({
        rpID,
        userVerification: 'required',
        allowCredentials: allowed,
      })
      await staffSessions.putChallenge(db, token, purpose, options.challenge)
      return { ...options }
    },

    verify,

    /** Returns the options for creating a passkey of an account. */
    async creation(token: string, { accountId, email }: Proof, name: string): Promise<PasskeyOptions> {
      const options = await generateRegistrationOptions({
        rpID,
        rpName: brand.company,
        userID: new Uint8Array(handleOf(accountId)),
        userName: email,
        userDisplayName: name,
        excludeCredentials: await factors.credentials(db, accountId),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      await staffSessions.putChallenge(db, token, 'add', options.challenge)
      return { ...options }
    },

    /** Verifies a created passkey and returns its credential. @throws AppError `invalid` if it is refused */
    async read(token: string, passkey: NewPasskey['passkey']): Promise<factors.Credential> {
      const refused = () => new AppError('invalid', 'This passkey could not be added. Please try again.')
      const challenge = await staffSessions.takeChallenge(db, token, 'add')
      if (challenge === null) throw refused()
      const { registrationInfo } = await verifyRegistrationResponse({
        response: passkey as RegistrationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpID,
        requireUserVerification: true,
      }).catch(() => ({ registrationInfo: undefined }))
      if (!registrationInfo) throw refused()
      const { id, publicKey, counter } = registrationInfo.credential
      return { id, publicKey, counter, transports: passkey.response.transports }
    },
  }
}
