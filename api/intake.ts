import { type SubmittedLead, submitLeads } from '../core/commands/leads/submit-leads.ts'
import { namedConsent } from '../core/contract/consent.ts'
import { type HeldReason, TOLD_HOURLY } from '../core/contract/forms.ts'
import type { NewLead } from '../core/contract/lead-form.ts'
import type { Env } from '../core/env.ts'
import { createBatcher } from '../core/platform/batcher.ts'
import { deriveKey } from '../core/platform/data-key.ts'
import { type Db, isDataError } from '../core/platform/db.ts'
import type { Logger } from '../core/platform/log.ts'
import { heldReason } from '../core/rules/automation.ts'
import { decideRepeat, NO_REPEAT, type Repeat } from '../core/rules/earlier-requests.ts'
import { holdBeyondCaps, type MailCaps, recipientOf } from '../core/rules/mail-caps.ts'
import { type Candidates, chooseProvider, type Match, type NoMatch } from '../core/rules/matching.ts'
import type { Visit } from '../core/stores/consents.ts'
import { findEarlier } from '../core/stores/earlier-requests.ts'
import * as providers from '../core/stores/providers.ts'
import { countRecentLeads } from '../core/stores/recent-forms.ts'
import * as suppressions from '../core/stores/suppressions.ts'

/** A received form. */
export type Intake = {
  lead: NewLead
  chosenProviderId?: number
  idempotencyKey?: string
  visit: Visit
  requestId?: string | null
  traceParent?: string | null
}

type IntakeEnv = CapsEnv & Pick<Env, 'MATCH_RADIUS_MILES' | 'DATA_KEY'>
type CapsEnv = Pick<Env, 'VISITOR_LEADS_PER_HOUR' | 'CLINIC_LEADS_PER_HOUR' | 'LEADS_PER_HOUR'>

/** While one batch waits for the database, the next one is made of the forms that come within `linger` milliseconds. */
const BATCHES = { atOnce: 2, linger: 5, isEager: true, isAboutOne: isDataError }

const UNMATCHED: NoMatch = { providerId: null, nearestMiles: null }

/**
 * Takes leads: finds the provider of each, and stores it with the jobs that it needs. Holds a lead of a person who asked not
 * to be contacted, one that looks automated, and one that would cause too many mails to one visitor, to one clinic or within an
 * hour. Leads that arrive while others are being stored form the next batch, so that a rush costs few round trips and few
 * commits.
 *
 * @returns a function that resolves to the stored lead once the lead is committed
 * @throws AppError `invalid` (from that function) when the idempotency key was used for another form
 */
export function createIntake({ db, env, log }: { db: Db; env: IntakeEnv; log: Logger }) {
  const caps = mailCaps(env)
  const chainKey = deriveKey(env.DATA_KEY, 'consent-chain')
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')
  const underWay: { mailboxes: Set<string>; stored: Promise<unknown> }[] = []

  const match = async (forms: Intake[]) => {
    const wanted = forms.map(({ lead, chosenProviderId }) => ({ zip: lead.zip_code, chosenId: chosenProviderId }))
    const [found, repeats] = await Promise.all([providers.findCandidates(db, wanted), findRepeats(forms)])
    const candidates = await withoutExcepted(wanted, found, repeats)
    return candidates.map((own, position) => {
      const { again, repeatOf } = repeats[position] ?? NO_REPEAT
      const usual = chooseProvider({ ...own, radiusMiles: env.MATCH_RADIUS_MILES })
      if (!again || own.chosen) return { match: usual, repeatOf }
      const match: Match = { providerId: again.providerId, kind: 'again', miles: again.miles }
      return { match, repeatOf, usualProviderId: usual.providerId }
    })
  }

  /** Finds what the earlier requests of each person mean. A failure must not cost the match. */
  const findRepeats = async (forms: Intake[]): Promise<Repeat[]> => {
    const earlier = await findEarlier(
      db,
      forms.map(({ lead }) => lead),
    ).catch((error) => {
      log.warn({ err: error }, 'earlier requests were not found; the lead is matched as a first one')
      return []
    })
    return earlier.map(decideRepeat)
  }

  /** Finds the candidates again where a clinic declined an earlier request, which is rare. */
  const withoutExcepted = async (
    wanted: { zip: string; chosenId?: number }[],
    found: Candidates[],
    repeats: Repeat[],
  ): Promise<Candidates[]> => {
    const excepting = wanted.flatMap((form, position) => {
      const { except } = repeats[position] ?? NO_REPEAT
      return except.length > 0 ? { ...form, except, position } : []
    })
    if (excepting.length === 0) return found
    const others = await providers.findCandidates(db, excepting)
    const replaced = new Map(excepting.map(({ position }, index) => [position, others[index]]))
    return found.map((own, position) => replaced.get(position) ?? own)
  }

  const hold = async (forms: (Intake & { match: Match | NoMatch })[]) => {
    const wanted = forms.map(({ lead, match: { providerId } }) => ({ email: lead.email, providerId }))
    const people = forms.map(({ lead }) => lead)
    const [suppressed, { recent, told }] = await Promise.all([
      suppressions.among(db, personKey, people),
      countRecentLeads(db, wanted, caps),
    ])
    const reasonOf = ({ lead, visit }: Intake): HeldReason | null =>
      suppressed.has(lead)
        ? 'do_not_contact'
        : heldReason(lead, [lead.first_name, lead.last_name], {
            isFromAnotherSite: visit.isFromAnotherSite,
            isWordingKnown: namedConsent('lead', lead) !== null,
          })
    const judged = forms.map((form) => ({
      email: form.lead.email,
      providerId: form.match.providerId,
      heldReason: reasonOf(form),
    }))
    return holdBeyondCaps(judged, recent, caps).map((reason) => {
      const isTold = reason !== null && told.has(reason)
      if (reason !== null && TOLD_HOURLY.includes(reason)) told.add(reason)
      return { heldReason: reason, isTold }
    })
  }

  const submit = async (forms: Intake[]) => {
    const mailboxes = new Set(forms.map(({ lead }) => recipientOf(lead.email)))
    // Forms for one mailbox are counted one batch after the other, so that its cap holds.
    const before = underWay.filter((other) => [...mailboxes].some((mailbox) => other.mailboxes.has(mailbox)))
    const batch = { mailboxes, stored: Promise.allSettled(before.map(({ stored }) => stored)).then(() => store(forms)) }
    underWay.push(batch)
    return batch.stored.finally(() => underWay.splice(underWay.indexOf(batch), 1))
  }

  const store = async (forms: Intake[]) => {
    // A failed match must not lose the lead: a job matches it later.
    const matches = await match(forms).catch((error) => {
      log.warn({ err: error }, 'matching failed; a job will do it')
      return []
    })
    const matched = forms.map((form, position) => ({ ...form, ...(matches[position] ?? { match: UNMATCHED }) }))
    const held = await hold(matched)
    return submitLeads(
      db,
      matched.map((form, position) => ({ ...form, ...held[position] })),
      chainKey,
    )
  }
  return createBatcher<Intake, SubmittedLead>(submit, BATCHES)
}

export function mailCaps({ VISITOR_LEADS_PER_HOUR, CLINIC_LEADS_PER_HOUR, LEADS_PER_HOUR }: CapsEnv): MailCaps {
  return { visitor: VISITOR_LEADS_PER_HOUR, clinic: CLINIC_LEADS_PER_HOUR, all: LEADS_PER_HOUR }
}
