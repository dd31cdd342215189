import { hash, randomFillSync } from 'node:crypto'
import { type ConsentChannel, type ConsentForm, namedConsent } from '../../contract/consent.ts'
import { keyedHash } from '../../platform/data-key.ts'
import { type Db, queryRows, type Transaction } from '../../platform/db.ts'
import type { Row } from '../../tables/table.ts'
import { call } from './erasures.ts'

export type ConsentSource = 'lead' | 'application'

/** A row of evidence of either kind. `reference` and `channel` are null in rows from before these were signed and kept. */
export type EvidenceRow = { source: ConsentSource; row_id: number } & Omit<Row<'consents'>, 'lead_id'>
type Given = Pick<EvidenceRow, 'given_at'>
type Sender = Pick<EvidenceRow, 'ip' | 'user_agent'>
/** Keyed hashes of the sender, which stay when the address and the browser are removed. */
type SenderHashes = Pick<EvidenceRow, 'ip_hash' | 'browser_hash'>
type Evidence = Omit<EvidenceRow, 'source' | 'row_id' | 'mac' | keyof (Given & Sender & SenderHashes)>

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
 * hold an email address or a click id.
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
  const given = { given_at: new Date(), ...hashesOf(key, reference, sender) }
  return { ...evidence, ...sender, ...given, mac: macOf(key, form, evidence, given) }
}

const signed = (key: Buffer, use: string, content: unknown[]) => keyedHash(key, JSON.stringify([use, ...content]))

/** Hashes an address and a browser, with the reference of the row, so that equal ones of two rows differ. */
const hashesOf = (key: Buffer, reference: string, { ip, user_agent }: Sender) => ({
  ip_hash: signed(key, 'ip', [reference, ip]),
  browser_hash: signed(key, 'browser', [reference, user_agent]),
})

type Signed = SenderHashes & Partial<Given>

function macOf(
  key: Buffer,
  source: ConsentSource,
  evidence: Evidence,
  { ip_hash, browser_hash, given_at }: Signed,
): string {
  const { wording, wording_version, wording_hash, sharing_version, sharing_wording, page_url, reference } = evidence
  const content = [wording, wording_version, wording_hash, sharing_version, sharing_wording, page_url, reference]
  // Older rows were signed without a channel.
  if (evidence.channel !== null) content.push(evidence.channel)
  return signed(key, 'row', [source, ...content, ip_hash, browser_hash, ...(given_at ? [given_at] : [])])
}

/** Verifies a row. What was removed of its sender is not compared; what is left must be what was signed. */
export function isSigned(key: Buffer, row: EvidenceRow): boolean {
  if (row.reference === null) return false
  const now = hashesOf(key, row.reference, row)
  const kept = { ip_hash: row.ip_hash ?? now.ip_hash, browser_hash: row.browser_hash ?? now.browser_hash }
  const isSender =
    (row.ip === null || kept.ip_hash === now.ip_hash) &&
    (row.user_agent === null || kept.browser_hash === now.browser_hash)
  // Older rows were signed without their time.
  const macs = [{ ...kept, given_at: row.given_at }, kept].map((given) => macOf(key, row.source, row, given))
  return isSender && macs.includes(row.mac ?? '')
}

const rowsOf = (source: ConsentSource, id: string, table: string) => `select '${source}' as source, ${id} as row_id,
  reference::text as reference, given_at, ip, user_agent, ip_hash, browser_hash, page_url, wording, wording_version, wording_hash,
  sharing_version, sharing_wording, channel, mac from ${table}`
/** SQL for all evidence of both kinds, as `EvidenceRow`. */
export const EVIDENCE = `(${rowsOf('lead', 'lead_id', 'consents')}
  union all ${rowsOf('application', 'application_id', 'application_consents')})`

const BATCH = 5000

/** Reads all evidence, in batches. */
export async function* readEvidence(db: Db): AsyncGenerator<EvidenceRow> {
  let last = { source: '', row_id: 0 }
  for (;;) {
    const rows = await queryRows<EvidenceRow>(
      db,
      `select * from ${EVIDENCE} evidence where (source, row_id) > (?, ?) order by source, row_id limit ?`,
      [last.source, last.row_id, BATCH],
    )
    yield* rows
    last = rows.at(-1) ?? last
    if (rows.length < BATCH) return
  }
}

/**
 * Finds a lead or an application without its evidence, or with the evidence of another one. Skips those that are so old
 * that their evidence may have been deleted.
 */
export async function findWithoutEvidence(db: Db): Promise<Pick<EvidenceRow, 'source' | 'row_id'> | null> {
  const rows = await queryRows<Pick<EvidenceRow, 'source' | 'row_id'>>(
    db,
    `select source, owner.row_id from (
       select 'lead' as source, id as row_id, reference, created_at from leads
       union all select 'application', id, reference, created_at from provider_applications
     ) owner left join ${EVIDENCE} evidence using (source, row_id)
     where owner.reference is not null and evidence.reference is distinct from owner.reference::text
       and created_at >= now() - interval '1460 days'
     limit 1`,
  )
  return rows[0] ?? null
}

/** Deletes evidence that is more than `days` old. Returns the number of deleted rows. */
export async function purge(db: Db, days: number): Promise<number> {
  if (days === Infinity) return 0
  return call(`purge_consents(? * interval '24 hours')`, [days])(db)
}

/**
 * Removes IP addresses and browsers from evidence that is more than `days` old or belongs to erased forms. Returns the
 * number of changed rows.
 */
export async function blank(db: Db | Transaction, days: number): Promise<number> {
  return call(`blank_consents(? * interval '24 hours', ?)`, [Math.min(days, 100_000), BATCH])(db)
}

function withoutQuery(address: string): string {
  if (!URL.canParse(address)) return ''
  const { origin, pathname } = new URL(address)
  return origin === 'null' ? '' : origin + pathname
}

const sha256 = (text: string) => hash('sha256', text, 'hex')
