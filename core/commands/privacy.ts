import type { ErasureKind, FormId, PersonForm, PersonRecord } from '../contract/privacy.ts'
import { AppError } from '../errors.ts'
import type { Db, Transaction } from '../platform/db.ts'
import { emailsQuery, nationalDigits } from '../rules/lead-search.ts'
import { type Contact, personHashes } from '../rules/person-hash.ts'
import * as accessLog from '../stores/access-log.ts'
import * as applications from '../stores/applications.ts'
import * as auditLog from '../stores/audit-log.ts'
import * as changes from '../stores/changes.ts'
import * as consentChain from '../stores/consent-chain.ts'
import * as deletedLeads from '../stores/deleted-leads.ts'
import * as erasures from '../stores/erasures.ts'
import * as jobs from '../stores/jobs.ts'
import { WORDS } from '../stores/lead-lists.ts'
import * as leads from '../stores/leads.ts'
import * as suppressions from '../stores/suppressions.ts'

/** Lines of the audit log and of the access log that are shown of one form. */
const MAX_LINES = 1000

/** Columns that say nothing about the person: they keep repeats out, or repeat other columns. */
const INTERNAL = new Set(['idempotency_key', 'request_hash', 'person_key', 'practice_key', 'repeat_window', 'words'])

type Keys = { personKey: Buffer; chainKey: Buffer }
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

/**
 * Deletes forms of a person for good, in one transaction. CRM and clinics that know of them are asked to delete them as
 * well, by jobs in the ledger. Their evidence of consent loses IP address and browser.
 * @param forms those of the person that were looked at
 * @returns the number of the erasure
 * @throws AppError `conflict` when one of the forms is not, or no longer, of this person
 */
export async function erase(
  db: Db,
  { contact, forms }: { contact: string; forms: FormId[] },
  { actor, personKey, chainKey }: { actor: string } & Keys,
): Promise<number> {
  // The seals keep the hashes of what is removed from the evidence.
  await consentChain.seal(db, chainKey, { all: true })
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
    await consentChain.blankErased(trx)
    await changes.announce(trx, { leads: idsOf(forms, 'lead'), applications: idsOf(forms, 'application') })
    return requestId
  })
}

/**
 * Deletes again what was deleted before a backup was restored that still has it. A form counts as the same when its kind,
 * number and receipt, or without a receipt its time, are.
 * @returns how many there were
 */
export async function reapply(db: Db, erased: erasures.Tombstone[], { personKey }: Keys): Promise<number> {
  let count = 0
  for (const { kind, row_id: id, reference, sent_at, reason } of erased) {
    count += await db.transaction(async (trx) => {
      const row = (await findRow(trx, kind, id))?.row
      if (!row) return 0
      const isSame =
        reference === null
          ? new Date(String(row.created_at)).getTime() === new Date(sent_at).getTime()
          : String(row.reference) === reference
      if (!isSame) return 0
      // The person's request itself is lost; the line in the audit log says that it was made.
      await eraseForm(trx, { kind, id }, { reason: reason === 'request' ? 'deleted' : reason, personKey })
      const details = { again: true, reason }
      await auditLog.record(trx, { actor: 'command line', action: 'erase', entity: kind, entityId: id, details })
      return 1
    })
  }
  return count
}

async function eraseForm(trx: Transaction, { kind, id }: FormId, erasing: erasures.Erasing): Promise<void> {
  if (kind === 'application') {
    if (await applications.lock(trx, id)) await applications.remove(trx, id, erasing)
  } else if (await leads.lock(trx, id)) {
    await deletedLeads.erase(trx, id, erasing)
  } else {
    await deletedLeads.purgeOne(trx, id, erasing)
  }
}

/** Every transaction locks leads by their numbers, so that two cannot wait for each other. */
const inOrder = (forms: FormId[]) => forms.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b), 'en', { numeric: true }))
const keyOf = ({ kind, id }: FormId) => `${kind} ${id}`
const idsOf = (forms: FormId[], kind: ErasureKind) => forms.flatMap((form) => (form.kind === kind ? form.id : []))

async function findForms(db: Db | Transaction, { email, phone }: Contact): Promise<FormRow[]> {
  const word = email === undefined ? nationalDigits(phone ?? '') : email.toLowerCase()
  const isTheirs = email === undefined ? `${DIGITS('phone')} = ?` : 'lower(email) = ?'
  const isTheirsDeleted = email === undefined ? `${DIGITS(`lead->>'phone'`)} = ?` : `lower(lead->>'email') = ?`
  const { rows } = await db.raw(
    `select 'lead' as kind, id, null::timestamptz as deleted_at, to_jsonb(leads) as row from leads
     where ${WORDS} @@ ?::tsquery and ${isTheirs}
     union all
     select 'lead', id, deleted_at, lead from deleted_leads where ${isTheirsDeleted}
     union all
     select 'application', id, null, to_jsonb(provider_applications) from provider_applications where ${isTheirs}`,
    [emailsQuery([word]), word, word, word],
  )
  return rows
}

/** SQL for the digits of a phone number without the country code of the USA, as `nationalDigits` has them. */
const DIGITS = (column: string) => `regexp_replace(regexp_replace(${column}, '\\D', '', 'g'), '^1(\\d{10})$', '\\1')`

async function findRow(trx: Transaction, kind: ErasureKind, id: number): Promise<FormRow | undefined> {
  const { rows } = await trx.raw(
    kind === 'lead'
      ? `select to_jsonb(leads) as row from leads where id = :id
         union all select lead from deleted_leads where id = :id`
      : 'select to_jsonb(provider_applications) as row from provider_applications where id = :id',
    { id },
  )
  return rows[0]
}

async function readForm(db: Db, { kind, id, deleted_at, row }: FormRow): Promise<PersonForm> {
  const owner = kind === 'lead' ? { leadId: id } : { applicationId: id }
  const [clinic, consent, deliveries, acts, reads] = await Promise.all([
    db('providers')
      .where('id', Number(row.provider_id ?? 0))
      .first('id', 'name', 'email'),
    db(kind === 'lead' ? 'consents' : 'application_consents')
      .where(kind === 'lead' ? 'lead_id' : 'application_id', id)
      .first(),
    jobs.list(db, owner),
    auditLog.list(db, { page: 1, limit: MAX_LINES, entity: kind, entityId: String(id) }),
    accessLog.list(db, { page: 1, limit: MAX_LINES, entity: kind, rowId: id }),
  ])
  const fields = Object.fromEntries(Object.entries(row).filter(([column]) => !INTERNAL.has(column)))
  return {
    ...{ kind, id, fields, deliveries },
    reference: row.reference == null ? null : String(row.reference),
    created_at: new Date(String(row.created_at)).toISOString(),
    deleted_at: deleted_at?.toISOString() ?? null,
    clinic: clinic ?? null,
    consent: consent ? { ...consent, given_at: consent.given_at.toISOString() } : null,
    acts: acts.lines,
    reads: reads.lines,
  }
}
