import { EMAILS } from '../deliveries/emails.ts'
import { AppError } from '../errors.ts'
import { type Db, queryRows } from '../platform/db.ts'
import { personHashes } from '../privacy/rules/opt-outs.ts'
import { type OptOutContext, stopContactByLink } from '../privacy/stop-contact.ts'
import * as suppressions from '../privacy/stores/suppressions.ts'
import { answerRequest } from './answers.ts'
import type { AnswerForm } from './contract/outcomes.ts'
import { answerIn, asksToStop } from './rules/replies.ts'

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
