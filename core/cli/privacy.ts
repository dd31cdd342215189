import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { formatCount } from '../contract/texts.ts'
import { readSetting } from '../env.ts'
import { AppError } from '../errors.ts'
import { deriveKey } from '../platform/data-key.ts'
import type { Db } from '../platform/db.ts'
import { reapplyErasures } from '../privacy/person.ts'
import { type ConsentSource, findWithoutEvidence, isSigned, readEvidence } from '../privacy/stores/consents.ts'
import * as erasures from '../privacy/stores/erasures.ts'
import * as suppressions from '../privacy/stores/suppressions.ts'
import { done, isMain, type Result, runCommand, UsageError } from './command-line.ts'

const USAGE = `Personal data in the database of DATABASE_URL. To find, export or erase a person's data, use the dashboard.

  npm run privacy -- tombstones        print erasures and the do-not-contact list, without names
  npm run privacy -- reapply <file>    repeat them on a restored backup; - is standard input
  npm run privacy -- verify            check whether evidence of consent was added or changed without DATA_KEY, or is missing

"reapply" reads the output of "tombstones" and the API's log. "verify" prints the first invalid row and exits with 1.
Both need DATA_KEY.`

const COMMANDS: Record<string, (db: Db, options: object, given: string[]) => Promise<Result>> = {
  async tombstones(db, _options, given) {
    if (given.length > 0) throw new UsageError('tombstones takes no arguments.')
    for await (const tombstone of erasures.readTombstones(db)) console.log(JSON.stringify({ erased: tombstone }))
    for (const suppressed of await suppressions.listKept(db)) console.log(JSON.stringify({ suppressed }))
    return done('')
  },
  async reapply(db, _options, [file, ...more]) {
    if (!file || more.length > 0) throw new UsageError('reapply takes one file.')
    const { erased, suppressed } = await readTombstones(file)
    const [deleted, added] = [
      await reapplyErasures(db, erased, deriveKey(readSetting('DATA_KEY'), 'person-hash')),
      await suppressions.addKept(db, suppressed),
    ]
    return done(
      `${erased.length} erasures read. ${deleted} of them were back and are deleted again.\n` +
        `${suppressed.length} suppressions read. ${added} of them were missing and are added again.`,
    )
  },
  async verify(db) {
    const key = deriveKey(readSetting('DATA_KEY'), 'consent-chain')
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
  },
}

const nameOf = ({ source, row_id }: { source: ConsentSource; row_id: number }) => `The consent of ${source} ${row_id}`

const failed = (text: string): Result => ({ text, isDone: false })

const { Tombstone } = erasures
const { KeptSuppression } = suppressions
const Line = z.union([z.object({ erased: Tombstone }), z.object({ suppressed: KeptSuppression })])

/** Reads the lines of a file that record an erasure or an opt-out. Ignores other lines, as a log has them. */
async function readTombstones(file: string) {
  const found = { erased: [] as z.infer<typeof Tombstone>[], suppressed: [] as z.infer<typeof KeptSuppression>[] }
  const lines = createInterface({
    input: file === '-' ? process.stdin : createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  })
  for await (const line of lines) {
    if (!line.includes('"erased"') && !line.includes('"suppressed"')) continue
    const read = Line.safeParse(parseJson(line))
    if (!read.success) throw new AppError('invalid', `This line of ${file} is cut off: ${line.slice(0, 200)}`)
    if ('erased' in read.data) found.erased.push(read.data.erased)
    else found.suppressed.push(read.data.suppressed)
  }
  return found
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

export function privacyCommand(given: string[]): Promise<number> {
  return runCommand(given, {
    name: 'privacy',
    usage: USAGE,
    options: {},
    commands: COMMANDS,
    takesIds: true,
  })
}

if (isMain(import.meta.url)) process.exitCode = await privacyCommand(process.argv.slice(2))
