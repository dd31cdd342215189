import { requestUrl } from '../../core/contract/page.ts'
import type { WorkerEnv } from '../../core/env.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { expiryOf, signRequestLink } from '../../core/rules/request-links.ts'

/**
 * Returns the link of a clinic to its page for a request, in an e-mail of that time (ISO 8601). Null unless the clinic has
 * the lead.
 */
export function clinicsRequestUrl(
  { DATA_KEY, PUBLIC_URL }: Pick<WorkerEnv, 'DATA_KEY' | 'PUBLIC_URL'>,
  lead: { id: number; provider_id: number | null; matched_at: string | null },
  provider: { id: number } | null,
  mailedAt: string,
): string | null {
  if (!provider || provider.id !== lead.provider_id || lead.matched_at === null) return null
  const link = { of: 'clinic', leadId: lead.id, providerId: provider.id, matchedAt: lead.matched_at } as const
  const token = signRequestLink(deriveKey(DATA_KEY, 'request-link'), { ...link, expiresOn: expiryOf(mailedAt) })
  return requestUrl(PUBLIC_URL, token)
}
