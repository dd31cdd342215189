import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a link in an e-mail about a clinic's address does, and to which change of `clinic_addresses`. */
export type AddressLink = { does: 'confirm' | 'undo'; changeId: number }

/** `confirm` and `undo` as the first byte. */
const ACTS = ['confirm', 'undo'] as const
/** In bytes: the act, the change. */
const CONTENT = 1 + 4
/** In bytes. Tokens are as long as those of `provider-emails.ts`, which the same page takes. */
const TOKEN = 32

/**
 * Signs the token of a link: 32 bytes as base64url. Nothing is stored for it, so that every attempt sends the same link. It
 * works as long as its change can be confirmed or undone.
 * @param key of the purpose `address-link` (`deriveKey`)
 */
export function signAddressLink(key: Buffer, { does, changeId }: AddressLink): string {
  const content = Buffer.alloc(CONTENT)
  content.writeUInt8(ACTS.indexOf(does), 0)
  content.writeUInt32BE(changeId, 1)
  return Buffer.concat([content, macOf(key, content)]).toString('base64url')
}

/** Returns the content of a token. Returns null unless its signature is ours. */
export function readAddressLink(key: Buffer, token: string): AddressLink | null {
  const given = Buffer.from(token, 'base64url')
  const bytes = given.length === TOKEN ? given : Buffer.alloc(TOKEN)
  const content = bytes.subarray(0, CONTENT)
  if (!timingSafeEqual(bytes.subarray(CONTENT), macOf(key, content))) return null
  const does = ACTS[content.readUInt8(0)]
  return does ? { does, changeId: content.readUInt32BE(1) } : null
}

const macOf = (key: Buffer, content: Buffer) =>
  createHmac('sha256', key)
    .update(content)
    .digest()
    .subarray(0, TOKEN - CONTENT)
