import { lacksConsent } from '../contract/forms.ts'
import { ABOUT_ANSWER, jobsForLaterMatch, jobsForPassingOn } from '../deliveries/rules/deliveries.ts'
import * as jobs from '../deliveries/stores/jobs.ts'
import { AppError } from '../errors.ts'
import type { Db, Transaction } from '../platform/db.ts'
import * as providers from '../providers/stores/providers.ts'
import type { Actor } from '../staff/actor.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import type { Lead } from './contract/leads.ts'
import { askedToStop, onLead } from './on-lead.ts'
import { releaseTo, withoutConsent } from './release-lead.ts'
import type { Match } from './rules/matching.ts'
import * as answerClocks from './stores/answer-clocks.ts'
import { findCandidates } from './stores/candidates.ts'
import * as leads from './stores/leads.ts'
import { matchColumns } from './stores/leads.ts'
import * as matchChanges from './stores/match-changes.ts'

/**
 * Gives the lead to an active provider. Its deliveries wait for `delay` milliseconds, in which it can be undone. Idempotent.
 * A held lead is released to that provider. A clinic that had the lead before is asked not to call.
 * @throws AppError `not_found` without such a lead or provider, `conflict` when the provider is inactive, or the person asked
 * not to be contacted, or its consent is not proved
 */
export async function assignProvider(
  db: Db,
  id: number,
  providerId: number,
  { actor, delay = matchChanges.undoDelay() }: Actor & { delay?: number },
): Promise<Lead> {
  return onLead(db, id, async (trx, lead) => {
    if (lead.held_reason === 'do_not_contact') throw askedToStop()
    if (lacksConsent(lead.held_reason)) throw withoutConsent()
    const provider = await providers.find(trx, providerId)
    if (!provider) throw new AppError('not_found', 'There is no such provider.')
    const [candidates] = await findCandidates(trx, [{ zip: lead.zip_code, chosenId: providerId }])
    const chosen = candidates?.chosen
    if (!chosen) throw new AppError('conflict', `${provider.name} is inactive and cannot get leads.`)

    const match: Match = { providerId, kind: 'staff', miles: chosen.miles }
    const isHeld = lead.held_reason !== null
    const give = isHeld ? releaseTo : assignTo
    const clock = await answerClocks.keep(trx, id)
    const changed = await give(trx, lead, match, { delay })
    if (changed) {
      await matchChanges.record(trx, lead, { ...changed, clock })
      const details = { from: lead.provider_id, to: providerId, ...(isHeld && { released: lead.held_reason }) }
      await auditLog.record(trx, { actor, action: 'assign-provider', entity: 'lead', entityId: id, details })
    }
    return (await leads.find(trx, id)) ?? lead
  })
}

/**
 * Gives the lead to a provider and adds its jobs, whose first attempts wait `delay` milliseconds. The caller holds the
 * lead's lock.
 * @returns the jobs that it changed; null when the lead has that provider already
 */
export async function assignTo(
  trx: Transaction,
  lead: Lead,
  match: Match,
  { delay = 0 } = {},
): Promise<jobs.JobChanges | null> {
  if (lead.provider_id === match.providerId) return null

  const subject = `lead:${lead.id}` as const
  await trx('leads').where('id', lead.id).update(matchColumns(trx, match))
  await answerClocks.restart(trx, lead.id, match.providerId)
  const owed =
    lead.provider_id === null
      ? jobsForLaterMatch()
      : jobsForPassingOn(await jobs.listEmails(trx, subject, lead.matched_at), {
          from: lead.provider_id,
          to: match.providerId,
        })
  // A clinic that gets the lead back must not hear that another one has it.
  const revoked = await jobs.cancelPassedOn(trx, subject, match.providerId)
  const outdated = await jobs.cancelOpen(trx, subject, 'Another clinic has the lead now.', ABOUT_ANSWER)
  const { added, replaced } = await jobs.add(trx, subject, owed, { delay })
  return { added, replaced: [...revoked, ...outdated, ...replaced] }
}

/**
 * Undoes the newest match by staff, as long as none of its deliveries was started.
 * @param mayUndoAll whether the actor may undo the match of somebody else
 * @throws AppError `not_found`, `forbidden` for the match of somebody else, `conflict` when there is nothing to undo or it is
 * too late
 */
export async function undoMatch(
  db: Db,
  id: number,
  { actor, mayUndoAll = true }: Actor & { mayUndoAll?: boolean },
): Promise<void> {
  await onLead(db, id, async (trx, lead) => {
    if (!mayUndoAll && (await auditLog.findMatcher(trx, id)) !== actor) {
      throw new AppError('forbidden', 'Only a manager can undo what another person did.')
    }
    if (!(await matchChanges.undo(trx, id))) {
      throw new AppError('conflict', 'It is too late to undo this match. Change the clinic instead.')
    }
    const details = { from: lead.provider_id }
    await auditLog.record(trx, { actor, action: 'undo-match', entity: 'lead', entityId: id, details })
  })
}
