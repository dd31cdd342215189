import { expiryOf, markOf, type RequestLink, signRequestLink } from '../../core/leads/rules/request-links.ts'
import * as leads from '../../core/leads/stores/leads.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import type { Db } from '../../core/platform/db.ts'
import { signInClinic } from '../../core/providers/change-provider.ts'
import * as clinicLinks from '../../core/providers/stores/clinic-links.ts'
import { testEnv } from './env.ts'
import { createLead, createProvider, deliverAll } from './factories.ts'
import { found } from './found.ts'

export const LINK_KEY = deriveKey(testEnv().DATA_KEY, 'request-link')

/** Returns the path of the clinic's page for a matched lead. */
export async function requestPath(db: Db, leadId: number, overrides: Partial<RequestLink> = {}): Promise<string> {
  const lead = found(await leads.find(db, leadId))
  const { email } = found(await db('providers').where('id', Number(lead.provider_id)).first('email'))
  const link = {
    of: 'clinic',
    leadId,
    providerId: Number(lead.provider_id),
    matchedAt: String(lead.matched_at),
    recipient: markOf(LINK_KEY, email),
  } as const
  const expiresOn = expiryOf(new Date().toISOString())
  return `/r/${signRequestLink(LINK_KEY, { ...link, expiresOn, ...overrides })}`
}

/** Signs in to the pages of a clinic by a link. Returns the headers of the session. */
export async function clinicSession(db: Db, providerId: number): Promise<{ cookie: string }> {
  const { email } = found(await db('providers').where('id', providerId).first('email'))
  await clinicLinks.request(db, email)
  const link = await db('one_time_tokens').where({ provider_id: providerId }).orderBy('requested_at', 'desc').first()
  const made = found(await clinicLinks.makeToken(db, String(link?.job_id)))
  return { cookie: `leadwell_clinic=${await signInClinic(db, made.token, { ip: '198.51.100.1', userAgent: '' })}` }
}

/** Stores a lead of a clinic that has got its email. */
export async function createRequest(
  db: Db,
  options: Parameters<typeof createLead>[1] = {},
): Promise<{ id: number; providerId: number; path: string }> {
  const providerId = options.providerId ?? (await createProvider(db, { practice_name: 'Lamar Men’s Health' })).id
  const id = await createLead(db, { ...options, providerId })
  await deliverAll(db, id)
  return { id, providerId, path: await requestPath(db, id) }
}
