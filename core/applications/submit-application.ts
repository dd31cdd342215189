import { jobsForNewApplication } from '../deliveries/rules/deliveries.ts'
import * as changes from '../deliveries/stores/changes.ts'
import * as jobs from '../deliveries/stores/jobs.ts'
import { applicationHash, holdOf, practiceKey, REPEAT_WINDOW, storedKey } from '../leads/rules/duplicates.ts'
import { formCollision, keyReused } from '../leads/stores/repeats.ts'
import type { Db } from '../platform/db.ts'
import { consentEvidence, newReference, type Visit } from '../privacy/stores/consents.ts'
import type { Row } from '../tables/table.ts'
import type { ApplicationReceipt, NewApplication } from './contract/applications.ts'

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

/** An application that is stored, by the number that staff see, and what its sender is told. `isNew`: no repeat. */
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
  const { form, key } = marksOf(submission)
  const sameKey =
    key && (await db('provider_applications').where('idempotency_key', key).first('id', 'reference', 'request_hash'))
  if (sameKey && sameKey.request_hash !== applicationHash(submission.application)) throw keyReused()
  if (sameKey) {
    return { applicationId: sameKey.id, receipt: { id: Number(sameKey.reference ?? newReference()) }, isNew: false }
  }

  const sameForm = await db('provider_applications')
    .select('id')
    .where('practice_key', form)
    .whereRaw('repeat_window @> now()')
    .orderBy('id')
    .first()
  if (!sameForm) throw formCollision()
  return { applicationId: sameForm.id, receipt: { id: Number(newReference()) }, isNew: false }
}

/** Returns the values that a repeat of this submission shares with it. */
function marksOf({ application, idempotencyKey, heldReason }: ApplicationSubmission) {
  const held = { held: holdOf(heldReason) }
  return { form: practiceKey(application, held), key: storedKey(idempotencyKey, held) }
}
