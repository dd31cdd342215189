import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** The flags of an authenticator. A real one sets the first two together, after a fingerprint or a PIN. */
type Told = {
  isPresent?: boolean
  isVerified?: boolean
  origin?: string
  rpId?: string
  counter?: number
  userHandle?: string
}

const FLAGS = { present: 0x01, verified: 0x04, hasCredential: 0x40 }

/** A passkey in software, which answers as a browser does (WebAuthn, ES256, no attestation). */
export class Authenticator {
  readonly id = randomBytes(16)
  private readonly key: { privateKey: KeyObject; publicKey: KeyObject } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
  })
  private userHandle = ''

  private readonly site: string

  constructor(site = 'http://localhost:3000') {
    this.site = site
  }

  /** Answers the options of a registration. */
  // biome-ignore lint/suspicious/noExplicitAny: options as the server's JSON has them
  create(options: any, told: Told = {}) {
    this.userHandle = options.user.id
    const credential = Buffer.concat([Buffer.alloc(16), uint16(this.id.length), this.id, this.coseKey()])
    const authData = Buffer.concat([this.authData({ ...told, flags: FLAGS.hasCredential }), credential])
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ])
    return this.answer({
      clientDataJSON: this.clientData('webauthn.create', options.challenge, told),
      attestationObject: base64url(isoCBOR.encode(attestation as never)),
      transports: ['internal'],
    })
  }

  /** Answers the options of an authentication. */
  get(options: { challenge: string }, told: Told = {}) {
    const authData = this.authData(told)
    const clientDataJSON = this.clientData('webauthn.get', options.challenge, told)
    const signed = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, 'base64url'))])
    return this.answer({
      clientDataJSON,
      authenticatorData: base64url(authData),
      signature: base64url(sign('sha256', signed, this.key.privateKey)),
      userHandle: told.userHandle ?? this.userHandle,
    })
  }

  private answer<Response>(response: Response) {
    const id = base64url(this.id)
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }

  private clientData(type: string, challenge: string, { origin = this.site }: Told): string {
    return base64url(Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })))
  }

  private authData({ isPresent = true, isVerified = true, rpId, counter = 0, flags = 0 }: Told & { flags?: number }) {
    const set = flags | (isPresent ? FLAGS.present : 0) | (isVerified ? FLAGS.verified : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(Buffer.from(rpId ?? new URL(this.site).hostname)), Buffer.from([set]), count])
  }

  /** The public key as COSE (RFC 9053, 7.1.1). */
  private coseKey(): Buffer {
    const { x = '', y = '' } = this.key.publicKey.export({ format: 'jwk' })
    const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
    const key = new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ])
    return Buffer.from(isoCBOR.encode(key as never))
  }
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest()
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}
