import type { ApplicationReceipt, NewApplication } from '../contract/applications.ts'
import type { HeldReason } from '../contract/forms.ts'
import type { Db } from '../db.ts'
import { jobsForNewApplication } from '../rules/deliveries.ts'
import { applicationHash, practiceKey, REPEAT_WINDOW, storedKey } from '../rules/duplicates.ts'
import * as changes from './changes.ts'
import { consentEvidence, type Visit } from './consents.ts'
import * as jobs from './jobs.ts'
import { collided, keyReused } from './repeats.ts'

export type Submission = {
  application: NewApplication
  idempotencyKey?: string
  /** Why it is to be held for staff, if it is. */
  heldReason?: HeldReason | null
  visit: Visit
}

/**
 * Stores an application with its consent and its jobs, all or nothing. A repeat (the same idempotency key, or the same
 * practice within ten minutes) makes nothing and gets the first one's receipt. Held applications and the others do not
 * repeat each other.
 *
 * @throws AppError `invalid` when the idempotency key was used for another form
 */
export async function submit(db: Db, submission: Submission): Promise<ApplicationReceipt> {
  return (await insert(db, submission)) ?? (await findFirst(db, submission))
}

/** Null when it is a repeat: constraints refuse it, whatever runs in parallel. */
async function insert(db: Db, submission: Submission): Promise<ApplicationReceipt | null> {
  const { application, visit, heldReason = null } = submission
  const { name, practice_name, email, phone, zip_code, website, message, acceptance_message } = application
  const { practice, key } = marksOf(submission)

  return db.transaction(async (trx) => {
    const [stored] = await trx('provider_applications')
      .insert({
        ...{ name, practice_name, email, phone, zip_code, website, message },
        held_reason: heldReason,
        idempotency_key: key,
        request_hash: applicationHash(application),
        practice_key: practice,
        repeat_window: trx.raw(`tstzrange(now(), now() + ? * interval '1 ms')`, [REPEAT_WINDOW]),
      })
      .onConflict()
      .ignore()
      .returning('id')
    if (!stored) return null

    await trx('application_consents').insert({
      application_id: stored.id,
      wording: acceptance_message,
      ...consentEvidence(acceptance_message, visit),
    })
    await jobs.add(trx, { applicationId: stored.id }, jobsForNewApplication({ held: heldReason !== null }))
    await changes.announce(trx, { applications: [stored.id] })
    return { id: stored.id }
  })
}

async function findFirst(db: Db, submission: Submission): Promise<ApplicationReceipt> {
  const { practice, key } = marksOf(submission)
  const columns = ['id', 'request_hash']
  const sameKey = key && (await db('provider_applications').select(columns).where('idempotency_key', key).first())
  if (sameKey && sameKey.request_hash !== applicationHash(submission.application)) throw keyReused()

  const first =
    sameKey ||
    (await db('provider_applications')
      .select(columns)
      .where('practice_key', practice)
      .whereRaw('repeat_window @> now()')
      .orderBy('id')
      .first())
  if (!first) throw collided()
  return { id: first.id }
}

/** What a repeat of this submission has in common with it. */
function marksOf({ application, idempotencyKey, heldReason }: Submission) {
  const held = { held: Boolean(heldReason) }
  return { practice: practiceKey(application, held), key: storedKey(idempotencyKey, held) }
}
