import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { formatOffsetTime } from '../dates.ts'
import { readDataKey, readTimeZone } from '../env.ts'
import { AppError } from '../errors.ts'
import { deriveKey } from '../platform/data-key.ts'
import type { Db } from '../platform/db.ts'
import { OptOutReason } from '../privacy/contract/opt-outs.ts'
import { ErasureKind, ErasureReason, type FormId, type PersonForm, PersonQuery } from '../privacy/contract/privacy.ts'
import { erasePerson, find, reapplyErasures } from '../privacy/person.ts'
import * as erasures from '../privacy/stores/erasures.ts'
import * as suppressions from '../privacy/stores/suppressions.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import { done, isMain, type Result, runCommand, UsageError } from './command-line.ts'

const USAGE = `Data stored about a person in the database of DATABASE_URL. A person is an email address or a phone number.

  npm run privacy -- find ada@example.com           list requests and applications
  npm run privacy -- export "(512) 555-0100"        print all data, as JSON
  npm run privacy -- erase ada@example.com          show what would be permanently deleted
  npm run privacy -- erase ada@example.com --yes    delete it, and ask the CRM and clinics to delete it as well
  npm run privacy -- tombstones                     print erasures and the do-not-contact list, without names
  npm run privacy -- reapply <file>                 repeat them on a restored backup; - is standard input

"reapply" reads the output of "tombstones" and the API's log. Needs DATA_KEY. Your shell may store what you type in its history.`

const BY_COMMAND = { actor: 'command line' }

type Options = { yes?: boolean }

const COMMANDS: Record<string, (db: Db, options: Options, given: string[]) => Promise<Result>> = {
  async find(db, _options, given) {
    const { forms, erased } = await findPerson(db, given)
    const lines = [...forms.map(lineOf), ...erased.map(erasedLineOf)]
    return done(lines.length > 0 ? lines.join('\n') : NOTHING)
  },
  async export(db, _options, given) {
    return done(JSON.stringify(await findPerson(db, given), null, 2))
  },
  async erase(db, { yes }, given) {
    const { contact, forms } = await findPerson(db, given)
    if (forms.length === 0) return done(NOTHING)
    const lines = forms.map(lineOf).join('\n')
    if (!yes)
      return { text: `${lines}\nNothing was deleted. Add --yes to permanently delete ${these(forms)}.`, isDone: false }

    const id = await erasePerson(db, { contact, forms }, { ...BY_COMMAND, personKey: personKey() })
    return done(
      `${lines}\nErasure no. ${id}: permanently deleted. The workers ask the CRM and clinics to delete ${these(forms)} as well.`,
    )
  },
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
      await reapplyErasures(db, erased, personKey()),
      await suppressions.addKept(db, suppressed),
    ]
    return done(
      `${erased.length} erasures read. ${deleted} of them were back and are deleted again.\n` +
        `${suppressed.length} suppressions read. ${added} of them were missing and are added again.`,
    )
  },
}

const NOTHING = 'Nothing is stored about this person.'
const these = (forms: FormId[]) => (forms.length === 1 ? 'it' : `these ${forms.length}`)
const nameOf = ({ kind, id }: FormId) => (kind === 'lead' ? `request no. ${id}` : `application no. ${id}`)
const personKey = () => deriveKey(readDataKey(), 'person-hash')

/** Finds the person, and records the search in the audit log. */
async function findPerson(db: Db, given: string[]) {
  const { success, data, error } = PersonQuery.safeParse({ contact: given.join(' ') })
  if (!success) throw new UsageError(`${error.issues[0]?.message}.`)
  const person = await find(db, data.contact, personKey())
  const ids = (kind: ErasureKind) => person.forms.filter((form) => form.kind === kind).map(({ id }) => id)
  const details = { leads: ids('lead'), applications: ids('application') }
  await auditLog.record(db, { ...BY_COMMAND, action: 'find-person', entity: 'person', entityId: 'all', details })
  return person
}

function lineOf(form: PersonForm): string {
  const at = formatOffsetTime(form.created_at, readTimeZone())
  const clinic = form.clinics.length > 0 ? `, given to ${form.clinics.map(({ name }) => name).join(', ')}` : ''
  return `${nameOf(form)}, sent ${at}${clinic}${form.deleted_at ? ', deleted by staff' : ''}`
}

function erasedLineOf(form: FormId & { erased_at: string }): string {
  return `${nameOf(form)} was permanently deleted ${formatOffsetTime(form.erased_at, readTimeZone())}`
}

const Erased = z.object({
  kind: ErasureKind,
  row_id: z.number().int(),
  reference: z.string().nullable(),
  sent_at: z.iso.datetime(),
  reason: ErasureReason,
})
const Suppressed = z.object({
  kind: z.enum(['email', 'phone']),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  reason: OptOutReason,
  lead_id: z.number().int().nullable(),
  actor: z.string(),
  created_at: z.iso.datetime(),
})
const Tombstone = z.union([z.object({ erased: Erased }), z.object({ suppressed: Suppressed })])

type Tombstones = { erased: erasures.Tombstone[]; suppressed: suppressions.KeptSuppression[] }

/** Reads the lines of a file that record an erasure or an opt-out. Ignores other lines, as a log has them. */
async function readTombstones(file: string): Promise<Tombstones> {
  const found: Tombstones = { erased: [], suppressed: [] }
  const lines = createInterface({
    input: file === '-' ? process.stdin : createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  })
  for await (const line of lines) {
    if (!line.includes('"erased"') && !line.includes('"suppressed"')) continue
    const read = Tombstone.safeParse(parseJson(line))
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

/** Runs `npm run privacy -- <given>`. Returns the exit code. */
export function privacyCommand(given: string[]): Promise<number> {
  return runCommand<Options>(given, {
    name: 'privacy',
    usage: USAGE,
    options: { yes: { type: 'boolean' } },
    commands: COMMANDS,
    takesIds: true,
  })
}

if (isMain(import.meta.url)) process.exitCode = await privacyCommand(process.argv.slice(2))
