import { createBatcher } from '../core/batcher.ts'
import type { LeadReceipt, NewLead } from '../core/contract/leads.ts'
import type { Db } from '../core/db.ts'
import type { Env } from '../core/env.ts'
import type { Logger } from '../core/log.ts'
import { heldReason } from '../core/rules/automation.ts'
import { chooseProvider, type NoMatch } from '../core/rules/matching.ts'
import type { Visit } from '../core/stores/consents.ts'
import { submit } from '../core/stores/lead-submissions.ts'
import * as providers from '../core/stores/providers.ts'

/** A form as it came in. */
export type Intake = {
  lead: NewLead
  chosenProviderId?: number
  idempotencyKey?: string
  visit: Visit
  requestId?: string | null
  traceParent?: string | null
}

const UNMATCHED: NoMatch = { providerId: null, nearestMiles: null }

/**
 * Takes leads: finds the provider of each and stores it with all that we owe for it; what looks automated is held.
 * Forms that come in while others are being stored are stored together, so that a rush costs few round trips and few
 * commits.
 *
 * @returns a function that resolves to the receipt once the lead is committed
 * @throws AppError `invalid` (from that function) when the idempotency key was used for another form
 */
export function createIntake({ db, env, log }: { db: Db; env: Pick<Env, 'MATCH_RADIUS_MILES'>; log: Logger }) {
  const match = async (forms: Intake[]) => {
    const wanted = forms.map(({ lead, chosenProviderId }) => ({ zip: lead.zip_code, chosenId: chosenProviderId }))
    const candidates = await providers.findCandidates(db, wanted)
    return candidates.map((found) => chooseProvider({ ...found, radiusMiles: env.MATCH_RADIUS_MILES }))
  }

  return createBatcher<Intake, LeadReceipt>(async (forms) => {
    // Matching must never cost us a lead: where it cannot be done now, a job does it.
    const matches = await match(forms).catch((error) => {
      log.warn({ err: error }, 'matching failed; a job will do it')
      return forms.map(() => UNMATCHED)
    })
    return submit(
      db,
      forms.map((form, position) => ({
        ...form,
        match: matches[position] ?? UNMATCHED,
        heldReason: heldReason(form.lead),
      })),
    )
  })
}
