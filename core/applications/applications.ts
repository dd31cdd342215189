import { jobsForNewApplication, jobsForReleasedApplication } from '../deliveries/rules/deliveries.ts'
import * as changes from '../deliveries/stores/changes.ts'
import * as jobs from '../deliveries/stores/jobs.ts'
import { AppError } from '../errors.ts'
import { matchWaitingLeads } from '../leads/pass-on.ts'
import { applicationHash, holdOf, practiceKey, REPEAT_WINDOW, storedKey } from '../leads/rules/duplicates.ts'
import { deleteNote, type NoteDeletion } from '../leads/stores/lead-changes.ts'
import { findFirstForm } from '../leads/stores/repeats.ts'
import { type Db, only, type Transaction } from '../platform/db.ts'
import { ASKED_TO_STOP, allowContact } from '../privacy/stop-contact.ts'
import { consentEvidence, newReference, type Visit } from '../privacy/stores/consents.ts'
import * as erasures from '../privacy/stores/erasures.ts'
import type { Actor } from '../staff/stores/audit-log.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import type { Row } from '../tables/table.ts'
import type {
  Application,
  ApplicationReceipt,
  ApplicationStatus,
  ApplicationUpdate,
  Certification,
  NewApplication,
} from './contract/applications.ts'
import * as applications from './stores/applications.ts'
import { BATCH } from './stores/applications.ts'

export type ApplicationSubmission = {
  application: NewApplication
  idempotencyKey?: string
  /** Why it is to be held for staff, if it is. */
  heldReason?: Row<'provider_applications'>['held_reason']
  /** Whether it is held and the applicant gets the usual email all the same (`jobsForNewApplication`). */
  isQuiet?: boolean
  /** Whether the team was told of the reason just now, and need not be told again. */
  isNotified?: boolean
  visit: Visit
}

/** A stored application, by the number that staff see, with the receipt for its sender. `isNew`: not a repeat. */
export type SubmittedApplication = { applicationId: number; receipt: ApplicationReceipt; isNew: boolean }

/**
 * Stores an application with its consent and its jobs, all or nothing. A repeat (the same idempotency key, or the same
 * form within ten minutes) makes nothing. By its key it gets the first one's receipt, by its content alone one like a new
 * one's. Held applications and the others do not repeat each other.
 *
 * @param chainKey signs the consent (`consent-chain`)
 * @throws AppError `invalid` when the idempotency key was used for another form
 */
export async function submitApplication(
  db: Db,
  submission: ApplicationSubmission,
  chainKey: Buffer,
): Promise<SubmittedApplication> {
  return (await insert(db, submission, chainKey)) ?? (await findFirst(db, submission))
}

/** Returns null for a repeat, which constraints refuse even when it runs in parallel. */
async function insert(
  db: Db,
  submission: ApplicationSubmission,
  chainKey: Buffer,
): Promise<SubmittedApplication | null> {
  const { application, visit, heldReason = null, isQuiet: quiet = false, isNotified = false } = submission
  const { name, practice_name, email, phone, zip_code, website, message } = application
  const { form, key } = marksOf(submission)
  const reference = newReference()

  return db.transaction(async (trx) => {
    const [stored] = await trx('provider_applications')
      .insert({
        ...{ name, practice_name, email, phone, zip_code, website, message },
        held_reason: heldReason,
        reference,
        idempotency_key: key,
        request_hash: applicationHash(application),
        practice_key: form,
        repeat_window: trx.raw(`tstzrange(now(), now() + ? * interval '1 ms')`, [REPEAT_WINDOW]),
      })
      .onConflict()
      .ignore()
      .returning('id')
    if (!stored) return null

    await trx('application_consents').insert({
      application_id: stored.id,
      ...consentEvidence('application', application, visit, { key: chainKey, reference }),
    })
    if (!isNotified) {
      await jobs.add(trx, `application:${stored.id}`, jobsForNewApplication({ held: heldReason !== null, quiet }))
    }
    await changes.announce(trx, { applications: [stored.id] })
    return { applicationId: stored.id, receipt: { id: Number(reference) }, isNew: true }
  })
}

async function findFirst(db: Db, submission: ApplicationSubmission): Promise<SubmittedApplication> {
  const hash = applicationHash(submission.application)
  const { first, isSameKey } = await findFirstForm(db, 'provider_applications', ['id', 'reference'], {
    ...marksOf(submission),
    hash,
  })
  const reference = (isSameKey && first.reference) || newReference()
  return { applicationId: first.id, receipt: { id: Number(reference) }, isNew: false }
}

/** Returns the values that a repeat of this submission shares with it. */
function marksOf({ application, idempotencyKey, heldReason }: ApplicationSubmission) {
  const held = { held: holdOf(heldReason) }
  return { form: practiceKey(application, held), key: storedKey(idempotencyKey, held) }
}

/**
 * Sets how far an application is, or who takes care of it. Idempotent.
 * @throws AppError `not_found`, `conflict` when the account of the owner does not exist or is disabled
 */
export async function changeApplication(
  db: Db,
  id: number,
  { status, owner_id }: ApplicationUpdate,
  { actor }: Actor,
): Promise<Application> {
  return onApplication(db, id, async (trx, application) => {
    if (owner_id !== undefined && owner_id !== application.owner_id) {
      const owner =
        owner_id === null ? null : await trx('staff_accounts').where('id', owner_id).first('name', 'disabled_at')
      if (owner === undefined || owner?.disabled_at) {
        throw new AppError('conflict', 'This account does not exist or is disabled. Choose another owner.')
      }
      await trx('provider_applications').where({ id }).update({ owner_id })
      const details = { from: application.owner_id, to: owner_id, name: owner?.name ?? application.owner_name }
      await auditLog.record(trx, { actor, action: 'application-owner', entity, entityId: id, details })
    }
    if (status !== undefined && status !== application.status) await setStatus(trx, application, status, actor)
    return (await applications.find(trx, id)) ?? application
  })
}

async function setStatus(trx: Transaction, { id, status: from }: Application, to: ApplicationStatus, actor: string) {
  await trx('provider_applications').where({ id }).update({ status: to })
  await auditLog.record(trx, { actor, action: 'set-status', entity, entityId: id, details: { from, to } })
}

/** Adds a note to an application. @throws AppError `not_found` */
export async function addApplicationNote(db: Db, id: number, text: string, { actor }: Actor): Promise<void> {
  await onApplication(db, id, async (trx) => {
    await trx('application_notes').insert({ application_id: id, author: actor, text })
    await auditLog.record(trx, { actor, action: 'application-note', entity, entityId: id })
  })
}

/**
 * Deletes a note of an application.
 * @throws AppError `not_found`, `forbidden`
 */
export async function deleteApplicationNote(db: Db, id: number, noteId: number, by: NoteDeletion): Promise<void> {
  await onApplication(db, id, async (trx) => {
    await deleteNote(trx('application_notes').where({ id: noteId, application_id: id }), by)
    const details = { note: noteId }
    await auditLog.record(trx, { actor: by.actor, action: 'delete-application-note', entity, entityId: id, details })
  })
}

/**
 * Certifies an application and makes its provider here, without a post in WordPress: a sync leaves such providers alone.
 * Waiting leads of the last 30 days are matched again by the usual rules where that is asked for.
 * @returns the id of the provider
 * @throws AppError `not_found`, `conflict` when it is held or has a provider already
 */
export async function certifyApplication(
  db: Db,
  id: number,
  { active, match_waiting }: Pick<Certification, 'active' | 'match_waiting'>,
  { actor }: Actor,
): Promise<number> {
  return onApplication(db, id, async (trx, application) => {
    if (application.held_reason !== null) {
      throw new AppError('conflict', 'This application is held. Release it first.')
    }
    if (await applications.findProvider(trx, id))
      throw new AppError('conflict', 'This application already has a provider.')

    const { name, practice_name, zip_code, email, phone, website, status } = application
    const made = only(
      await trx('providers')
        .insert({ name, practice_name, zip_code, email, phone, website, status: active ? 't' : 'f', hidden: !active })
        .returning('id'),
    )
    await trx('provider_applications').where({ id }).update({ provider_id: made.id })
    if (status !== 'certified') await setStatus(trx, application, 'certified', actor)
    const details = { provider: made.id, active }
    await auditLog.record(trx, { actor, action: 'certify', entity, entityId: id, details })
    const leads = active && match_waiting ? await matchWaitingLeads(trx, null) : []
    await changes.announce(trx, { providers: [made.id], jobs: leads })
    return made.id
  })
}

/** Deletes the application permanently, and what is still to be sent for it. @throws AppError `not_found` */
export async function deleteApplication(
  db: Db,
  id: number,
  { actor, personKey }: Actor & { personKey: Buffer },
): Promise<void> {
  await onApplication(db, id, async (trx) => {
    await eraseApplication(trx, id, { reason: 'deleted', personKey })
    await auditLog.record(trx, { actor, action: 'delete', entity, entityId: id })
  })
}

/** Deletes an application permanently, with its jobs; the evidence of consent stays. The caller holds its lock. */
export async function eraseApplication(trx: Transaction, id: number, erasing: erasures.Erasing): Promise<void> {
  await jobs.remove(trx, `application:${id}`)
  const columns = ['id', 'reference', 'created_at', 'email', 'phone'] as const
  const [row] = await trx('provider_applications').where({ id }).delete().returning(columns)
  if (row) await erasures.record(trx, 'application', row, erasing)
}

const expired = (db: Db, days: number) =>
  db('provider_applications').whereRaw(`created_at <= now() - ? * interval '24 hours'`, [days])

/** Deletes permanently the applications that came in more than `days` ago. Returns how many, up to 500 at once. */
export async function purgeExpiredApplications(db: Db, days: number, personKey: Buffer): Promise<number> {
  if (days === Infinity) return 0
  return db.transaction(async (trx) => {
    const ids: number[] = await expired(trx, days).orderBy('id').limit(BATCH).forUpdate().skipLocked().pluck('id')
    for (const id of ids) {
      await eraseApplication(trx, id, { reason: 'retention', personKey })
      const details = { reason: 'retention' }
      await auditLog.record(trx, { actor: 'system', action: 'purge', entity: 'application', entityId: id, details })
    }
    return ids.length
  })
}

const entity = 'application'

/** Runs a use case on one application: in a transaction that holds its lock, and announces the change. @throws AppError `not_found` */
async function onApplication<Result>(
  db: Db,
  id: number,
  act: (trx: Transaction, application: Application) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (trx) => {
    const application = await applications.lock(trx, id)
    if (!application) throw applications.notFound()
    const result = await act(trx, application)
    await changes.announce(trx, { applications: [id] })
    return result
  })
}

/**
 * Releases a held application, and emails the applicant and the team as for a new one. Lifts the applicant's wish not to
 * be contacted where that was the reason.
 * @param liftKey of the purpose `person-hash`; only when staff lift the wish
 * @throws AppError `not_found`, `conflict` when the application is not held, or without `liftKey` for such a wish
 */
export async function releaseApplication(
  db: Db,
  id: number,
  { actor, liftKey }: Actor & { liftKey?: Buffer },
): Promise<void> {
  await onApplication(db, id, async (trx, application) => {
    const { held_reason } = application
    if (held_reason === null) {
      throw new AppError('conflict', 'This application is not held. There is nothing to release.')
    }
    if (held_reason === 'do_not_contact') {
      if (!liftKey) throw new AppError('conflict', ASKED_TO_STOP)
      await allowContact(trx, application, { actor, because: 'The new application was released.' }, liftKey)
    }
    await trx('provider_applications').where({ id }).update({ held_reason: null })
    await jobs.add(trx, `application:${id}`, jobsForReleasedApplication())
    await auditLog.record(trx, { actor, action: 'release', entity, entityId: id, details: { reason: held_reason } })
  })
}
