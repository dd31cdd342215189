import { type HeldReason, LEAD_FIELD_NAMES, type LeadReceipt, type NewLead } from '../contract/forms.ts'
import { jobsForNewLead } from '../deliveries/rules/deliveries.ts'
import { CHANGES_CHANNEL } from '../deliveries/stores/changes.ts'
import { JOBS_CHANNEL } from '../deliveries/stores/jobs.ts'
import { createBatcher, type Db, isDataError, queryRows } from '../platform/db.ts'
import { consentEvidence, newReference, type Visit } from '../privacy/stores/consents.ts'
import type { Row } from '../tables/table.ts'
import { holdOf, REPEAT_WINDOW, type Repeat, repeatKey, requestHash, storedKey } from './rules/duplicates.ts'
import type { Match, NoMatch } from './rules/matching.ts'
import { findFirstForm } from './stores/repeats.ts'

export type LeadSubmission = {
  lead: NewLead
  chosenProviderId?: number
  idempotencyKey?: string
  match: Match | NoMatch
  /** What earlier requests of the person mean. */
  repeat?: Repeat
  /** Why it is to be held for staff, if it is. */
  heldReason?: HeldReason | null
  /** Why it would be held for a cap on mail if it did not repeat a delivered lead. */
  beyondCap?: HeldReason | null
  /** Whether it is held and the visitor gets the usual email all the same (`jobsForNewLead`). */
  isQuiet?: boolean
  /** Whether the team was told of that reason just now, and need not be told again. */
  isNotified?: boolean
  /** Whether staff test their setup with it: then it counts nowhere. */
  isTest?: boolean
  visit: Visit
  /** The request that it came with. */
  requestId?: string | null
}

/** A lead that is stored, by the number that staff see, and what its sender is told. `isNew`: no repeat. */
export type SubmittedLead = {
  leadId: number
  receipt: LeadReceipt
  heldReason: HeldReason | null
  isNew: boolean
}

/**
 * Stores a lead with its consent and its jobs, all or nothing, in one statement. A repeat (the same idempotency key, or the
 * same form within ten minutes) makes nothing: constraints refuse it even when it comes at the same time. By its key it gets the
 * first lead's receipt. By its content alone it gets a receipt like that of a new lead, so that a copied form tells nothing about
 * the first one. A held lead is never a repeat of one that is not held, nor the other way round.
 *
 * @param chainKey signs the consent (`consent-chain`)
 * @param insertOne groups the rows of a process; without it the lead has a statement of its own, in the transaction `db`
 * @throws AppError `invalid` when the idempotency key was used for another form
 */
export async function storeLead(
  db: Db,
  submission: LeadSubmission,
  chainKey: Buffer,
  insertOne?: ReturnType<typeof createInserter>,
): Promise<SubmittedLead> {
  const marked = { ...submission, ...marksOf(submission) }
  const row = asRow(marked, chainKey)
  const stored = insertOne ? await insertOne(row) : (await insert(db, [row]))[0]
  return stored ? { ...present(stored, marked), isNew: true } : findFirst(db, marked)
}

/**
 * Returns a function that inserts rows of a pool. Rows that come while others are written go next, in one statement: a statement
 * for each halved the forms a second (`npm run bench -- submit`), because PostgreSQL prepares the indexes and constraints of four
 * tables for each, and commits that notify wait for each other's disk.
 */
export const createInserter = (db: Db) =>
  createBatcher((rows: FormRow[]) => insert(db, rows), { linger: 5, isAboutOne: isDataError })

type FormRow = ReturnType<typeof asRow>

/** A submission with the values that a repeat of it shares with it. */
type Marked = LeadSubmission & ReturnType<typeof marksOf>

function marksOf({ lead, chosenProviderId, idempotencyKey, heldReason }: LeadSubmission) {
  const held = { held: holdOf(heldReason) }
  return { form: repeatKey(lead, chosenProviderId, held), key: storedKey(idempotencyKey, held) }
}

const FIELDS: (keyof Row<'leads'>)[] = LEAD_FIELD_NAMES

/** Inserts rows. Returns null in the place of a repeat. */
async function insert(db: Db, forms: FormRow[]): Promise<(StoredLead | null)[]> {
  const rows = await queryRows<StoredLead>(
    db,
    `with form as (
        select * from jsonb_to_recordset(?) as form (
          ${FIELDS.map((name) => `${name} text`)},
          acceptance_consent boolean, provider_id integer, match_kind text, match_distance_miles double precision,
          match_skipped jsonb, repeat_of integer, attribution jsonb, held_reason text, is_test boolean, idempotency_key text,
          request_hash text, person_key uuid, request_id text,
          wording text, wording_version text, wording_hash text, sharing_version text, sharing_wording text, ip text,
          user_agent text, page_url text, channel text, reference bigint, given_at timestamptz, ip_hash text,
          browser_hash text, mac text, owed jsonb
        )
      ), lead as (
        insert into leads (
          ${FIELDS}, acceptance_consent, acceptance_message,
          provider_id, matched_at, match_kind, match_distance_miles, match_skipped, repeat_of, attribution, held_reason,
          is_test, reference, idempotency_key, request_hash, person_key, repeat_window
        )
        select
          ${FIELDS}, acceptance_consent, wording,
          provider_id, case when provider_id is not null then now() end, match_kind, match_distance_miles,
          match_skipped, repeat_of, attribution, held_reason, is_test, reference, idempotency_key, request_hash, person_key, tstzrange(now(), now() + ? * interval '1 ms')
        from form
        -- In one order everywhere: two statements that wait for each other's forms would be a deadlock.
        order by person_key
        on conflict do nothing
        returning id, reference, provider_id, held_reason, is_test
      ), consent as (
        insert into consents (
          lead_id, wording, wording_version, wording_hash, sharing_version, sharing_wording, ip, user_agent, page_url,
          channel, reference, given_at, ip_hash, browser_hash, mac
        )
        select
          id, wording, wording_version, wording_hash, sharing_version, sharing_wording, ip, user_agent, page_url,
          channel, reference, given_at, ip_hash, browser_hash, mac
        from lead join form using (reference)
      ), clock as (
        insert into answer_clocks (lead_id, provider_id)
        select id, provider_id from lead where provider_id is not null and held_reason is null and not is_test
      ), owed as (
        insert into jobs (subject_kind, subject_id, name, purpose, request_id)
        select 'lead', id, name, purpose, request_id
        from lead join form using (reference) cross join jsonb_to_recordset(owed) as job (name text, purpose text)
      )
      select id, reference, provider_id, held_reason, (
        -- Once for all of them. As announce() does, but on the way: a statement of its own would be a round trip.
        select pg_notify(?, json_build_object('leads', json_agg(id))::text) from lead having count(*) > 0
      ) as announced, pg_notify(?, '') as woken
      from lead`,
    [JSON.stringify(forms), REPEAT_WINDOW, CHANGES_CHANNEL, JOBS_CHANNEL],
    { name: 'store-leads' },
  )
  return forms.map(({ reference }) => rows.find((row) => row.reference === reference) ?? null)
}

function asRow(submission: Marked, chainKey: Buffer) {
  const { match, visit, heldReason = null, isQuiet: quiet, isNotified, chosenProviderId, form, key } = submission
  const kind = { matched: match.providerId !== null, held: heldReason !== null, quiet }
  // These are not sent to the database, because a program may have filled them with anything, which could fail the
  // statement.
  const { topic: _topic, elapsed_ms: _elapsed, touched: _touched, ...lead } = submission.lead
  const { acceptance_message: _message, consent_version: _version, ...fields } = lead
  return {
    ...fields,
    ...consentEvidence('lead', lead, visit, { key: chainKey, reference: newReference() }),
    ...(match.providerId !== null && {
      provider_id: match.providerId,
      match_kind: match.kind,
      match_distance_miles: match.miles,
    }),
    match_skipped: match.skipped ?? null,
    repeat_of: submission.repeat?.repeatOf ?? null,
    attribution: lead.attribution ?? {},
    held_reason: heldReason,
    is_test: submission.isTest ?? false,
    idempotency_key: key,
    request_hash: requestHash(lead, chosenProviderId),
    person_key: form,
    owed: isNotified ? [] : jobsForNewLead(kind),
    request_id: submission.requestId ?? null,
  }
}

async function findFirst(db: Db, submission: Marked): Promise<SubmittedLead> {
  const { lead, chosenProviderId, form, key } = submission
  const columns = ['id', 'reference', 'provider_id', 'match_kind', 'repeat_of', 'held_reason'] as const
  const marks = { form, key, hash: requestHash(lead, chosenProviderId) }
  const { first, isSameKey } = await findFirstForm(db, 'leads', columns, marks)
  if (isSameKey) return presentFirst(first, submission)
  // A new form would be held now.
  const held_reason = submission.beyondCap ?? first.held_reason
  return presentFirst({ ...first, reference: null, held_reason }, submission)
}

type StoredLead = Pick<Row<'leads'>, 'id' | 'reference' | 'provider_id'> & { held_reason: HeldReason | null }

/**
 * Names no provider for a lead that is held for what it is, because that provider has not been told. Otherwise it names
 * the one that a person without earlier requests would get, also where the person asked not to be contacted: a stranger may
 * have typed the address or the number.
 */
function present(
  { id: leadId, reference, provider_id, held_reason: heldReason }: StoredLead,
  { match }: Pick<Marked, 'match'>,
): Omit<SubmittedLead, 'isNew'> {
  const id = Number(reference ?? newReference())
  if (heldReason !== null && heldReason !== 'do_not_contact') {
    return { leadId, heldReason, receipt: { id, inReview: true } }
  }
  const ofAgain = match.providerId === null ? undefined : match.again?.usualId
  const usualId = match.usualId === undefined ? ofAgain : match.usualId
  const providerId = usualId === undefined ? provider_id : usualId
  return { leadId, heldReason, receipt: { id, ...(providerId !== null && { providerId }) } }
}

/** Presents the first one of repeated leads, which is itself an earlier request now. */
function presentFirst(
  first: StoredLead & Pick<Row<'leads'>, 'match_kind' | 'repeat_of'>,
  { match }: Marked,
): SubmittedLead {
  const isUsual = first.repeat_of === null && (first.match_kind === 'nearest' || first.match_kind === 'chosen')
  return { ...present(first, { match: isUsual ? { ...match, usualId: first.provider_id } : match }), isNew: false }
}
