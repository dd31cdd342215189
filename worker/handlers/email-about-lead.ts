import { LeadEmailPurpose } from '../../core/contract/jobs.ts'
import * as clinicOptOuts from '../../core/stores/clinic-opt-outs.ts'
import * as providers from '../../core/stores/providers.ts'
import { DeliveryError, NotNeeded } from '../delivery-error.ts'
import { composeLeadEmail } from '../emails/compose.ts'
import { deliver } from './deliver.ts'
import type { LeadHandler, WorkerServices } from './handler.ts'
import { clinicsLink, personsLink, refuseUnwanted } from './opt-out.ts'

/** Providers named in the team's e-mail when none is in reach. */
const NEAREST_SHOWN = 5

export const emailAboutLead: LeadHandler = async (job, lead, services) => {
  const { db, env } = services
  const purpose = LeadEmailPurpose.parse(job.purpose)
  const isHeld = lead.held_reason !== null
  if (isHeld && purpose !== 'team') throw new NotNeeded('The lead is held. This is sent when staff release it.')
  await refuseUnwanted(purpose, lead, services)
  if (!isHeld && purpose === 'team' && lead.provider_id !== null) throw new NotNeeded('The lead has a provider by now.')

  const providerId = job.toldProviderId ?? lead.provider_id
  const provider = providerId === null ? null : await providers.find(db, providerId)
  if (purpose === 'provider' && !provider) {
    throw new DeliveryError('The lead has no provider to write to.', { cause: 'no_provider', retry: 'never' })
  }

  const { previousProviderId } = job
  const previous = previousProviderId === null ? null : await providers.find(db, previousProviderId)
  if (previousProviderId !== null && (!previous || !provider || previous.id === provider.id)) {
    throw new NotNeeded('The lead has not gone to another clinic.')
  }

  const isSearch = purpose === 'team' && !isHeld
  const nearest = isSearch ? await providers.listNearest(db, lead.zip_code, NEAREST_SHOWN) : []
  const optOutUrl = personsLink(env, lead, lead.id)
  const stopped = purpose === 'opted_out' && provider ? await findStopped(lead.id, provider.id, services) : null
  const email = composeLeadEmail(purpose, { lead, provider, previous, nearest, optOutUrl, stopped, env })
  const delivery = await deliver(job, email, services)
  return { result: { ...delivery, ...(isHeld && { heldReason: lead.held_reason }) } }
}

/** Returns the opt-out that the clinic has still to confirm, if there is one. */
async function findStopped(leadId: number, providerId: number, { db, env }: WorkerServices) {
  const [asked] = await clinicOptOuts.find(db, { lead_id: leadId, provider_id: providerId })
  if (!asked) throw new NotNeeded('This person may be contacted again.')
  if (asked.confirmed_at) throw new NotNeeded('The clinic has confirmed already that it stopped.')
  return { url: clinicsLink(env, asked.id), dueAt: asked.due_at }
}
