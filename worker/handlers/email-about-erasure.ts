import { ErasureEmailPurpose } from '../../core/contract/jobs.ts'
import type { LeadJob } from '../../core/stores/attempts.ts'
import type { ErasedLead } from '../../core/stores/erasures.ts'
import * as providers from '../../core/stores/providers.ts'
import { NotNeeded } from '../delivery-error.ts'
import { composeErasureEmail } from '../emails/compose.ts'
import { deliver } from './deliver.ts'
import type { Handler } from './handler.ts'

/** Asks a clinic to delete its data of a lead that was deleted for good. */
export const emailAboutErasure: Handler<LeadJob, ErasedLead> = async (job, erased, services) => {
  const { db, env } = services
  const purpose = ErasureEmailPurpose.parse(job.purpose)
  const clinic = job.previousProviderId === null ? null : await providers.find(db, job.previousProviderId)
  if (!clinic) throw new NotNeeded('The clinic is gone.')

  return { result: await deliver(job, composeErasureEmail(purpose, { erased, clinic, env }), services) }
}
