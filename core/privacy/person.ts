import { eraseApplication } from '../applications/applications.ts'
import * as applications from '../applications/stores/applications.ts'
import { providersThatKnow } from '../deliveries/rules/deliveries.ts'
import * as changes from '../deliveries/stores/changes.ts'
import * as jobs from '../deliveries/stores/jobs.ts'
import * as sentMessages from '../deliveries/stores/sent-messages.ts'
import { AppError } from '../errors.ts'
import { eraseLead } from '../leads/change-lead.ts'
import { phoneDigits } from '../leads/rules/duplicates.ts'
import { personQuery } from '../leads/rules/search.ts'
import * as leadChanges from '../leads/stores/lead-changes.ts'
import { lock } from '../leads/stores/lead-changes.ts'
import { WORDS } from '../leads/stores/lead-lists.ts'
import * as outcomes from '../leads/stores/outcomes.ts'
import { type Db, queryRows, type Transaction } from '../platform/db.ts'
import { REQUEST_EMAIL } from '../providers/stores/clinic-people.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import type { RowWith } from '../tables/table.ts'
import {
  type ErasureKind,
  type FormId,
  MIN_PHONE_DIGITS,
  type PersonForm,
  type PersonRecord,
} from './contract/privacy.ts'
import { type Contact, personHashes } from './rules/opt-outs.ts'
import * as consents from './stores/consents.ts'
import * as erasures from './stores/erasures.ts'
import * as suppressions from './stores/suppressions.ts'

/** The maximum of lines of the audit log and of the access log for one form. */
const MAX_LINES = 1000

/** Columns that are not about the person: keys against repeats, and copies of other columns. */
const INTERNAL = new Set(['idempotency_key', 'request_hash', 'person_key', 'practice_key', 'repeat_window'])

type FormRow = FormId & { deleted_at: Date | null; row: Record<string, unknown> }

/** Reads a typed contact: an email address, or else a phone number. */
function contactOf(typed: string): Contact {
  return typed.includes('@') ? { email: typed.trim() } : { phone: typed.trim() }
}

/** Finds everything that is stored about the person with an email address or phone number, the newest form first. */
export async function find(db: Db, typed: string, personKey: Buffer): Promise<PersonRecord> {
  const contact = contactOf(typed)
  const rows = await findForms(db, contact)
  const forms: PersonForm[] = []
  for (const row of rows) forms.push(await readForm(db, row))
  forms.sort((one, other) => other.created_at.localeCompare(one.created_at))
  const hashes = personHashes(personKey, contact)
  const [erased, do_not_contact] = await Promise.all([
    erasures.listOfPerson(db, hashes),
    suppressions.listOfPerson(db, hashes),
  ])
  return { contact: typed, at: new Date().toISOString(), forms, erased, do_not_contact }
}

/** Finds the forms with an email or a phone number, also leads that had it before staff corrected it. */
async function findForms(db: Db | Transaction, { email, phone }: Contact): Promise<FormRow[]> {
  const keys = email === undefined ? phoneDigits(phone ?? '').filter(isNumber) : [email.toLowerCase()]
  const is = (column: string) =>
    email === undefined
      ? `phone_digits(${column}) && cast(:keys as text[])`
      : `lower(${column}) = any(cast(:keys as text[]))`
  const field = email === undefined ? 'phone' : 'email'
  const rows = await queryRows<FormRow>(
    db,
    `with found as materialized (
       select id from all_leads where ${WORDS} @@ cast(:query as tsquery) and ${is(field)}
       union
       select lead_id from lead_edits where field = '${field}' and ${is('was')}
     )
     select 'lead' as kind, id, deleted_at, to_jsonb(all_leads) - 'deleted_at' as row
     from all_leads where id in (select id from found)
     union all
     select 'application', id, null, to_jsonb(provider_applications) || ${NOTES} from provider_applications where ${is(field)}`,
    { keys, query: personQuery({ email, phone }) },
  )
  return rows
}

/** SQL for the notes of staff on an application, as a field of it. */
const NOTES = `jsonb_build_object('notes', (
  select coalesce(jsonb_agg(jsonb_build_object('at', at, 'author', author, 'text', text) order by note.id), '[]')
  from application_notes note where application_id = provider_applications.id))`

/** Fewer digits are no phone number, but a part that many have. */
const isNumber = (digits: string) => digits.length >= MIN_PHONE_DIGITS

/** The tables about a lead or an application that a record presents in sections of their own. */
const PRESENTED = new Set([
  ...['consents', 'application_consents', 'lead_edits', 'lead_outcomes', 'opt_outs'],
  ...['lead_work', 'lead_notes', 'application_notes'],
])

/** Columns of secrets: hashes of codes and of persons. They are nothing to read. */
const IS_SECRET = /(^|_)(hash|secret|token)$/

async function readForm(db: Db, { kind, id, deleted_at, row }: FormRow): Promise<PersonForm> {
  const subject = kind === 'lead' ? (`lead:${id}` as const) : (`application:${id}` as const)
  const isLead = kind === 'lead'
  const outcomesOfLead = isLead ? await outcomes.list(db, id) : []
  const clinicIds = isLead ? await clinicsThatGot(db, id, row) : []
  const [providers, consent, deliveries, acts, reads, work, edits, messages, optOuts, other] = await Promise.all([
    db('providers')
      .whereIn('id', clinicIds)
      .select<{ id: number; name: string; email: string }[]>('id', 'name', db.raw(`${REQUEST_EMAIL} as email`)),
    db(isLead ? 'consents' : 'application_consents')
      .where(isLead ? 'lead_id' : 'application_id', id)
      .first(),
    jobs.list(db, subject),
    auditLog.list(db, { page: 1, limit: MAX_LINES, entity: kind, entityId: String(id) }),
    auditLog.listAccess(db, { page: 1, limit: MAX_LINES, entity: kind, rowId: id }),
    isLead ? leadChanges.findWorkAndNotes(db, id) : null,
    isLead ? leadChanges.listEdits(db, id) : [],
    isLead ? sentMessages.list(db, id) : [],
    isLead ? suppressions.find(db, { lead_id: id }) : [],
    otherRows(db, isLead ? 'lead_id' : 'application_id', id),
  ])
  const fields = Object.fromEntries(Object.entries(row).filter(([column]) => !INTERNAL.has(column)))
  const named = new Map(providers.map((provider) => [provider.id, provider]))
  return {
    ...{ kind, id, fields, deliveries, messages, edits, work, other, outcomes: outcomesOfLead, opt_outs: optOuts },
    reference: row.reference == null ? null : String(row.reference),
    created_at: new Date(String(row.created_at)).toISOString(),
    deleted_at: deleted_at?.toISOString() ?? null,
    clinics: clinicIds.flatMap((clinic) => named.get(clinic) ?? []),
    consent: consent ? { ...consent, given_at: consent.given_at.toISOString() } : null,
    // The addresses of staff are not data about the person.
    acts: acts.lines.map(({ ip: _, ...line }) => line),
    reads: reads.lines.map(({ ip: _, ...line }) => line),
  }
}

/** Lists the clinics that got a lead: by an email that was delivered, or because they have opened it. */
async function clinicsThatGot(db: Db, id: number, row: FormRow['row']): Promise<number[]> {
  const matchedAt = row.matched_at == null ? null : String(row.matched_at)
  const mails = await jobs.listEmails(db, `lead:${id}`, matchedAt)
  const delivered = mails.map((mail) => ({ ...mail, isSent: mail.isDelivered }))
  const opened = await db('lead_outcomes').where({ lead_id: id, source: 'clinic' }).whereNotNull('provider_id')
  const current = row.provider_id == null ? null : Number(row.provider_id)
  return [
    ...new Set([...providersThatKnow(delivered, current), ...opened.map(({ provider_id }) => Number(provider_id))]),
  ]
}

/** Reads the rows of every other table that names a lead or an application, so that a new table is in the record at once. */
async function otherRows(
  db: Db,
  column: 'lead_id' | 'application_id',
  id: number,
): Promise<Record<string, Record<string, unknown>[]>> {
  const tables = await db('information_schema.columns')
    .where({ table_schema: 'public', column_name: column })
    .whereNotIn('table_name', [...PRESENTED])
    .orderBy('table_name')
    .pluck<string[]>('table_name')
  const found: [table: string, rows: Record<string, unknown>[]][] = []
  for (const name of tables) {
    const sql = `select to_jsonb(found) as row from ${name} found where ${column} = ?`
    const rows = await queryRows<{ row: Record<string, unknown> }>(db, sql, [id])
    if (rows.length > 0) found.push([name, rows.map(({ row }) => withoutSecrets(row))])
  }
  return Object.fromEntries(found)
}

function withoutSecrets(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !IS_SECRET.test(column)))
}

/**
 * Deletes forms of a person permanently, in one transaction. Adds jobs that ask CRM and clinics to delete them as
 * well. Removes IP address and browser from the evidence of consent.
 * @param forms the forms of the person that were shown
 * @returns the number of the erasure
 * @throws AppError `conflict` when one of the forms is not, or no longer, of this person
 */
export async function erasePerson(
  db: Db,
  { contact, forms }: { contact: string; forms: FormId[] },
  { actor, personKey }: { actor: string; personKey: Buffer },
): Promise<number> {
  return db.transaction(async (trx) => {
    const found = new Set((await findForms(trx, contactOf(contact))).map(keyOf))
    if (!forms.every((form) => found.has(keyOf(form)))) {
      throw new AppError('conflict', 'These requests have changed meanwhile. Search again.')
    }
    const requestId = await erasures.addRequest(trx, actor)
    for (const { kind, id } of inOrder(forms)) {
      await eraseForm(trx, { kind, id }, { reason: 'request', personKey, requestId })
      await auditLog.record(trx, {
        actor,
        action: 'erase',
        entity: kind,
        entityId: id,
        details: { request: requestId },
      })
    }
    await consents.blank(trx, Infinity)
    await changes.announce(trx, { leads: idsOf(forms, 'lead'), applications: idsOf(forms, 'application') })
    return requestId
  })
}

/** Deletes a form permanently, whether a lead, a deleted lead or an application. */
async function eraseForm(trx: Transaction, { kind, id }: FormId, erasing: erasures.Erasing): Promise<void> {
  if (kind === 'application') {
    if (await applications.lock(trx, id)) await eraseApplication(trx, id, erasing)
  } else if (await lock(trx, id)) {
    await eraseLead(trx, id, erasing)
  }
}

/** Every transaction locks leads in the order of their ids: two never wait for each other. */
const inOrder = (forms: FormId[]) => forms.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b), 'en', { numeric: true }))

const keyOf = ({ kind, id }: FormId) => `${kind} ${id}`

const idsOf = (forms: FormId[], kind: ErasureKind) => forms.flatMap((form) => (form.kind === kind ? form.id : []))

/**
 * Deletes again the erased forms that a restored backup has brought back. A form is the same when its kind, its number and
 * its receipt (without a receipt: its time) are.
 * @returns how many were deleted
 */
export async function reapplyErasures(db: Db, erased: erasures.Tombstone[], personKey: Buffer): Promise<number> {
  let count = 0
  for (const { kind, row_id: id, reference, sent_at, reason } of erased) {
    count += await db.transaction(async (trx) => {
      const table = kind === 'lead' ? 'all_leads' : 'provider_applications'
      const sql = `select reference, created_at from ${table} where id = ?`
      const [row] = await queryRows<RowWith<'all_leads', 'reference' | 'created_at'>>(trx, sql, [id])
      if (!row || (reference === null ? +row.created_at !== Date.parse(sent_at) : row.reference !== reference)) return 0
      // The person's request itself is lost; the line in the audit log says that it was made.
      await eraseForm(trx, { kind, id }, { reason: reason === 'request' ? 'deleted' : reason, personKey })
      const details = { again: true, reason }
      await auditLog.record(trx, { actor: 'command line', action: 'erase', entity: kind, entityId: id, details })
      return 1
    })
  }
  return count
}
