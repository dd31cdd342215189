import { expiryOf, markOf, type RequestLink, signRequestLink } from '../../core/leads/rules/request-links.ts'
import * as leads from '../../core/leads/stores/leads.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import type { Db } from '../../core/platform/db.ts'
import { testEnv } from './env.ts'
import { createLead, createProvider } from './factories.ts'
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

/** Stores a lead of a clinic that has got its email. */
export async function createRequest(
  db: Db,
  options: Parameters<typeof createLead>[1] = {},
): Promise<{ id: number; providerId: number; path: string }> {
  const providerId = options.providerId ?? (await createProvider(db, { practice_name: 'Lamar Men’s Health' })).id
  const id = await createLead(db, { ...options, providerId })
  await db('jobs')
    .where({ subject_kind: 'lead', subject_id: id })
    .update({ state: 'done', attempts: 1, finished_at: db.fn.now() })
  return { id, providerId, path: await requestPath(db, id) }
}
