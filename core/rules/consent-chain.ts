import type { ConsentChannel } from '../contract/consent.ts'
import { keyedHash } from '../platform/data-key.ts'

export type ConsentSource = 'lead' | 'application'

/** The content of a row of evidence, of any table. */
export type Evidence = {
  wording: string
  wording_version: string | null
  wording_hash: string
  sharing_version: string | null
  sharing_wording: string | null
  page_url: string | null
  /** Null for a row from before rows were signed. */
  reference: string | null
  /** Null for a row from before channels were kept. */
  channel: ConsentChannel | null
}

/** Keyed hashes of what may be removed from a row later. */
export type PersonalHashes = { ip_hash: string; browser_hash: string }

/** A row of evidence at its place in the chain. */
export type Link = PersonalHashes & {
  seq: number
  source: ConsentSource
  row_id: number
  /** ISO 8601 with microseconds. */
  given_at: string
  /** ISO 8601 with milliseconds. */
  sealed_at: string
  evidence: Evidence
  /** The signature that the row was stored with, if any. */
  row_mac: string | null
}

const signed = (key: Buffer, use: string, content: unknown[]) => keyedHash(key, JSON.stringify([use, ...content]))

/** Hashes an address and a browser so that equal ones of two rows differ. `salt`: the row's reference or, without one, its id. */
export function personalHashes(
  key: Buffer,
  salt: string,
  { ip, user_agent }: { ip: string | null; user_agent: string | null },
): PersonalHashes {
  return {
    ip_hash: signed(key, 'ip', [salt, ip]),
    browser_hash: signed(key, 'browser', [salt, user_agent]),
  }
}

/** Signs a row of evidence when it is stored. Without the key nothing can be added that passes for evidence. */
export function rowMac(key: Buffer, source: ConsentSource, evidence: Evidence, personal: PersonalHashes): string {
  return signed(key, 'row', [source, ...contentOf(evidence), personal.ip_hash, personal.browser_hash])
}

/** Signs a row at its place in the chain, with the seal of the row before it (the empty text for the first). */
export function sealMac(key: Buffer, link: Link, previousMac: string): string {
  const { seq, source, row_id, given_at, sealed_at, row_mac, ip_hash, browser_hash, evidence } = link
  const place = [seq, source, row_id, given_at, sealed_at, row_mac, ip_hash, browser_hash]
  return signed(key, 'seal', [...place, ...contentOf(evidence), previousMac])
}

/**
 * The start of the chain after a purge: the last purged seal, and the time (ISO 8601) before which rows were purged.
 */
export type Anchor = { seq: number; seal_mac: string; purged_before: string }

/** Signs the place where the chain starts after a purge. */
export function anchorMac(key: Buffer, { seq, seal_mac, purged_before }: Anchor): string {
  return signed(key, 'anchor', [seq, seal_mac, purged_before])
}

function contentOf(evidence: Evidence): (string | null)[] {
  const { wording, wording_version, wording_hash, sharing_version, sharing_wording, page_url, reference } = evidence
  const known = [wording, wording_version, wording_hash, sharing_version, sharing_wording, page_url, reference]
  // Older rows were signed without a channel.
  return evidence.channel === null ? known : [...known, evidence.channel]
}
