import { CALLED_PATH, REQUEST_PATH, requestUrl } from '../../core/contract/page.ts'
import type { WorkerEnv } from '../../core/env.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { expiryOf, type RequestLink, signRequestLink } from '../../core/rules/request-links.ts'

type Matched = { id: number; provider_id: number | null; matched_at: string | null }
type LinkEnv = Pick<WorkerEnv, 'DATA_KEY' | 'PUBLIC_URL'>

const PATHS = { clinic: REQUEST_PATH, visitor: CALLED_PATH } as const

/**
 * Returns the link of an e-mail to the page for one request: that of its clinic, or the visitor's. `mailedAt` is the time of
 * the job (ISO 8601), so that every attempt sends the same link. Returns null for a lead without a clinic.
 */
export function requestLink(env: LinkEnv, of: RequestLink['of'], lead: Matched, mailedAt: string): string | null {
  const { id: leadId, provider_id: providerId, matched_at: matchedAt } = lead
  if (providerId === null || matchedAt === null) return null
  const link = { of, leadId, providerId, matchedAt, expiresOn: expiryOf(mailedAt) }
  return requestUrl(env.PUBLIC_URL, PATHS[of], signRequestLink(deriveKey(env.DATA_KEY, 'request-link'), link))
}
