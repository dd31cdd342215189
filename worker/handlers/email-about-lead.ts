import { LeadEmailPurpose } from '../../core/contract/jobs.ts'
import * as providers from '../../core/stores/providers.ts'
import { DeliveryError, NotNeeded } from '../delivery-error.ts'
import { composeLeadEmail } from '../emails/compose.ts'
import { deliver } from './deliver.ts'
import type { LeadHandler } from './handler.ts'

/** How many providers the team is told of when none is in reach. */
const NEAREST_SHOWN = 5

export const emailAboutLead: LeadHandler = async (job, lead, services) => {
  const { db, env } = services
  const purpose = LeadEmailPurpose.parse(job.purpose)
  const isHeld = lead.held_reason !== null
  if (isHeld && purpose !== 'team') throw new NotNeeded('The lead is held. This is sent when staff release it.')
  if (!isHeld && purpose === 'team' && lead.provider_id !== null) throw new NotNeeded('The lead has a provider by now.')

  const provider = lead.provider_id === null ? null : await providers.find(db, lead.provider_id)
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
  const email = composeLeadEmail(purpose, { lead, provider, previous, nearest, env })
  const delivery = await deliver(job, email, services)
  return { result: { ...delivery, ...(isHeld && { heldReason: lead.held_reason }) } }
}
