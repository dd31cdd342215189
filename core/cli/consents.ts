import { readDataKey } from '../env.ts'
import { deriveKey } from '../platform/data-key.ts'
import type { Db } from '../platform/db.ts'
import { anchorMac, type ConsentSource, sealMac } from '../rules/consent-chain.ts'
import * as chain from '../stores/consent-chain.ts'
import { HOUR, MINUTE } from '../time.ts'
import { isMain, type Result, runCommand, UsageError } from './command-line.ts'

const USAGE = `The evidence of consents, in the database of DATABASE_URL, signed with DATA_KEY.

  npm run consents -- verify                     whether any evidence was changed, added, removed or reordered
  npm run consents -- verify --head 1234:5f0c…   and whether the end of the chain that was noted then is still in it

"verify" names the first row that is wrong, and exits with 1. It prints the end of the chain: note it outside of the database.
The log of the worker has it, too ("consents sealed"). Without one, evidence that was removed from the end together with its
seals and its leads is not noticed.`

/** In milliseconds. The worker seals rows every ten seconds. */
const SEALED_WITHIN = 5 * MINUTE
/** In milliseconds. During an update, old processes may still store unsigned rows. */
const ROLLED_OUT_WITHIN = HOUR

type Options = { head?: string }
type Counts = { rows: number; unsigned: number; blanked: number }

const COMMANDS: Record<string, (db: Db, options: Options) => Promise<Result>> = {
  async verify(db, { head }) {
    const noted = head === undefined ? undefined : headOf(head)
    const counts: Counts = { rows: 0, unsigned: 0, blanked: 0 }
    try {
      const end = await verifyChain(db, deriveKey(readDataKey(), 'consent-chain'), counts, noted)
      return { text: summary(counts, end), isDone: true }
    } catch (error) {
      if (!(error instanceof Broken)) throw error
      return { text: error.message, isDone: false }
    }
  },
}

/** A defect of the evidence. */
class Broken extends Error {}

/**
 * Verifies the chain, then the rows outside it.
 * @throws Broken at the first bad row
 */
async function verifyChain(db: Db, key: Buffer, counts: Counts, noted?: chain.Head): Promise<chain.Head> {
  const anchor = await chain.readAnchor(db)
  if (anchor && anchor.mac !== anchorMac(key, anchor)) {
    throw new Broken(`The note that evidence up to seal ${anchor.seq} was purged is not ours.`)
  }
  let last: chain.Head = anchor ? { seq: anchor.seq, mac: anchor.seal_mac } : { seq: 0, mac: '' }
  let isNotedFound = noted === undefined || noted.seq < last.seq || (noted.seq === last.seq && noted.mac === last.mac)
  const signedSince = new Map<ConsentSource, number>()

  for (;;) {
    const seals = await chain.readSeals(db, last.seq)
    for (const seal of seals) {
      last = verifySeal(key, seal, last, counts)
      verifyAge(seal, signedSince)
      isNotedFound ||= noted?.seq === last.seq && noted.mac === last.mac
    }
    if (seals.length === 0) break
  }
  if (!isNotedFound)
    throw new Broken(`Seal ${noted?.seq} is not the one that was noted: the end of the chain was removed.`)

  for (const row of await chain.readUnsealed(db, SEALED_WITHIN)) {
    const isKnown = row.mac === null ? !signedSince.has(row.source) : chain.isSigned(key, row)
    if (!isKnown) throw new Broken(`${nameOf(row)} was added or changed by something that does not have DATA_KEY.`)
    if (row.isOverdue) throw new Broken(`${nameOf(row)} is not sealed, and should be since minutes: does a worker run?`)
  }
  const copy = await chain.findCopy(db)
  if (copy) throw new Broken(`${nameOf(copy)} is a copy of another row.`)
  const bare = await chain.findWithoutEvidence(db)
  if (bare) throw new Broken(`${nameOf(bare)} was removed, or is that of another form.`)
  return last
}

function verifySeal(key: Buffer, seal: chain.SealedRow, last: chain.Head, counts: Counts): chain.Head {
  const name = nameOf({ source: seal.seal_source, row_id: seal.seal_row_id })
  if (seal.seq !== last.seq + 1) {
    throw new Broken(`Seal ${last.seq + 1} was removed: ${name} is the first after the gap (seal ${seal.seq}).`)
  }
  if (seal.source === null) throw new Broken(`${name} was removed (seal ${seal.seq}).`)

  const { seq, sealed_at, ip_hash, browser_hash } = seal
  const link = chain.linkOf(key, seal, { seq, sealed_at })
  const isIpKept = seal.ip === null || link.ip_hash === ip_hash
  const isBrowserKept = seal.user_agent === null || link.browser_hash === browser_hash
  const isSealed = sealMac(key, { ...link, ip_hash, browser_hash }, last.mac) === seal.seal_mac
  if (!isSealed || !isIpKept || !isBrowserKept) throw new Broken(`${name} was changed, or its seal ${seq} was.`)

  if (seal.mac !== null && !chain.isSigned(key, seal, { ip_hash, browser_hash })) {
    throw new Broken(`${name} was added or changed before it was sealed, by something that does not have DATA_KEY.`)
  }
  counts.rows += 1
  if (seal.mac === null) counts.unsigned += 1
  if (seal.ip === null || seal.user_agent === null) counts.blanked += 1
  return { seq, mac: seal.seal_mac }
}

/** @throws Broken when an unsigned row was sealed long after rows began to be signed */
function verifyAge(seal: chain.SealedRow, signedSince: Map<ConsentSource, number>): void {
  const { seal_source: source, mac, sealed_at } = seal
  const since = signedSince.get(source)
  if (mac !== null && since === undefined) signedSince.set(source, Date.parse(sealed_at))
  if (mac === null && since !== undefined && Date.parse(sealed_at) > since + ROLLED_OUT_WITHIN) {
    throw new Broken(
      `${nameOf({ source, row_id: seal.seal_row_id })} has no signature, although rows were signed by then.`,
    )
  }
}

const nameOf = ({ source, row_id }: { source: ConsentSource; row_id: number }) => `The consent of ${source} ${row_id}`

function summary({ rows, unsigned, blanked }: Counts, { seq, mac }: chain.Head): string {
  const count = (number: number) => number.toLocaleString('en-US')
  return [
    `${count(rows)} consents are as they were stored.`,
    unsigned > 0 &&
      `${count(unsigned)} of them are from before consents were signed: unchanged since they were sealed.`,
    blanked > 0 && `${count(blanked)} of them no longer hold an address or a browser.`,
    `The end of the chain is ${seq}:${mac}`,
  ]
    .filter(Boolean)
    .join('\n')
}

/** @throws UsageError */
function headOf(text: string): chain.Head {
  const [, seq, mac = ''] = /^(\d{1,15}):([0-9a-f]{64})?$/.exec(text) ?? []
  if (seq === undefined) throw new UsageError(`"${text}" is not the end of a chain as "verify" prints it.`)
  return { seq: Number(seq), mac }
}

/** Runs `npm run consents -- <given>`. Returns the exit code. */
export function consentsCommand(given: string[]): Promise<number> {
  return runCommand<Options>(given, {
    name: 'consents',
    usage: USAGE,
    options: { head: { type: 'string' } },
    commands: COMMANDS,
  })
}

if (isMain(import.meta.url)) process.exitCode = await consentsCommand(process.argv.slice(2))
