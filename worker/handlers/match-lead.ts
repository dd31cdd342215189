import { assignTo } from '../../core/commands/leads/assign-provider.ts'
import { jobsForNoMatch } from '../../core/rules/deliveries.ts'
import { chooseProvider } from '../../core/rules/matching.ts'
import * as jobs from '../../core/stores/jobs.ts'
import * as leads from '../../core/stores/leads.ts'
import * as providers from '../../core/stores/providers.ts'
import { NotNeeded } from '../delivery-error.ts'
import type { LeadHandler } from './handler.ts'

export const matchLead: LeadHandler = async (_job, lead, { db, env }) => {
  if (lead.held_reason !== null) throw new NotNeeded('The lead is held. It is matched when staff release it.')
  if (lead.provider_id !== null) throw new NotNeeded('The lead has a provider already.')

  const [candidates] = await providers.findCandidates(db, [{ zip: lead.zip_code }])
  const match = chooseProvider({ ...candidates, radiusMiles: env.MATCH_RADIUS_MILES })
  return {
    result: { ...match },
    async commit(trx, current) {
      const owner = { leadId: current.id }
      if (current.provider_id !== null) return
      if (match.providerId !== null) {
        await assignTo(trx, current, match)
        return
      }
      await leads.noteUnreached(trx, current.id)
      await jobs.add(trx, owner, jobsForNoMatch(await jobs.listLatest(trx, owner)))
    },
  }
}
