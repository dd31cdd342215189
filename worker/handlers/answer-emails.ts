import type { LeadEmailPurpose } from '../../core/contract/jobs.ts'
import type { Lead } from '../../core/contract/leads.ts'
import type { AnswerKind, OutcomeKind } from '../../core/contract/outcomes.ts'
import { isAsked } from '../../core/rules/answer-times.ts'
import { ABOUT_ANSWER } from '../../core/rules/deliveries.ts'
import * as answerClocks from '../../core/stores/answer-clocks.ts'
import type { LeadJob } from '../../core/stores/attempts.ts'
import * as clinicPeople from '../../core/stores/clinic-people.ts'
import * as jobs from '../../core/stores/jobs.ts'
import * as outcomes from '../../core/stores/outcomes.ts'
import type { Provider } from '../../core/stores/providers.ts'
import { NotNeeded } from '../delivery-error.ts'
import type { AnswerContext } from '../emails/email.ts'
import type { WorkerServices } from './handler.ts'
import { requestLink } from './request-links.ts'

type AboutAnswer = (typeof ABOUT_ANSWER)[number] | 'withdrawn'

/** Returns whether an e-mail is about the answer of a lead's clinic. */
export function isAboutAnswer(purpose: LeadEmailPurpose): purpose is AboutAnswer {
  return purpose === 'withdrawn' || (ABOUT_ANSWER as readonly string[]).includes(purpose)
}

/**
 * Reads what is known of the clinic's answer now, for an e-mail about it.
 * @throws NotNeeded when the answer has come by now, or the clinic does not have the lead any more
 */
export async function readAnswer(
  purpose: AboutAnswer,
  { job, lead, provider }: { job: LeadJob; lead: Lead; provider: Provider | null },
  { db, env }: WorkerServices,
): Promise<AnswerContext> {
  const matchedAt = lead.matched_at ?? ''
  const isOfMatch = provider?.id === lead.provider_id && job.createdAt >= matchedAt
  if (!provider || !isOfMatch) throw new NotNeeded('The clinic does not have this lead any more.')

  const [clocks, all, secondEmail, hasArrived] = await Promise.all([
    answerClocks.findMany(db, [lead.id]),
    outcomes.list(db, lead.id),
    clinicPeople.findLate(db, provider.id),
    jobs.hasArrived(db, lead, ['provider']),
  ])
  const { createdAt: mailedAt } = job
  const to = purpose === 'late_clinic' ? (secondEmail ?? '') : provider.requestEmail
  const requestUrl = requestLink(env, lead, { of: 'clinic', mailedAt, to })
  const asks = purpose === 'wrong_number' ? 'number' : 'called'
  const questionUrl = requestLink(env, lead, { of: 'visitor', mailedAt, to: lead.email, asks })
  if (!requestUrl || !questionUrl) throw new NotNeeded('The clinic does not have this lead any more.')
  const answers = all.filter(({ kind, at }) => kind !== 'opened' && at >= matchedAt)
  const last = answers.at(-1)
  const clinicSaid = answers.findLast(({ source }) => source === 'clinic')?.kind as AnswerKind | undefined
  const answer: AnswerContext = {
    ...{ requestUrl, questionUrl, hasArrived },
    dueAt: clocks.get(lead.id)?.due_at ?? null,
    secondEmail,
    isUncalled: last?.source === 'visitor' && last.kind === 'no_answer',
    clinicSaid: clinicSaid ?? null,
  }
  refuseOutdated(purpose, lead.outcome, answer)
  return answer
}

/** Refuses an e-mail that what happened meanwhile has made untrue. @throws NotNeeded */
function refuseOutdated(purpose: AboutAnswer, outcome: OutcomeKind | null, answer: AnswerContext): void {
  const { isUncalled, secondEmail } = answer
  switch (purpose) {
    case 'withdrawn':
      if (outcome !== 'declined') throw new NotNeeded('The request is not withdrawn any more.')
      return
    case 'visitor_question':
      if (!isAsked(outcome)) throw new NotNeeded('It is known by now what became of the lead.')
      return
    case 'wrong_number':
      if (outcome !== 'wrong_number') throw new NotNeeded('The phone number is not wrong any more.')
      return
    case 'not_called':
      if (!isUncalled) throw new NotNeeded('The visitor was called by now.')
      return
    case 'late_clinic':
      if (secondEmail === null) throw new NotNeeded('The clinic has no second address any more.')
  }
  const isOpen = outcome === null || outcome === 'opened' || isUncalled
  if (!isOpen) throw new NotNeeded('The clinic has answered.')
}
