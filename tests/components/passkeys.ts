import { afterEach, beforeEach, vi } from 'vitest'

/** Three bytes, which are `AAAA` in base64url. */
const BYTES = new Uint8Array(3).buffer

/** What a page answers a server with of such a passkey. */
export const ASSERTION = { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA', userHandle: 'AAAA' }
/** The options of a server for a new passkey. */
export const CREATION = { challenge: 'AAAA', user: { id: 'AAAA' } }

const credentialOf = (response: object) => ({
  ...{ id: 'AAAA', rawId: BYTES, type: 'public-key' },
  response: { clientDataJSON: BYTES, ...response },
  getClientExtensionResults: () => ({}),
})
/** A passkey that the browser has made, and one that it has used. */
export const MADE = credentialOf({ attestationObject: BYTES, getTransports: () => ['internal'] })
export const USED = credentialOf({ authenticatorData: BYTES, signature: BYTES, userHandle: BYTES })

/** Gives the DOM of a file's tests the passkeys of a browser, which happy-dom has not: each test says what they answer. */
export function usePasskeys() {
  const credentials = { create: vi.fn(), get: vi.fn() }
  beforeEach(() => {
    vi.stubGlobal('PublicKeyCredential', class {})
    Object.defineProperty(navigator, 'credentials', { configurable: true, value: credentials })
  })
  afterEach(() => {
    vi.unstubAllGlobals()
    Reflect.deleteProperty(navigator, 'credentials')
    vi.resetAllMocks()
  })
  return credentials
}
