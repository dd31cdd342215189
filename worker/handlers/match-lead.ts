import { jobsForNoMatch } from '../../core/rules/deliveries.ts'
import { chooseProvider } from '../../core/rules/matching.ts'
import * as jobs from '../../core/stores/jobs.ts'
import * as leads from '../../core/stores/leads.ts'
import * as providers from '../../core/stores/providers.ts'
import { NotNeeded } from '../delivery-error.ts'
import type { Handler } from './handler.ts'

export const matchLead: Handler = async (_job, lead, { db, env }) => {
  if (lead.provider_id !== null) throw new NotNeeded('The lead has a provider already.')

  const [candidates] = await providers.findCandidates(db, [{ zip: lead.zip_code }])
  const match = chooseProvider({ ...candidates, radiusMiles: env.MATCH_RADIUS_MILES })
  return {
    result: { ...match },
    async commit(trx, current) {
      if (current.provider_id !== null) return
      if (match.providerId === null) await jobs.addOnce(trx, current.id, jobsForNoMatch())
      else await leads.assign(trx, current, match)
    },
  }
}
