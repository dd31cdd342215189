import { choose, chooseUnderLock, needsLock, wantedBy } from '../core/commands/leads/choose-providers.ts'
import { type SubmittedLead, submitLeads } from '../core/commands/leads/submit-leads.ts'
import { TOLD_HOURLY } from '../core/contract/forms.ts'
import type { NewLead } from '../core/contract/lead-form.ts'
import type { Env } from '../core/env.ts'
import type { AppError } from '../core/errors.ts'
import { createBatcher } from '../core/platform/batcher.ts'
import { deriveKey } from '../core/platform/data-key.ts'
import { type Db, isDataError } from '../core/platform/db.ts'
import type { Logger } from '../core/platform/log.ts'
import { heldReason } from '../core/rules/automation.ts'
import { repeatKey, storedKey } from '../core/rules/duplicates.ts'
import { decideRepeat, type Repeat } from '../core/rules/earlier-requests.ts'
import { holdBeyondCaps, type MailCaps, recipientOf } from '../core/rules/mail-caps.ts'
import type { Match, NoMatch, Wanted } from '../core/rules/matching.ts'
import type { Visit } from '../core/stores/consents.ts'
import { countRecentForms, findRepeats } from '../core/stores/recent-forms.ts'
import * as suppressions from '../core/stores/suppressions.ts'
import { createFormCounts, type FormCounts, networkOf } from './form-counts.ts'

/** A received form. */
export type Intake = {
  lead: NewLead
  chosenProviderId?: number
  idempotencyKey?: string
  visit: Visit
  /** Whether staff have entered it: then only a wish not to be contacted holds it. */
  isByStaff?: boolean
  /** Whether staff test their setup with it: then earlier requests do not matter, and it counts nowhere. */
  isTest?: boolean
  requestId?: string | null
  traceParent?: string | null
}

type Matched = Intake & { wanted: Wanted & Repeat; match: Match | NoMatch }

type IntakeEnv = CapsEnv & Pick<Env, 'MATCH_RADIUS_MILES' | 'DATA_KEY'>
type CapsEnv = Pick<
  Env,
  'VISITOR_LEADS_PER_HOUR' | 'ADDRESS_LEADS_PER_HOUR' | 'CLINIC_LEADS_PER_HOUR' | 'LEADS_PER_HOUR'
>

/** While one batch waits for the database, the next one is made of the forms that come within `linger` milliseconds. */
const BATCHES = { atOnce: 2, linger: 5, isEager: true, isAboutOne: isDataError }

const UNMATCHED: NoMatch = { providerId: null, nearestMiles: null }

const withMatches = <Form extends object>(forms: Form[], matches: (Match | NoMatch)[]) =>
  forms.map((form, position) => ({ ...form, match: matches[position] ?? UNMATCHED }))
const wantedOf = (forms: { wanted: Wanted }[]) => forms.map(({ wanted }) => wanted)
const mailboxOf = ({ lead }: Intake) => recipientOf(lead.email)

/**
 * Takes leads: finds the provider of each, and stores it with the jobs that it needs. Holds a lead of a person who asked not
 * to be contacted, one that looks automated, and one that is too many within an hour: of one mailbox, of one network, for one
 * clinic or in all. Leads that arrive while others are being stored form the next batch, so that a rush costs few round trips and few
 * commits. Leads for a provider that has a cap are matched again, and stored, under the lock of the caps.
 *
 * @returns a function that resolves to the stored lead once the lead is committed
 * @throws AppError `invalid` (from that function) when the idempotency key was used for another form
 */
export function createIntake(
  { db, env, log }: { db: Db; env: IntakeEnv; log: Logger },
  counts: FormCounts = createFormCounts(),
) {
  const caps = mailCaps(env)
  const chainKey = deriveKey(env.DATA_KEY, 'consent-chain')
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')
  const underWay: { mailboxes: Set<string>; stored: Promise<unknown> }[] = []

  const radiusMiles = env.MATCH_RADIUS_MILES

  /** Adds what each form wants of the matching. A failure to find earlier requests must not cost the match. */
  const withWanted = async (forms: Intake[]) => {
    const leads = forms.map(({ lead }) => lead)
    const wanted = await wantedBy(db, leads).catch((error) => {
      log.warn({ err: error }, 'earlier requests were not found; the leads are matched as first ones')
      return leads.map(({ zip_code: zip }) => ({ zip, ...decideRepeat([]) }))
    })
    return forms.map((form, position) => {
      const own = form.isTest
        ? { zip: form.lead.zip_code, ...decideRepeat([]) }
        : (wanted[position] as Matched['wanted'])
      return { ...form, wanted: { ...own, chosenId: form.chosenProviderId } }
    })
  }

  const hold = async (db: Db, forms: Matched[]) => {
    const wanted = forms.map(({ lead, match: { providerId } }) => ({ email: lead.email, providerId }))
    const people = forms.map(({ lead }) => lead)
    const [suppressed, { recent, told }] = await Promise.all([
      suppressions.ways(db, personKey, people),
      countRecentForms(db, wanted, caps),
    ])
    const judged = forms.map(({ lead, chosenProviderId, idempotencyKey, match, visit, isByStaff }) => {
      const held = suppressed.has(lead) && ('wish' as const)
      return {
        email: lead.email,
        network: isByStaff ? null : networkOf(visit.ip),
        providerId: match.providerId,
        heldReason: isByStaff ? null : heldReason(lead, [lead.first_name, lead.last_name], visit),
        repeatKey: repeatKey(lead, chosenProviderId, { held }),
        idempotencyKey: storedKey(idempotencyKey, { held }),
      }
    })
    const judge = (repeated?: Set<string>) => {
      const addresses = counts.read(judged.map(({ network }) => network))
      return holdBeyondCaps(judged, { ...recent, addresses }, caps, repeated)
    }
    const asNew = judge()
    const beyondCap = judged.filter(({ heldReason }, position) => asNew[position] !== heldReason)
    const held = judge(await findRepeats(db, beyondCap))
    return forms.map(({ isByStaff, lead }, position) => {
      const ofForm = isByStaff ? null : (held[position] ?? null)
      const ways = suppressed.get(lead)
      const reason = ofForm ?? (ways ? 'do_not_contact' : null)
      const isTold = reason !== null && told.has(reason)
      if (reason !== null && TOLD_HOURLY.includes(reason)) told.add(reason)
      const network = ofForm === null ? (judged[position]?.network ?? null) : null
      // It counts at once, because other batches are under way. If it is not stored, it is taken back.
      counts.add(network)
      return {
        heldReason: reason,
        isQuiet: reason === 'do_not_contact' && !isByStaff && !ways?.has('email'),
        isTold,
        beyondCap: isByStaff || asNew[position] === held[position] ? null : asNew[position],
        network,
      }
    })
  }

  const submit = async (forms: Intake[]) => {
    const mailboxes = new Set(forms.map(mailboxOf))
    // Forms for one mailbox are counted one batch after the other, so that its cap holds.
    const before = underWay.filter((other) => [...mailboxes].some((mailbox) => other.mailboxes.has(mailbox)))
    const batch = { mailboxes, stored: Promise.allSettled(before.map(({ stored }) => stored)).then(() => store(forms)) }
    underWay.push(batch)
    return batch.stored.finally(() => underWay.splice(underWay.indexOf(batch), 1))
  }

  const store = async (received: Intake[]) => {
    const forms = await withWanted(received)
    // A failed match must not lose the lead: a job matches it later.
    const matches = await choose(db, wantedOf(forms), radiusMiles).catch((error) => {
      log.warn({ err: error }, 'matching failed; a job will do it')
      return []
    })
    const matched = withMatches(forms, matches)
    // Forms for one mailbox stay together, so that they are counted together.
    const capped = new Set(matched.filter(({ match }) => needsLock(match)).map(mailboxOf))
    const isCapped = (form: Matched) => capped.has(mailboxOf(form))
    const [locked, free] = [matched.filter(isCapped), matched.filter((form) => !isCapped(form))]
    const [underLock, others] = await Promise.all([storeWithinCaps(locked), storeMatched(db, free)])
    return matched.map((form) => (isCapped(form) ? underLock : others).shift() as SubmittedLead | AppError)
  }

  const storeMatched = async (db: Db, forms: Matched[]) => {
    if (forms.length === 0) return []
    const held = await hold(db, forms)
    const submissions = forms.map((form, position) => ({ ...form, repeat: form.wanted, ...held[position] }))
    let stored: (SubmittedLead | AppError)[] = []
    try {
      stored = await submitLeads(db, submissions, chainKey)
      return stored
    } finally {
      for (const [position, { network }] of held.entries()) {
        const lead = stored[position]
        if (!lead || !('isNew' in lead && lead.isNew)) counts.remove(network)
      }
    }
  }

  /** Matches the forms again and stores them under the lock of the caps. */
  const storeWithinCaps = async (forms: Matched[]) => {
    if (forms.length === 0) return []
    try {
      return await db.transaction(async (trx) => {
        const matches = await chooseUnderLock(trx, wantedOf(forms), radiusMiles)
        return storeMatched(trx, withMatches(forms, matches))
      })
    } catch (error) {
      if (isDataError(error as Error)) throw error
      log.warn({ err: error }, 'matching within caps failed; a job will do it')
      return storeMatched(db, withMatches(forms, []))
    }
  }
  return createBatcher<Intake, SubmittedLead>(submit, BATCHES)
}

export function mailCaps(env: CapsEnv): MailCaps {
  return {
    visitor: env.VISITOR_LEADS_PER_HOUR,
    address: env.ADDRESS_LEADS_PER_HOUR,
    clinic: env.CLINIC_LEADS_PER_HOUR,
    all: env.LEADS_PER_HOUR,
  }
}
