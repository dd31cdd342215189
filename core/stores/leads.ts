import type { Lead, LeadListQuery, LeadReceipt, NewLead } from '../contract/leads.ts'
import type { Db, Transaction } from '../db.ts'
import { AppError } from '../errors.ts'
import { jobsForLaterMatch, jobsForNewLead } from '../rules/deliveries.ts'
import { personKey, REPEAT_WINDOW, requestHash } from '../rules/duplicates.ts'
import type { Match, NoMatch } from '../rules/matching.ts'
import { consentEvidence, type Visit } from './consents.ts'
import * as jobs from './jobs.ts'

export type Submission = {
  lead: NewLead
  chosenProviderId?: number
  idempotencyKey?: string
  match: Match | NoMatch
  visit: Visit
}

/**
 * Stores leads, each with its consent and its jobs, all or nothing, in one statement for all of them. A repeat (the same
 * idempotency key, or the same person within ten minutes) makes nothing and gets the first lead's receipt.
 *
 * @returns in the order of the submissions, a receipt for each; or an AppError `invalid`, where the idempotency key was
 *   used for another form
 */
export async function submit(db: Db, submissions: Submission[]): Promise<(LeadReceipt | AppError)[]> {
  const receipts = await insert(db, withoutRepeats(submissions))
  return Promise.all(
    submissions.map(async (submission) => receipts.get(submission) ?? (await findFirst(db, submission))),
  )
}

/** Without those that repeat the person or the key of one before them: together they are repeats like any other. */
function withoutRepeats(submissions: Submission[]): Submission[] {
  const seen = new Set<string>()
  return submissions.filter(({ lead, idempotencyKey }) => {
    const marks = [`person ${personKey(lead)}`, ...(idempotencyKey ? [`key ${idempotencyKey}`] : [])]
    const isRepeat = marks.some((mark) => seen.has(mark))
    if (!isRepeat) for (const mark of marks) seen.add(mark)
    return !isRepeat
  })
}

/** @returns the receipts of those that were stored; the others are repeats */
async function insert(db: Db, submissions: Submission[]): Promise<Map<Submission, LeadReceipt>> {
  const byPerson = new Map(submissions.map((submission) => [personKey(submission.lead), submission]))
  const owed = [true, false].flatMap((matched) => jobsForNewLead({ matched }).map((job) => ({ ...job, matched })))

  const { rows } = await db
    .raw(
      `with form as (
        select * from jsonb_to_recordset(?) as form (
          first_name text, last_name text, email text, phone text, zip_code text,
          acceptance_consent boolean, acceptance_message text, ip text, user_agent text, page_url text,
          provider_id integer, match_kind text, match_distance_miles double precision, attribution jsonb,
          idempotency_key text, request_hash text, person_key uuid, wording_version text, wording_hash text
        )
      ), lead as (
        insert into leads (
          first_name, last_name, email, phone, zip_code, acceptance_consent, acceptance_message, acceptance_ip,
          provider_id, matched_at, match_kind, match_distance_miles, attribution,
          idempotency_key, request_hash, person_key, repeat_window
        )
        select
          first_name, last_name, email, phone, zip_code, acceptance_consent, acceptance_message, ip,
          provider_id, case when provider_id is not null then now() end, match_kind, match_distance_miles, attribution,
          idempotency_key, request_hash, person_key, tstzrange(now(), now() + ? * interval '1 ms')
        from form
        -- In one order everywhere: two batches that wait for each other's people would be a deadlock.
        order by person_key
        on conflict do nothing
        returning id, provider_id, person_key
      ), consent as (
        insert into consents (lead_id, wording, wording_version, wording_hash, ip, user_agent, page_url)
        select id, acceptance_message, wording_version, wording_hash, ip, user_agent, page_url
        from lead join form using (person_key)
      ), owed as (
        insert into jobs (lead_id, name, purpose)
        select id, name, purpose
        from lead join unnest(?::text[], ?::text[], ?::boolean[]) as job (name, purpose, matched)
          on matched = (provider_id is not null)
      )
      select id, provider_id, person_key from lead`,
      [
        JSON.stringify([...byPerson].map(([person, submission]) => asRow(person, submission))),
        REPEAT_WINDOW,
        owed.map(({ name }) => name),
        owed.map(({ purpose }) => purpose),
        owed.map(({ matched }) => matched),
      ],
    )
    .options({ name: 'submit-leads' })

  return new Map(rows.map((row: StoredLead) => [byPerson.get(row.person_key), presentReceipt(row)]))
}

function asRow(person: string, { lead, match, visit, idempotencyKey, chosenProviderId }: Submission) {
  return {
    ...lead,
    ...consentEvidence(lead.acceptance_message, visit),
    ...(match.providerId !== null && {
      provider_id: match.providerId,
      match_kind: match.kind,
      match_distance_miles: match.miles,
    }),
    attribution: lead.attribution ?? {},
    idempotency_key: idempotencyKey,
    request_hash: requestHash(lead, chosenProviderId),
    person_key: person,
  }
}

async function findFirst(
  db: Db,
  { lead, chosenProviderId, idempotencyKey }: Submission,
): Promise<LeadReceipt | AppError> {
  const columns = ['id', 'provider_id', 'request_hash']
  const sameKey = idempotencyKey && (await db('leads').select(columns).where('idempotency_key', idempotencyKey).first())
  if (sameKey && sameKey.request_hash !== requestHash(lead, chosenProviderId)) return keyReused()

  const first =
    sameKey ||
    (await db('leads')
      .select(columns)
      .where('person_key', personKey(lead))
      .whereRaw('repeat_window @> now()')
      .orderBy('id')
      .first())
  // What we collided with can be gone by now: rolled back, deleted, or its window has just closed.
  return first ? presentReceipt(first) : collided()
}

const keyReused = () =>
  new AppError('invalid', 'This form was already sent with other details. Please reload the page and try again.')
const collided = () => new AppError('conflict', 'The same form was being sent twice. Please send it again.')

/** Locks a lead until the transaction ends. What changes a lead or its jobs takes this lock first, then the jobs'. */
export async function lock(trx: Transaction, id: number): Promise<Lead | null> {
  const row = await query(trx).where('id', id).forNoKeyUpdate().first()
  return row ? present(row) : null
}

export async function find(db: Db, id: number): Promise<Lead | null> {
  const row = await query(db).where('id', id).first()
  return row ? present(row) : null
}

/** One page of leads, and how many there are in all. */
export async function list(db: Db, { page, limit, sort }: LeadListQuery): Promise<{ leads: Lead[]; total: number }> {
  const order = sort.startsWith('-') ? 'desc' : 'asc'
  const [rows, [{ total }]] = await Promise.all([
    query(db)
      // Leads are created in the order of their ids.
      .orderBy('id', order)
      .limit(limit)
      .offset((page - 1) * limit),
    db('leads').select(db.raw('count(*)::integer as total')),
  ])
  return { leads: rows.map(present), total }
}

/**
 * Gives the lead to a provider, with all that we owe for it. The caller holds the lead's lock.
 * @returns false when the lead has that provider already; then nothing changes
 */
export async function assign(trx: Transaction, lead: Lead, match: Match): Promise<boolean> {
  if (lead.provider_id === match.providerId) return false

  await trx('leads').where('id', lead.id).update({
    provider_id: match.providerId,
    matched_at: trx.fn.now(),
    match_kind: match.kind,
    match_distance_miles: match.miles,
  })
  await jobs.add(trx, lead.id, jobsForLaterMatch())
  return true
}

/** Deletes a lead with its jobs; the evidence of consent stays. Returns false when there is no such lead. */
export async function remove(trx: Transaction, id: number): Promise<boolean> {
  await trx('jobs').where('lead_id', id).delete()
  return (await trx('leads').where('id', id).delete()) > 0
}

export async function setExternalId(trx: Transaction, id: number, crmExternalId: string): Promise<void> {
  await trx('leads').where('id', id).update({ crm_external_id: crmExternalId })
}

function query(db: Db) {
  return db('leads').select(
    'id',
    'first_name',
    'last_name',
    'email',
    'phone',
    'zip_code',
    'provider_id',
    'created_at',
    'crm_sync_status',
    'acceptance_message',
    'acceptance_consent',
    'acceptance_ip',
    'matched_at',
    'match_kind',
    'match_distance_miles',
    db.raw(`${jobs.deliveryStatusSql('send-email')} as email_status`),
  )
}

type LeadRow = Omit<Lead, 'created_at' | 'matched_at'> & { created_at: Date; matched_at: Date | null }

function present(row: LeadRow): Lead {
  return { ...row, created_at: row.created_at.toISOString(), matched_at: row.matched_at?.toISOString() ?? null }
}

type StoredLead = { id: number; provider_id: number | null; person_key: string }

function presentReceipt(row: Pick<StoredLead, 'id' | 'provider_id'>): LeadReceipt {
  return { id: row.id, ...(row.provider_id !== null && { providerId: row.provider_id }) }
}
