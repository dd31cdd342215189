import type { ErasureKind, FormId, PersonForm, PersonRecord } from '../contract/privacy.ts'
import { type Db, queryRows, type Transaction } from '../platform/db.ts'
import { emailsQuery, nationalDigits } from '../rules/lead-search.ts'
import { type Contact, personHashes } from '../rules/person-hash.ts'
import * as accessLog from './access-log.ts'
import * as auditLog from './audit-log.ts'
import { REQUEST_EMAIL } from './clinic-addresses.ts'
import * as erasures from './erasures.ts'
import * as jobs from './jobs.ts'
import * as leadEdits from './lead-edits.ts'
import { WORDS } from './lead-lists.ts'
import * as leadWork from './lead-work.ts'
import * as sentMessages from './sent-messages.ts'
import * as suppressions from './suppressions.ts'

/** The maximum of lines of the audit log and of the access log for one form. */
const MAX_LINES = 1000

/** Columns that are not about the person: keys against repeats, and copies of other columns. */
const INTERNAL = new Set(['idempotency_key', 'request_hash', 'person_key', 'practice_key', 'repeat_window', 'words'])

type FormRow = FormId & { deleted_at: Date | null; row: Record<string, unknown> }

/** Reads a typed contact: an e-mail address, or else a phone number. */
export function contactOf(typed: string): Contact {
  return typed.includes('@') ? { email: typed.trim() } : { phone: typed.trim() }
}

/** Finds everything that is stored about the person with an e-mail address or phone number, the newest form first. */
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

/** Finds the forms with an e-mail or a phone number, also leads that had it before staff corrected it. */
export async function findForms(db: Db | Transaction, { email, phone }: Contact): Promise<FormRow[]> {
  const word = email === undefined ? nationalDigits(phone ?? '') : email.toLowerCase()
  const isTheirs = email === undefined ? `${DIGITS('phone')} = ?` : 'lower(email) = ?'
  const isTheirsDeleted = email === undefined ? `${DIGITS(`lead->>'phone'`)} = ?` : `lower(lead->>'email') = ?`
  const wasTheirs =
    email === undefined ? `field = 'phone' and ${DIGITS('was')} = ?` : `field = 'email' and lower(was) = ?`
  const rows = await queryRows<FormRow>(
    db,
    `with found as materialized (
       select id from leads where ${WORDS} @@ ?::tsquery and ${isTheirs}
       union
       select lead_id from lead_edits where ${wasTheirs}
     ), found_deleted as materialized (
       select id from deleted_leads where ${isTheirsDeleted}
       union
       select lead_id from lead_edits where ${wasTheirs}
     )
     select 'lead' as kind, id, null::timestamptz as deleted_at, to_jsonb(leads) as row from leads
     where id in (select id from found)
     union all
     select 'lead', id, deleted_at, lead from deleted_leads where id in (select id from found_deleted)
     union all
     select 'application', id, null, to_jsonb(provider_applications) || ${NOTES} from provider_applications where ${isTheirs}`,
    [emailsQuery([word]), word, word, word, word, word],
  )
  return rows
}

/** SQL for the notes of staff on an application, as a field of it. */
const NOTES = `jsonb_build_object('notes', (
  select coalesce(jsonb_agg(jsonb_build_object('at', at, 'author', author, 'text', text) order by note.id), '[]')
  from application_notes note where application_id = provider_applications.id))`

/** Returns SQL for the digits of a phone number without the country code of the USA, as `nationalDigits` does. */
export const DIGITS = (column: string) =>
  `regexp_replace(regexp_replace(${column}, '\\D', '', 'g'), '^1(\\d{10})$', '\\1')`

export async function findRow(
  trx: Transaction,
  kind: ErasureKind,
  id: number,
): Promise<Pick<FormRow, 'row'> | undefined> {
  const [row] = await queryRows<Pick<FormRow, 'row'>>(
    trx,
    kind === 'lead'
      ? `select to_jsonb(leads) as row from leads where id = :id
         union all select lead from deleted_leads where id = :id`
      : 'select to_jsonb(provider_applications) as row from provider_applications where id = :id',
    { id },
  )
  return row
}

async function readForm(db: Db, { kind, id, deleted_at, row }: FormRow): Promise<PersonForm> {
  const owner = kind === 'lead' ? { leadId: id } : { applicationId: id }
  const [clinic, consent, deliveries, acts, reads, work, edits, messages] = await Promise.all([
    db('providers')
      .where('id', Number(row.provider_id ?? 0))
      .first<{ id: number; name: string; email: string } | undefined>(
        'id',
        'name',
        db.raw(`${REQUEST_EMAIL} as email`),
      ),
    db(kind === 'lead' ? 'consents' : 'application_consents')
      .where(kind === 'lead' ? 'lead_id' : 'application_id', id)
      .first(),
    jobs.list(db, owner),
    auditLog.list(db, { page: 1, limit: MAX_LINES, entity: kind, entityId: String(id) }),
    accessLog.list(db, { page: 1, limit: MAX_LINES, entity: kind, rowId: id }),
    kind === 'lead' ? leadWork.findAll(db, id) : null,
    kind === 'lead' ? leadEdits.list(db, id) : [],
    kind === 'lead' ? sentMessages.list(db, id) : [],
  ])
  const fields = Object.fromEntries(Object.entries(row).filter(([column]) => !INTERNAL.has(column)))
  return {
    ...{ kind, id, fields, deliveries, messages, edits, work },
    reference: row.reference == null ? null : String(row.reference),
    created_at: new Date(String(row.created_at)).toISOString(),
    deleted_at: deleted_at?.toISOString() ?? null,
    clinic: clinic ?? null,
    consent: consent ? { ...consent, given_at: consent.given_at.toISOString() } : null,
    acts: acts.lines,
    reads: reads.lines,
  }
}
