import { hash, randomFillSync } from 'node:crypto'
import { type ConsentChannel, type ConsentForm, namedConsent } from '../contract/consent.ts'
import { type Evidence, personalHashes, rowMac } from '../rules/consent-chain.ts'

/** The origin of a form. A lead that staff enter has no address. */
export type Visit = {
  ip: string | null
  userAgent: string
  pageUrl: string
  channel?: ConsentChannel
  /** Whether the browser says that the page of another site sent it, which is not in `FORM_ORIGINS`. */
  isFromAnotherSite?: boolean
}

/**
 * Returns a random number for a receipt, as digits: an integer of 53 bits, which JSON carries as a number. A browser whose page
 * was opened before an update, and clients by the specification, expect a number.
 */
export function newReference(): string {
  if (unused === 0) unused = randomFillSync(random).length
  unused -= 1
  return String((random[unused] ?? 0n) >> 11n)
}

/** Random numbers, each used once: asking the system for many at once costs no more than for one. */
const random = new BigUint64Array(512)
let unused = 0

/** The input of a signature: the key `consent-chain`, and the random reference of the lead or the application. */
type Signature = { key: Buffer; reference: string }

/**
 * Returns the signed evidence of a consent as its columns: our own text of the version that the form names, or else the
 * words that the client states, without a version; and the origin of the form. The page is kept without its query, which may
 * hold an e-mail address or a click id.
 */
export function consentEvidence(
  form: ConsentForm,
  named: { consent_version?: string; acceptance_message: string },
  { ip, userAgent, pageUrl, channel }: Visit,
  { key, reference }: Signature,
) {
  const consent = namedConsent(form, named)
  const wording = consent?.wording ?? named.acceptance_message
  const evidence: Evidence = {
    wording,
    wording_version: consent?.version ?? null,
    wording_hash: sha256(wording),
    sharing_version: consent?.sharing?.version ?? null,
    sharing_wording: consent?.sharing?.wording ?? null,
    page_url: withoutQuery(pageUrl).slice(0, 1000),
    reference,
    channel: channel ?? null,
  }
  const sender = { ip, user_agent: userAgent.slice(0, 500) }
  return { ...evidence, ...sender, mac: rowMac(key, form, evidence, personalHashes(key, reference, sender)) }
}

function withoutQuery(address: string): string {
  if (!URL.canParse(address)) return ''
  const { origin, pathname } = new URL(address)
  return origin === 'null' ? '' : origin + pathname
}

const sha256 = (text: string) => hash('sha256', text, 'hex')
