import * as jobs from '../../core/deliveries/stores/jobs.ts'
import { noteNoMatch } from '../../core/leads/advance-clocks.ts'
import { assignTo, choose, chooseUnderLock, needsLock, wantedBy } from '../../core/leads/assign-provider.ts'
import { only } from '../../core/platform/db.ts'
import { NotNeeded } from '../delivery-error.ts'
import type { Handler, Outcome, TaskAbout, WorkerServices } from './handler.ts'

/** Finds a provider for leads that have none. */
export const matchLead: Handler = (tasks, services) =>
  tasks.map(async (task) => {
    if (task.of !== 'lead') throw new NotNeeded('Only leads are matched.')
    return match(task, services)
  })

async function match({ row: lead, job }: TaskAbout<'lead'>, { db, env }: WorkerServices): Promise<Outcome> {
  if (lead.held_reason !== null) throw new NotNeeded('The lead is held. It is matched when staff release it.')
  if (lead.provider_id !== null) throw new NotNeeded('The lead has a provider already.')

  const radiusMiles = env.MATCH_RADIUS_MILES
  const wanted = only(await wantedBy(db, [lead]))
  const found = await choose(db, wanted, radiusMiles)
  return {
    result: { ...found },
    async commit(trx, current) {
      if (current.provider_id !== null) return
      const final = needsLock(found) ? await chooseUnderLock(trx, wanted, radiusMiles) : found
      if (final.providerId !== found.providerId) await jobs.correctResult(trx, job.id, { ...final })
      if (final.providerId !== null) await assignTo(trx, current, final)
      else await noteNoMatch(trx, current, final, env)
    },
  }
}
