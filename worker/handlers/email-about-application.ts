import { ApplicationEmailPurpose } from '../../core/contract/jobs.ts'
import { NotNeeded } from '../delivery-error.ts'
import { composeApplicationEmail } from '../emails/compose.ts'
import { deliver } from './deliver.ts'
import type { ApplicationHandler } from './handler.ts'
import { personsLink, refuseUnwanted } from './opt-out.ts'

export const emailAboutApplication: ApplicationHandler = async (job, application, services) => {
  const purpose = ApplicationEmailPurpose.parse(job.purpose)
  const isHeld = application.held_reason !== null
  if (isHeld && purpose !== 'team') throw new NotNeeded('The application is held. This is sent when staff release it.')
  await refuseUnwanted(purpose, application, services)

  const optOutUrl = personsLink(services.env, application, null)
  const email = composeApplicationEmail(purpose, { application, optOutUrl, env: services.env })
  const delivery = await deliver(job, email, services)
  return { result: { ...delivery, ...(isHeld && { heldReason: application.held_reason }) } }
}
