import { CLINIC_OPT_OUT_PATH, OPT_OUT_PATH, optOutUrl } from '../../core/contract/page.ts'
import type { WorkerEnv } from '../../core/env.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { type OptOutLink, optOutLink, personHashes } from '../../core/privacy/rules/opt-outs.ts'

type LinkEnv = Pick<WorkerEnv, 'DATA_KEY' | 'PUBLIC_URL'>

/**
 * Returns the link by which the owner of a mailbox stops contact.
 * @param leadId the lead that the email is about, if any
 */
export function personsLink(env: LinkEnv, email: string, leadId: number | null): string {
  const hashes = personHashes(deriveKey(env.DATA_KEY, 'person-hash'), { email })
  return link(env, OPT_OUT_PATH, { of: 'person', leadId, hashes })
}

/** Returns the link by which a clinic confirms that it stopped. */
export function clinicsLink(env: LinkEnv, optOutId: number): string {
  return link(env, CLINIC_OPT_OUT_PATH, { of: 'clinic', optOutId })
}

function link(
  { DATA_KEY, PUBLIC_URL }: LinkEnv,
  path: typeof OPT_OUT_PATH | typeof CLINIC_OPT_OUT_PATH,
  says: OptOutLink,
) {
  return optOutUrl(PUBLIC_URL, path, optOutLink.sign(deriveKey(DATA_KEY, 'opt-out-link'), says))
}
