import { createBatcher } from '../core/batcher.ts'
import { HELD_FOR_CAPS } from '../core/contract/forms.ts'
import type { LeadReceipt, NewLead } from '../core/contract/leads.ts'
import type { Db } from '../core/db.ts'
import type { Env } from '../core/env.ts'
import type { Logger } from '../core/log.ts'
import { heldReason } from '../core/rules/automation.ts'
import { holdBeyondCaps, type MailCaps } from '../core/rules/mail-caps.ts'
import { chooseProvider, type Match, type NoMatch } from '../core/rules/matching.ts'
import type { Visit } from '../core/stores/consents.ts'
import { submit } from '../core/stores/lead-submissions.ts'
import * as providers from '../core/stores/providers.ts'
import { countRecentLeads } from '../core/stores/recent-forms.ts'

/** A form as it came in. */
export type Intake = {
  lead: NewLead
  chosenProviderId?: number
  idempotencyKey?: string
  visit: Visit
  requestId?: string | null
  traceParent?: string | null
}

type IntakeEnv = Pick<Env, 'MATCH_RADIUS_MILES' | 'VISITOR_LEADS_PER_HOUR' | 'CLINIC_LEADS_PER_HOUR' | 'LEADS_PER_HOUR'>

const UNMATCHED: NoMatch = { providerId: null, nearestMiles: null }

/**
 * Takes leads: finds the provider of each and stores it with all that we owe for it; what looks automated, or would be too many mails
 * for one visitor, one clinic or an hour, is held.
 * Forms that come in while others are being stored are stored together, so that a rush costs few round trips and few
 * commits.
 *
 * @returns a function that resolves to the receipt once the lead is committed
 * @throws AppError `invalid` (from that function) when the idempotency key was used for another form
 */
export function createIntake({ db, env, log }: { db: Db; env: IntakeEnv; log: Logger }) {
  const caps = mailCaps(env)
  const match = async (forms: Intake[]) => {
    const wanted = forms.map(({ lead, chosenProviderId }) => ({ zip: lead.zip_code, chosenId: chosenProviderId }))
    const candidates = await providers.findCandidates(db, wanted)
    return candidates.map((found) => chooseProvider({ ...found, radiusMiles: env.MATCH_RADIUS_MILES }))
  }

  const hold = async (forms: (Intake & { match: Match | NoMatch })[]) => {
    const wanted = forms.map(({ lead, match: { providerId } }) => ({
      email: lead.email,
      providerId,
      heldReason: heldReason(lead, [lead.first_name, lead.last_name]),
    }))
    const { recent, told } = await countRecentLeads(db, wanted, caps)
    return holdBeyondCaps(wanted, recent, caps).map((reason) => {
      const isTold = reason !== null && told.has(reason)
      if (reason !== null && HELD_FOR_CAPS.includes(reason)) told.add(reason)
      return { heldReason: reason, isTold }
    })
  }

  return createBatcher<Intake, LeadReceipt>(async (forms) => {
    // Matching must never cost us a lead: where it cannot be done now, a job does it.
    const matches = await match(forms).catch((error) => {
      log.warn({ err: error }, 'matching failed; a job will do it')
      return forms.map(() => UNMATCHED)
    })
    const matched = forms.map((form, position) => ({ ...form, match: matches[position] ?? UNMATCHED }))
    const held = await hold(matched)
    return submit(
      db,
      matched.map((form, position) => ({ ...form, ...held[position] })),
    )
  })
}

export function mailCaps({
  VISITOR_LEADS_PER_HOUR,
  CLINIC_LEADS_PER_HOUR,
  LEADS_PER_HOUR,
}: Omit<IntakeEnv, 'MATCH_RADIUS_MILES'>): MailCaps {
  return { visitor: VISITOR_LEADS_PER_HOUR, clinic: CLINIC_LEADS_PER_HOUR, all: LEADS_PER_HOUR }
}
