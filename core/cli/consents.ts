import { formatCount } from '../contract/format.ts'
import { readDataKey } from '../env.ts'
import { deriveKey } from '../platform/data-key.ts'
import type { Db } from '../platform/db.ts'
import { type ConsentSource, findWithoutEvidence, isSigned, readEvidence } from '../privacy/stores/consents.ts'
import { isMain, type Result, runCommand } from './command-line.ts'

const USAGE = `The evidence of consents in the database of DATABASE_URL, signed with DATA_KEY.

  npm run consents -- verify   check whether evidence was added or changed without DATA_KEY, or is missing

"verify" prints the first invalid row and exits with 1.`

const nameOf = ({ source, row_id }: { source: ConsentSource; row_id: number }) => `The consent of ${source} ${row_id}`

async function verify(db: Db): Promise<Result> {
  const key = deriveKey(readDataKey(), 'consent-chain')
  let [signed, unsigned] = [0, 0]
  for await (const row of readEvidence(db)) {
    // From before consents were signed.
    if (row.mac === null && row.reference === null) unsigned += 1
    else if (isSigned(key, row)) signed += 1
    else return failed(`${nameOf(row)} was added or changed without DATA_KEY.`)
  }
  const bare = await findWithoutEvidence(db)
  if (bare) return failed(`${nameOf(bare)} was removed, or belongs to another form.`)
  const older = unsigned > 0 ? `\nOlder, unsigned: ${formatCount(unsigned)}.` : ''
  return { text: `${formatCount(signed)} consents are unchanged.${older}`, isDone: true }
}

const failed = (text: string): Result => ({ text, isDone: false })

/** Runs `npm run consents -- <given>`. Returns the exit code. */
export function consentsCommand(given: string[]): Promise<number> {
  return runCommand(given, { name: 'consents', usage: USAGE, options: {}, commands: { verify } })
}

if (isMain(import.meta.url)) process.exitCode = await consentsCommand(process.argv.slice(2))
