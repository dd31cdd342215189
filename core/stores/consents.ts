import { createHash } from 'node:crypto'
import { consentVersion } from '../contract/consent.ts'

/** Where a form came from. */
export type Visit = { ip: string; userAgent: string; pageUrl: string }

/**
 * The evidence of a consent as its columns: the exact wording that was agreed to, its version where it is one of ours,
 * its SHA-256 in hex, and who agreed from where. `lead-submissions.ts` writes it in the statement that stores the lead.
 */
export function consentEvidence(wording: string, { ip, userAgent, pageUrl }: Visit) {
  return {
    wording_version: consentVersion(wording),
    wording_hash: createHash('sha256').update(wording).digest('hex'),
    ip,
    user_agent: userAgent.slice(0, 500),
    page_url: pageUrl.slice(0, 1000),
  }
}
