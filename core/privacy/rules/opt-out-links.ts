import { z } from 'zod'
import { signedLink } from '../../platform/signed-links.ts'
import type { PersonHash } from './person-hash.ts'

/**
 * The content of a link's token: the mailbox that asks for no contact and the lead whose email had the link; or the opt-
 * out that a clinic confirms.
 */
export type OptOutLink =
  | { of: 'person'; leadId: number | null; hashes: PersonHash[] }
  | { of: 'clinic'; optOutId: number }

/** The first letter of a packed hash. Tokens of earlier versions also have that of a phone number, `p`, which is ignored. */
const EMAIL = 'e'

/**
 * A link by which contact is stopped. It contains the hash of the mailbox that gets it, and no other one, so it works after the
 * lead's deletion. It proves that mailbox and nothing else: anybody could have typed the phone number of the form. It does not
 * expire, because the right to stop does not. Its key is of the purpose `opt-out-link`.
 */
export const optOutLink = signedLink<OptOutLink>({
  say: (link) =>
    link.of === 'clinic'
      ? [link.of, link.optOutId]
      : [link.of, link.leadId ?? '', ...link.hashes.filter(({ kind }) => kind === 'email').map(packed)],
  schema: z.union([
    z.tuple([z.literal('clinic'), z.coerce.number<string>()]).transform(([of, optOutId]) => ({ of, optOutId })),
    z.tuple([z.literal('person'), z.string()], z.string()).transform(([of, id, ...hashes], { issues }) => {
      const ofEmail = hashes.filter((hash) => hash.startsWith(EMAIL))
      if (ofEmail.length === 0) issues.push({ code: 'custom', input: hashes })
      return { of, leadId: id ? Number(id) : null, hashes: ofEmail.map(unpacked) }
    }),
  ]),
})

const packed = ({ hash }: PersonHash) => EMAIL + Buffer.from(hash, 'hex').toString('base64url')

const unpacked = (text: string): PersonHash => ({
  kind: 'email',
  hash: Buffer.from(text.slice(EMAIL.length), 'base64url').toString('hex'),
})
