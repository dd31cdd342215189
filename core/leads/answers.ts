import type { VisitorAnswer } from '../contract/page.ts'
import { EMAILS } from '../deliveries/emails.ts'
import { ABOUT_ANSWER, type NewLeadJob, providersThatKnow } from '../deliveries/rules/deliveries.ts'
import * as jobs from '../deliveries/stores/jobs.ts'
import { AppError, invalidField } from '../errors.ts'
import { type Db, queryRows, type Transaction } from '../platform/db.ts'
import { MIN_PHONE_DIGITS } from '../privacy/contract/privacy.ts'
import { personHashes } from '../privacy/rules/opt-outs.ts'
import {
  type OptOutContext,
  stopContactByClinic,
  stopContactByLink,
  stopContactOfLead,
} from '../privacy/stop-contact.ts'
import * as suppressions from '../privacy/stores/suppressions.ts'
import { editOn } from './change-lead.ts'
import type { Lead } from './contract/leads.ts'
import type { AnswerForm, AnswerKind, CrmMessage } from './contract/outcomes.ts'
import { onLead, recordOn, recordOutcome } from './record-outcome.ts'
import { nationalDigits } from './rules/duplicates.ts'
import { answerIn, asksToStop, isAsked } from './rules/outcomes.ts'
import { hasExpired, isOfMatch, type RequestLink } from './rules/request-links.ts'
import * as answerClocks from './stores/answer-clocks.ts'
import * as leads from './stores/leads.ts'
import * as outcomes from './stores/outcomes.ts'

/*
 * What a clinic does by its link to a request. Each use case checks under the lock of the lead that the clinic still has it,
 * and otherwise throws AppError `not_found` or `conflict`.
 */

const BY_CLINIC = { source: 'clinic', actor: 'clinic' } as const

export async function openRequest(db: Db, link: RequestLink): Promise<void> {
  await onMatch(db, link, (trx, lead) => recordOn(trx, lead, { kind: 'opened', ...BY_CLINIC }))
}

/**
 * Records what the clinic has sent with the form of its page, or with a reply, whose id is the `eventId`. STOP and a wrong person
 * stop contact.
 */
export async function answerRequest(
  db: Db,
  link: Pick<RequestLink, 'leadId' | 'providerId' | 'matchedAt'>,
  { answer, ...said }: AnswerForm & { eventId?: string },
  context: OptOutContext,
): Promise<void> {
  if (answer === 'stop' || answer === 'wrong_person') {
    const reason = answer === 'stop' ? 'asked_to_stop' : answer
    return stopContactByClinic(db, link.leadId, { providerId: link.providerId, reason, note: said.note }, context)
  }
  await onMatch(db, link, (trx, lead) => recordOn(trx, lead, { kind: answer, ...said, ...BY_CLINIC }))
}

function onMatch<Result>(
  db: Db,
  link: Pick<RequestLink, 'leadId' | 'providerId' | 'matchedAt'>,
  act: (trx: Transaction, lead: Lead) => Promise<Result>,
): Promise<Result> {
  return onLead(db, link.leadId, (trx, lead) => {
    if (!isOfMatch(link, lead)) throw new AppError('conflict', 'The clinic no longer has this request.')
    return act(trx, lead)
  })
}

const VISITOR = { source: 'visitor', actor: 'visitor' } as const

/** Returns whether the visitor's link still asks something: the clinic has the lead, and its outcome leaves it open. */
export function isOpenQuestion(link: RequestLink, lead: Lead): boolean {
  return link.of === 'visitor' && isOfMatch(link, lead) && lead.held_reason === null && isAsked(lead.outcome)
}

/**
 * Records the visitor's answer to the question whether the clinic called. `yes` counts as reached. `not_yet` alerts the team
 * and reminds the clinic. `no_longer` ends the request: the clinic is asked not to call. Idempotent.
 * @throws AppError `not_found` for a deleted lead, `conflict` when the question is over
 */
export async function answerQuestion(db: Db, link: RequestLink, answer: VisitorAnswer): Promise<void> {
  await onLead(db, link.leadId, async (trx, lead) => {
    if (!isOpenQuestion(link, lead)) throw new AppError('conflict', 'There is nothing left to answer.')
    await ACTIONS[answer](trx, lead)
  })
}

const ACTIONS: Record<VisitorAnswer, (trx: Transaction, lead: Lead) => Promise<void>> = {
  async yes(trx, lead) {
    if (lead.outcome !== 'reached') await recordOn(trx, lead, { ...VISITOR, kind: 'reached' })
  },

  async not_yet(trx, lead) {
    if (!(await recordOn(trx, lead, { ...VISITOR, kind: 'no_answer' }))) return
    const providerId = Number(lead.provider_id)
    await jobs.add(trx, `lead:${lead.id}`, [
      { name: 'send-email', purpose: 'not_called' },
      { name: 'send-email', purpose: 'reminder', payload: { providerId } },
    ])
  },

  async no_longer(trx, lead) {
    const subject = `lead:${lead.id}` as const
    const knowing = providersThatKnow(await jobs.listEmails(trx, subject, lead.matched_at), lead.provider_id)
    await recordOn(trx, lead, { ...VISITOR, kind: 'declined', reason: 'no_longer_wanted' })
    await answerClocks.write(trx, lead.id, { ask_visitor_at: null })
    await jobs.cancelOpen(trx, subject, 'The visitor no longer wants a consultation.', ['provider', ...ABOUT_ANSWER])
    const recipients = knowing.filter((id) => id === lead.provider_id)
    const owed = recipients.map(
      (providerId): NewLeadJob => ({ name: 'send-email', purpose: 'withdrawn', payload: { providerId } }),
    )
    await jobs.add(trx, subject, owed)
  },
}

/** Returns whether the visitor's link still asks for the right phone number: the clinic has the lead, and the last word is its own. */
export async function asksForNumber(db: Db, link: RequestLink, lead: Lead): Promise<boolean> {
  const isOpen = link.of === 'visitor' && !hasExpired(link) && isOfMatch(link, lead) && lead.held_reason === null
  if (!isOpen || lead.outcome !== 'wrong_number') return false
  return (await outcomes.findCurrent(db, [lead.id])).get(lead.id)?.source !== 'visitor'
}

/**
 * Gives a lead the phone number that its visitor has typed, and its clinic the request once more. The number of somebody who
 * asked for no contact changes nothing; staff see it, and the visitor does not learn of it.
 * @throws AppError `not_found` for a deleted lead, `conflict` when the question is over, `invalid` for a number that
 *   nobody can dial, or the one that the clinic could not reach
 */
export async function correctNumber(
  db: Db,
  link: RequestLink,
  phone: string,
  { personKey }: { personKey: Buffer },
): Promise<void> {
  await onLead(db, link.leadId, async (trx, lead) => {
    if (!(await asksForNumber(trx, link, lead))) throw new AppError('conflict', 'There is nothing left to correct.')
    const digits = nationalDigits(phone)
    if (digits.length < MIN_PHONE_DIGITS) throw invalidField('phone', 'Please enter a phone number with its area code')
    if (digits === nationalDigits(lead.phone)) {
      throw invalidField('phone', 'This is the number that the clinic could not reach. Please check it digit by digit')
    }
    if (await suppressions.isSuppressed(trx, personKey, { phone })) {
      await recordOn(trx, lead, { ...VISITOR, kind: 'wrong_number', note: LISTED })
      return
    }
    await editOn(trx, lead, { phone }, { ...VISITOR, personKey })
  })
}

/** For staff. */
const LISTED = 'The visitor typed a number that is on the do-not-contact list, so it was not changed.'

/**
 * Records an outcome that the CRM states. The same message again changes nothing. An opt-out stops contact, unless staff
 * have allowed contact again since it happened.
 * @param eventId the id of the message
 * @returns false when nothing was recorded
 * @throws AppError `not_found`, `gone` for a deleted lead, `conflict` for a held one
 */
export async function takeCrmOutcome(
  db: Db,
  { timestamp, data }: Pick<CrmMessage, 'timestamp' | 'data'>,
  eventId: string,
  context: OptOutContext,
): Promise<boolean> {
  const { at: happenedAt = timestamp, ...outcome } = data.outcome
  const id = await leads.findIdForCrm(db, data.lead)
  const lead = id === undefined ? null : await leads.find(db, id)
  if (!lead) {
    if (await leads.wasDeleted(db, data.lead)) throw new AppError('gone', 'This lead was deleted.')
    throw new AppError('not_found', 'There is no such lead.')
  }
  if (outcome.kind === 'opted_out') {
    if (await suppressions.wasLiftedSince(db, personHashes(context.key, lead), happenedAt)) return false
    const why = outcome.reason === 'wrong_person' ? outcome.reason : 'asked_to_stop'
    await stopContactOfLead(db, lead.id, { actor: 'crm', why }, context)
    return true
  }
  return recordOutcome(db, lead.id, { ...outcome, source: 'crm', actor: 'crm', eventId, happenedAt })
}

/**
 * A change that was read from a CRM: what it says of the lead that has one of these ids there, and when it happened
 * (ISO 8601). `eventId` is the same each time the change is read.
 */
export type CrmChange = {
  eventId: string
  crmIds: string[]
  kind: Exclude<AnswerKind, 'opted_out'>
  happenedAt: string
}

/**
 * Records changes that were read from a CRM, the oldest first and each in a transaction of its own. A CRM that keeps persons
 * means the newest lead that had come by then. Skips changes that are recorded, and those of no lead, or of one that is held
 * or deleted by now. Returns how many are new.
 */
export async function takeCrmChanges(db: Db, changes: CrmChange[], context: OptOutContext): Promise<number> {
  const recorded = await outcomes.findEvents(
    db,
    changes.map(({ eventId }) => eventId),
  )
  const fresh = changes.filter(({ eventId }) => !recorded.has(eventId))
  const known = await leads.listOfCrm(
    db,
    fresh.flatMap(({ crmIds }) => crmIds),
  )
  let count = 0
  for (const { eventId, crmIds, kind, happenedAt } of fresh.toSorted(byTime)) {
    const lead = known.find(({ crmId, createdAt }) => crmIds.includes(crmId) && createdAt <= new Date(happenedAt))
    if (!lead) continue
    // The CRM's stage names no reason.
    const outcome = kind === 'declined' ? ({ kind, reason: 'other' } as const) : { kind }
    const message = { timestamp: happenedAt, data: { lead: { id: lead.id }, outcome } }
    try {
      if (await takeCrmOutcome(db, message, eventId, context)) count += 1
    } catch (error) {
      if (!(error instanceof AppError) || !PASSED_OVER.has(error.code)) throw error
    }
  }
  return count
}

const byTime = (a: CrmChange, b: CrmChange) => Date.parse(a.happenedAt) - Date.parse(b.happenedAt)

/** What a CRM that posts its messages is told with 404, 409 and 410. */
const PASSED_OVER = new Set<AppError['code']>(['not_found', 'conflict', 'gone'])

/** A reply to an email of ours: the ids of the jobs that it names as what it answers, its sender, and an id of its own. */
export type Reply = { jobIds: string[]; from: string; id: string; text: string }

/**
 * Acts on the first line of a reply to an email about a lead: the answer of the provider that has the lead, or a visitor's wish
 * for no more contact. It must come from the address that got the email: staff who may not act see the ids of jobs, too. Idempotent.
 * @returns false when nothing was understood or could be done, so that a person has to read it
 */
export async function takeReply(db: Db, { jobIds, from, id, text }: Reply, context: OptOutContext): Promise<boolean> {
  const [email] = await queryRows<Email>(
    db,
    `select purpose, leads.id, provider_id as "providerId", matched_at as "matchedAt", email, phone, coalesce(result->>'to', '') as "to",
       jobs.created_at >= matched_at and coalesce((payload->>'providerId')::integer, provider_id) = provider_id as "isOfMatch"
     from jobs join leads on leads.id = subject_id
     where jobs.id = any(?::uuid[]) and jobs.name = 'send-email' and subject_kind = 'lead' limit 1`,
    [jobIds],
  )
  if (!email || email.to.toLowerCase() !== from.toLowerCase()) return false
  const { id: leadId, providerId, matchedAt, to } = email
  const recipient = EMAILS.lead[email.purpose as keyof typeof EMAILS.lead]?.to

  if (recipient === 'visitor' && asksToStop(text)) {
    await stopContactByLink(db, { of: 'person', leadId, hashes: personHashes(context.key, { email: to }) }, context)
    return true
  }
  const answer = recipient === 'clinic' || recipient === 'second' ? answerIn(text) : undefined
  if (!answer || !email.isOfMatch || providerId === null || matchedAt === null) return false
  if (await suppressions.isSuppressed(db, context.key, email)) return false
  const form = answer === 'declined' ? ({ answer, reason: 'other' } as const) : ({ answer } as AnswerForm)
  try {
    const match = { leadId, providerId, matchedAt: matchedAt.toISOString() }
    await answerRequest(db, match, { ...form, eventId: `reply:${id}` }, context)
    return true
  } catch (error) {
    // The lead has another provider by now, or is held.
    if (error instanceof AppError) return false
    throw error
  }
}

type Email = {
  purpose: string
  id: number
  providerId: number | null
  matchedAt: Date | null
  email: string
  phone: string
  to: string
  /** About the present match of the lead. */
  isOfMatch: boolean
}
