import { assignTo } from '../../core/commands/leads/assign-provider.ts'
import type { Lead } from '../../core/contract/leads.ts'
import { jobsForNoMatch } from '../../core/rules/deliveries.ts'
import { decideRepeat } from '../../core/rules/earlier-requests.ts'
import { chooseProvider } from '../../core/rules/matching.ts'
import { findEarlier } from '../../core/stores/earlier-requests.ts'
import * as jobs from '../../core/stores/jobs.ts'
import * as leads from '../../core/stores/leads.ts'
import * as providers from '../../core/stores/providers.ts'
import { NotNeeded } from '../delivery-error.ts'
import type { Handler, Outcome, WorkerServices } from './handler.ts'

/** Finds a provider for leads that have none. */
export const matchLead: Handler = (tasks, services) =>
  tasks.map(async (task) => {
    if (task.of !== 'lead') throw new NotNeeded('Only leads are matched.')
    return match(task.row, services)
  })

async function match(lead: Lead, { db, env }: WorkerServices): Promise<Outcome> {
  if (lead.held_reason !== null) throw new NotNeeded('The lead is held. It is matched when staff release it.')
  if (lead.provider_id !== null) throw new NotNeeded('The lead has a provider already.')

  const [earlier = []] = await findEarlier(db, [lead])
  const { except } = decideRepeat(earlier)
  const [candidates] = await providers.findCandidates(db, [{ zip: lead.zip_code, except }])
  const found = chooseProvider({ ...candidates, radiusMiles: env.MATCH_RADIUS_MILES })
  return {
    result: { ...found },
    async commit(trx, current) {
      const owner = { leadId: current.id }
      if (current.provider_id !== null) return
      if (found.providerId !== null) {
        await assignTo(trx, current, found)
        return
      }
      await leads.noteUnreached(trx, current.id)
      await jobs.add(trx, owner, jobsForNoMatch(await jobs.listLatest(trx, owner)))
    },
  }
}
