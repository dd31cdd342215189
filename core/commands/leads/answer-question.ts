import type { Lead } from '../../contract/leads.ts'
import type { VisitorAnswer } from '../../contract/page.ts'
import { AppError } from '../../errors.ts'
import type { Db, Transaction } from '../../platform/db.ts'
import { isAsked } from '../../rules/answer-times.ts'
import { ABOUT_ANSWER, clinicsThatKnow, type NewLeadJob } from '../../rules/deliveries.ts'
import { isOfMatch, type RequestLink } from '../../rules/request-links.ts'
import * as answerClocks from '../../stores/answer-clocks.ts'
import * as jobs from '../../stores/jobs.ts'
import { onLead } from './on-lead.ts'
import { recordOn } from './record-outcome.ts'

const VISITOR = { source: 'visitor', actor: 'visitor' } as const

/** Returns whether the visitor's link still asks something: the clinic has the lead, and its outcome leaves it open. */
export function isOpenQuestion(link: RequestLink, lead: Lead): boolean {
  return link.of === 'visitor' && isOfMatch(link, lead) && lead.held_reason === null && isAsked(lead.outcome)
}

/**
 * Records the visitor's answer to the question whether the clinic called. `yes` counts as reached. `not_yet` alerts the team
 * and reminds the clinic. `no_longer` ends the request: the clinic is asked not to call. Idempotent.
 * @throws AppError `not_found` for a deleted lead, `conflict` when nothing is asked any more
 */
export async function answerQuestion(db: Db, link: RequestLink, answer: VisitorAnswer): Promise<void> {
  await onLead(db, link.leadId, async (trx, lead) => {
    if (!isOpenQuestion(link, lead)) throw new AppError('conflict', 'There is nothing to answer any more.')
    await ACTIONS[answer](trx, lead)
  })
}

const ACTIONS: Record<VisitorAnswer, (trx: Transaction, lead: Lead) => Promise<void>> = {
  async yes(trx, lead) {
    if (lead.outcome !== 'reached') await recordOn(trx, lead, { ...VISITOR, kind: 'reached' })
  },

  async not_yet(trx, lead) {
    if (!(await recordOn(trx, lead, { ...VISITOR, kind: 'no_answer' }))) return
    const toldProviderId = Number(lead.provider_id)
    await jobs.add(trx, { leadId: lead.id }, [
      { name: 'send-email', purpose: 'not_called' },
      { name: 'send-email', purpose: 'reminder', toldProviderId },
    ])
  },

  async no_longer(trx, lead) {
    const owner = { leadId: lead.id }
    const knowing = clinicsThatKnow(await jobs.listEmails(trx, owner, lead.matched_at), lead.provider_id)
    await recordOn(trx, lead, { ...VISITOR, kind: 'declined', reason: 'no_longer_wanted' })
    await answerClocks.write(trx, lead.id, { ask_visitor_at: null })
    await jobs.cancelOpen(trx, owner, 'The visitor no longer wants a consultation.', ['provider', ...ABOUT_ANSWER])
    const told = knowing.filter((id) => id === lead.provider_id)
    const owed = told.map(
      (toldProviderId): NewLeadJob => ({ name: 'send-email', purpose: 'withdrawn', toldProviderId }),
    )
    await jobs.add(trx, owner, owed)
  },
}
