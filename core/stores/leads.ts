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
 * Stores a lead, its consent and its jobs, all or nothing, in one statement. A repeat (the same idempotency key, or the
 * same person within ten minutes) makes nothing and gets the first lead's receipt.
 *
 * @throws AppError `invalid` when the idempotency key was used for another form
 */
export async function submit(db: Db, submission: Submission): Promise<{ receipt: LeadReceipt; isNew: boolean }> {
  for (let attempt = 1; attempt <= 3; attempt++) {
    const stored = await insert(db, submission)
    if (stored) return { receipt: stored, isNew: true }

    const first = await findFirst(db, submission)
    if (first) return { receipt: first, isNew: false }
    // What we collided with is gone: it was rolled back, deleted, or its window has just closed.
  }
  throw new AppError('conflict', 'The same form is being sent by somebody else. Please try again.')
}

async function insert(db: Db, submission: Submission): Promise<LeadReceipt | null> {
  const { lead, match, visit, idempotencyKey, chosenProviderId } = submission
  const isMatched = match.providerId !== null
  const owed = jobsForNewLead({ matched: isMatched })
  const evidence = consentEvidence(lead.acceptance_message, visit)

  const statement = db.raw(
    `with lead as (
      insert into leads (
        first_name, last_name, email, phone, zip_code, acceptance_consent, acceptance_message, acceptance_ip,
        provider_id, matched_at, match_kind, match_distance_miles, attribution,
        idempotency_key, request_hash, person_key, repeat_window
      ) values (
        :first_name, :last_name, :email, :phone, :zip_code, :acceptance_consent, :acceptance_message, :ip,
        :provider_id, case when :provider_id::integer is not null then now() end, :match_kind, :miles, :attribution,
        :idempotency_key, :request_hash, :person_key, tstzrange(now(), now() + :repeat_window * interval '1 ms')
      )
      on conflict do nothing
      returning id, provider_id
    ), consent as (
      insert into consents (lead_id, wording, wording_version, wording_hash, ip, user_agent, page_url)
      select id, :wording, :wording_version, :wording_hash, :ip, :user_agent, :page_url from lead
    ), owed as (
      insert into jobs (lead_id, name, purpose)
      select lead.id, job.name, job.purpose
      from lead, unnest(:job_names::text[], :job_purposes::text[]) as job (name, purpose)
    )
    select id, provider_id from lead`,
    {
      ...lead,
      ...evidence,
      provider_id: match.providerId,
      match_kind: isMatched ? match.kind : null,
      miles: isMatched ? match.miles : null,
      attribution: JSON.stringify(lead.attribution ?? {}),
      idempotency_key: idempotencyKey ?? null,
      request_hash: requestHash(lead, chosenProviderId),
      person_key: personKey(lead),
      repeat_window: REPEAT_WINDOW,
      job_names: owed.map(({ name }) => name),
      job_purposes: owed.map(({ purpose }) => purpose),
    },
  )
  const { rows } = await statement.options({ name: 'submit-lead' })
  return rows[0] ? presentReceipt(rows[0]) : null
}

async function findFirst(db: Db, { lead, chosenProviderId, idempotencyKey }: Submission): Promise<LeadReceipt | null> {
  const columns = ['id', 'provider_id', 'request_hash']
  const sameKey = idempotencyKey && (await db('leads').select(columns).where('idempotency_key', idempotencyKey).first())
  if (sameKey && sameKey.request_hash !== requestHash(lead, chosenProviderId)) {
    throw new AppError(
      'invalid',
      'This form was already sent with other details. Please reload the page and try again.',
    )
  }

  const first =
    sameKey ||
    (await db('leads')
      .select(columns)
      .where('person_key', personKey(lead))
      .whereRaw('repeat_window @> now()')
      .orderBy('id')
      .first())
  return first ? presentReceipt(first) : null
}

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

function presentReceipt(row: { id: number; provider_id: number | null }): LeadReceipt {
  return { id: row.id, ...(row.provider_id !== null && { providerId: row.provider_id }) }
}
