import { SyncEmailPurpose } from '../../core/contract/jobs.ts'
import * as providerEmails from '../../core/stores/provider-emails.ts'
import * as providers from '../../core/stores/providers.ts'
import { NotNeeded } from '../delivery-error.ts'
import { composeSyncEmail } from '../emails/compose.ts'
import { deliver } from './deliver.ts'
import type { SyncHandler } from './handler.ts'

export const emailAboutSync: SyncHandler = async (job, run, services) => {
  const { db, env } = services
  const purpose = SyncEmailPurpose.parse(job.purpose)
  const provider = job.toldProviderId === null ? null : await providers.find(db, job.toldProviderId)
  const change = run.changes.find(({ provider_id, told }) => provider_id === provider?.id && told !== undefined)
  if (purpose === 'provider_changed' && !change) throw new NotNeeded('The provider or the change is gone.')

  // Each attempt has its own link: whether an earlier e-mail arrived is unknown, and its token is not stored.
  const newEmail = change?.fields.find(({ field }) => field === 'email')?.to
  const token = provider && newEmail ? await providerEmails.issueToken(db, provider.id, String(newEmail)) : null
  const email = composeSyncEmail(purpose, { run, provider, token, env })
  return { result: await deliver(job, email, services) }
}
