import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import type { NewPasskey, PasskeyAnswer, PasskeyOptions } from '../../../core/staff/contract/staff.ts'

/** Returns whether this browser supports passkeys. */
export const canUsePasskeys = browserSupportsWebAuthn

/**
 * Creates a passkey on this device or on another one that the person chooses. @throws Error with a sentence if the
 * person cancels or the device cannot
 */
export async function createPasskey(options: PasskeyOptions): Promise<NewPasskey['passkey']> {
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  const made = await startRegistration({ optionsJSON }).catch((error: Error) => {
    // The device already has one of the excluded passkeys (WebAuthn, 5.1.3).
    if (error.name === 'InvalidStateError') throw new Error('This device has a passkey for your account already.')
    throw new Error('No passkey was made. Please try again.')
  })
  return made as unknown as NewPasskey['passkey']
}

/** Asks for a passkey. @throws Error with a sentence if the person does not use one */
export async function askForPasskey(options: PasskeyOptions): Promise<PasskeyAnswer> {
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  const answer = await startAuthentication({ optionsJSON }).catch(() => {
    throw new Error('No passkey was used. Please try again.')
  })
  return answer as unknown as PasskeyAnswer
}
