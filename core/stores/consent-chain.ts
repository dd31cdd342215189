import { type Db, only, queryRows, type Transaction } from '../platform/db.ts'
import {
  type Anchor,
  anchorMac,
  type ConsentSource,
  type Evidence,
  type Link,
  type PersonalHashes,
  personalHashes,
  rowMac,
  sealMac,
} from '../rules/consent-chain.ts'
import { DAY } from '../time.ts'
import type { RowWith } from './table.ts'

/** The number of rows that are sealed in one transaction, or verified at once. */
const BATCH = 5000
/** The number of ids before the last sealed one that a run looks at. The hourly run looks at all. */
const WINDOW = 20_000

/** The last known seal: the start of the chain, or the end of the last purge. */
export type Head = { seq: number; mac: string }

const START: Head = { seq: 0, mac: '' }

export type EvidenceRow = {
  source: ConsentSource
  row_id: number
  given_at: string
  ip: string | null
  user_agent: string | null
  mac: string | null
} & Evidence

/** SQL for all evidence of both kinds, as `EvidenceRow`. */
const ID = { lead: 'lead_id', application: 'application_id' }
const rowsOf = (source: ConsentSource) => `select '${source}' as source, ${ID[source]} as row_id,
  reference::text as reference, to_char(given_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as given_at,
  ip, user_agent, page_url, wording, wording_version, wording_hash, sharing_version, sharing_wording, channel, mac
  from ${source === 'lead' ? 'consents' : 'application_consents'}`
export const EVIDENCE = `(${rowsOf('lead')} union all ${rowsOf('application')})`

/**
 * Seals the rows that are not sealed yet, in the order of their ids: links each to the one before. One process seals at a
 * time; another one seals nothing. Returns the number of sealed rows and the end of the chain. Callers log that end,
 * because an attacker on the database cannot change the log.
 *
 * @param all looks at every row, not only at the newest
 */
export async function seal(db: Db, key: Buffer, { all = false } = {}): Promise<{ count: number; head: Head }> {
  let count = 0
  for (;;) {
    const { sealed, head } = await db.transaction((trx) => sealBatch(trx, key, all))
    count += sealed
    if (sealed < BATCH) return { count, head }
  }
}

async function sealBatch(trx: Transaction, key: Buffer, all: boolean): Promise<{ sealed: number; head: Head }> {
  const locks = await queryRows<{ is_mine: boolean }>(
    trx,
    `select pg_try_advisory_xact_lock(hashtext('consent seals')) as is_mine`,
  )
  const head = await readHead(trx)
  if (!only(locks).is_mine) return { sealed: 0, head }

  const rows = [...(await findUnsealed(trx, 'lead', all)), ...(await findUnsealed(trx, 'application', all))]
  if (rows.length === 0) return { sealed: 0, head }

  const sealed_at = new Date().toISOString()
  let last = head
  const seals = rows.map((row) => {
    const link = linkOf(key, row, { seq: last.seq + 1, sealed_at })
    last = { seq: link.seq, mac: sealMac(key, link, last.mac) }
    const { seq, source, row_id, ip_hash, browser_hash } = link
    return { seq, source, row_id, ip_hash, browser_hash, sealed_at, mac: last.mac }
  })
  await trx.raw(
    `insert into consent_seals (seq, source, row_id, ip_hash, browser_hash, sealed_at, mac)
     select * from jsonb_to_recordset(?) as seal (
       seq bigint, source text, row_id integer, ip_hash text, browser_hash text, sealed_at timestamptz, mac text)`,
    [JSON.stringify(seals)],
  )
  return { sealed: seals.length, head: last }
}

async function findUnsealed(trx: Transaction, source: ConsentSource, all: boolean): Promise<EvidenceRow[]> {
  const last = await trx('consent_seals').where({ source }).orderBy('row_id', 'desc').first('row_id')
  const rows = await queryRows<EvidenceRow>(
    trx,
    `${rowsOf(source)} where ${ID[source]} > ? and not exists (
       select from consent_seals where source = '${source}' and row_id = ${ID[source]}
     ) order by ${ID[source]} limit ?`,
    [all || !last ? 0 : Math.max(0, last.row_id - WINDOW), BATCH],
  )
  return rows
}

/** Returns the content of the seal of a row that still has its address and browser. */
export function linkOf(key: Buffer, row: EvidenceRow, place: Pick<Link, 'seq' | 'sealed_at'>): Link {
  const { source, row_id, given_at, mac: row_mac } = row
  return { ...place, source, row_id, given_at, row_mac, evidence: row, ...personalHashes(key, saltOf(row), row) }
}

/** Returns the salt of a row: its reference, or its id if it is older than references. */
const saltOf = ({ reference, source, row_id }: EvidenceRow) => reference ?? `${source} ${row_id}`

export async function readHead(db: Db | Transaction): Promise<Head> {
  const last = await db('consent_seals').orderBy('seq', 'desc').first('seq', 'mac')
  if (last) return { seq: Number(last.seq), mac: last.mac }
  const anchor = await db('consent_anchors').orderBy('seq', 'desc').first('seq', 'seal_mac')
  return anchor ? { seq: Number(anchor.seq), mac: anchor.seal_mac } : START
}

/**
 * Deletes evidence that is more than `days` old, with its seals, and records the new start of the chain. A row between
 * newer rows stays until those are as old. Returns the number of deleted rows.
 */
export async function purge(db: Db, key: Buffer, days: number): Promise<number> {
  if (days === Infinity) return 0
  return db.transaction((trx) => cutBefore(trx, key, days))
}

async function cutBefore(trx: Transaction, key: Buffer, days: number): Promise<number> {
  const cutoff = new Date(Date.now() - days * DAY)
  await trx.raw(`select pg_advisory_xact_lock(hashtext('consent seals'))`)
  const rows = await queryRows<RowWith<'consent_seals', 'seq' | 'mac'>>(
    trx,
    `select seq, seal.mac from consent_seals seal
     where seq < coalesce((
       select min(seq) from consent_seals join ${EVIDENCE} evidence using (source, row_id)
       where evidence.given_at::timestamptz >= ?
     ), 9223372036854775807)
     order by seq desc limit 1`,
    [cutoff],
  )
  const [last] = rows
  if (!last) return 0

  const anchor = { seq: Number(last.seq), seal_mac: last.mac, purged_before: cutoff.toISOString() }
  await trx('consent_anchors').insert({ ...anchor, mac: anchorMac(key, anchor) })
  const { rowCount } = await trx.raw<{ rowCount: number }>('select * from purge_consents(?, ?)', [last.seq, cutoff])
  return rowCount
}

const BLANKED_AT_ONCE = 5000

/** Removes IP addresses and browsers from the evidence of forms that were erased. Evidence without a seal is left for `blank`. */
export async function blankErased(trx: Transaction): Promise<void> {
  await blank(trx, Infinity)
}

/**
 * Removes IP addresses and browsers from sealed evidence that is more than `days` old or belongs to erased forms. Returns
 * the number of changed rows.
 */
export async function blank(db: Db | Transaction, days: number): Promise<number> {
  const keep = days === Infinity ? 100_000 : days
  const rows = await queryRows<{ changed: number }>(
    db,
    `select blank_consents(? * interval '24 hours', ?) as changed`,
    [keep, BLANKED_AT_ONCE],
  )
  return only(rows).changed
}

/** Verifies the signature of a row. `personal` comes from its seal, where it has one. */
export function isSigned(
  key: Buffer,
  row: EvidenceRow,
  personal: PersonalHashes = personalHashes(key, saltOf(row), row),
): boolean {
  return row.mac === rowMac(key, row.source, row, personal)
}

/** Reads the next seals after a place, each with its row if that still exists. */
export async function readSeals(db: Db, after: number): Promise<SealedRow[]> {
  const rows = await queryRows<Seal & RowWith<'consent_seals', 'seq' | 'sealed_at'> & SealedEvidence>(
    db,
    `with seal as (select * from consent_seals where seq > ? order by seq limit ?)
     select seal.seq, seal.sealed_at, seal.ip_hash, seal.browser_hash, seal.mac as seal_mac,
       seal.source as seal_source, seal.row_id as seal_row_id, evidence.*
     from seal left join ${EVIDENCE} evidence on evidence.source = seal.source and evidence.row_id = seal.row_id
     order by seal.seq`,
    [after, BATCH],
  )
  return rows.map((row) => ({
    ...row,
    seq: Number(row.seq),
    sealed_at: row.sealed_at.toISOString(),
  }))
}

type Seal = Pick<Link, 'ip_hash' | 'browser_hash'> & {
  seal_mac: string
  seal_source: ConsentSource
  seal_row_id: number
}
type SealedEvidence = EvidenceRow | { [Column in keyof EvidenceRow]: null }
export type SealedRow = Seal & Pick<Link, 'seq' | 'sealed_at'> & SealedEvidence

/** Reads the place where the chain starts since the last purge. Returns null before the first purge. */
export async function readAnchor(db: Db): Promise<(Anchor & { mac: string }) | null> {
  const anchor = await db('consent_anchors').orderBy('seq', 'desc').first()
  return anchor ? { ...anchor, seq: Number(anchor.seq), purged_before: anchor.purged_before.toISOString() } : null
}

/**
 * Reads the rows without a seal, the oldest id first. `isOverdue` marks rows that are more than `overdueAfter`
 * milliseconds old.
 */
export async function readUnsealed(db: Db, overdueAfter: number): Promise<(EvidenceRow & { isOverdue: boolean })[]> {
  const rows = await queryRows<EvidenceRow & { isOverdue: boolean }>(
    db,
    `select evidence.*, evidence.given_at::timestamptz < now() - ? * interval '1 ms' as "isOverdue" from ${EVIDENCE} evidence
     where not exists (select from consent_seals seal where seal.source = evidence.source and seal.row_id = evidence.row_id)
     order by evidence.source desc, evidence.row_id limit 100000`,
    [overdueAfter],
  )
  return rows
}

/** Finds a copied row: two rows have the same signature. */
type Place = { source: ConsentSource; row_id: number }

export async function findCopy(db: Db): Promise<Place | null> {
  const rows = await queryRows<Place>(
    db,
    `select source, max(row_id) as row_id from ${EVIDENCE} evidence
     where mac is not null group by source, mac having count(*) > 1 limit 1`,
  )
  return rows[0] ?? null
}

/**
 * Finds a lead or an application without its evidence, or with the evidence of another one. Skips those that are older
 * than the last purge.
 */
export async function findWithoutEvidence(db: Db): Promise<Place | null> {
  const rows = await queryRows<Place>(
    db,
    `select source, owner.row_id from (
       select 'lead' as source, id as row_id, reference, created_at from leads
       union all select 'application', id, reference, created_at from provider_applications
     ) owner left join ${EVIDENCE} evidence using (source, row_id)
     where owner.reference is not null and evidence.reference is distinct from owner.reference::text
       and created_at >= coalesce((select max(purged_before) from consent_anchors), '-infinity')
     limit 1`,
  )
  return rows[0] ?? null
}
