import { AccountEmailPurpose } from '../../core/contract/jobs.ts'
import { staffLinkUrl } from '../../core/contract/page.ts'
import * as auditLog from '../../core/stores/audit-log.ts'
import * as links from '../../core/stores/staff-links.ts'
import * as staffSessions from '../../core/stores/staff-sessions.ts'
import { NotNeeded } from '../delivery-error.ts'
import { composeAccountEmail } from '../emails/compose.ts'
import { deliver } from './deliver.ts'
import type { AccountHandler, WorkerServices } from './handler.ts'

/**
 * Sends an e-mail to the owner of a staff account. Each attempt to send a link makes a new token, because only hashes
 * are stored.
 */
export const emailAboutAccount: AccountHandler = async (job, account, services) => {
  const { db, env } = services
  const purpose = AccountEmailPurpose.parse(job.purpose)
  const brings = purpose === 'invitation' || purpose === 'reset' ? purpose : null
  const link = brings && (await makeLink(services, account.id, brings, job.id))
  if (brings && !link) throw new NotNeeded('The link is not needed any more.')

  const session = purpose === 'new_browser' ? await staffSessions.findDevice(db, job.id) : null
  const isAboutFactor = purpose === 'new_factor' || purpose === 'factor_removed'
  const act = isAboutFactor ? await auditLog.findActOf(db, job.id) : null
  const email = composeAccountEmail(purpose, { account, at: job.createdAt, link, session, act, env })
  return { result: await deliver(job, email, services) }
}

async function makeLink(
  { db, env }: Pick<WorkerServices, 'db' | 'env'>,
  accountId: number,
  kind: links.LinkKind,
  jobId: string,
) {
  const made = await links.makeToken(db, accountId, kind, jobId)
  return made && { ...made, url: staffLinkUrl(env.PUBLIC_URL, made.token) }
}
