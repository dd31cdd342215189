import {
  CALLED_PATH,
  CLINIC_OPT_OUT_PATH,
  OPT_OUT_PATH,
  optOutUrl,
  PHONE_NUMBER_PATH,
  REQUEST_PATH,
  requestUrl,
  STAFF_PATHS,
} from '../../core/contract/page.ts'
import { SECRET_MARK } from '../../core/deliveries/contract/jobs.ts'
import type { WorkerEnv } from '../../core/env.ts'
import { tokenFor } from '../../core/leads/rules/request-links.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { type OptOutLink, optOutLink, personHashes } from '../../core/privacy/rules/opt-outs.ts'

type LinkEnv = Pick<WorkerEnv, 'DATA_KEY' | 'PUBLIC_URL'>

/** The pages of the visitor, by what they ask. */
const ASKS = { called: CALLED_PATH, number: PHONE_NUMBER_PATH } as const

/** `mailedAt` is the time of the job (ISO 8601), so that every attempt sends the same link. `to` is the address that gets it. */
type Mailed = { mailedAt: string; to: string } & ({ of: 'visitor'; asks: keyof typeof ASKS } | { of: 'clinic' })

/** Returns the link to the page for one request: its clinic's, or the visitor's. Null for a lead without a clinic. */
export function requestLink(env: LinkEnv, lead: Parameters<typeof tokenFor>[1], mailed: Mailed): string | null {
  const token = tokenFor(deriveKey(env.DATA_KEY, 'request-link'), lead, mailed)
  return token && requestUrl(env.PUBLIC_URL, mailed.of === 'clinic' ? REQUEST_PATH : ASKS[mailed.asks], token)
}

/** Returns the link by which the owner of a mailbox stops contact. `leadId` is the lead of the email, if any. */
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

/**
 * Takes the secrets out of a part of an email, HTML or text: all that follows the first part of the path in an
 * address of our site, because tokens stand in paths, queries and fragments. An address that a later email has is inert without
 * being known here. The addresses of the dashboard are whole, because they need a session, and those of pictures and of a provider's
 * contact card, which are the same for all readers.
 */
export function withoutSecrets(part: string, publicUrl: string): string {
  return part.replace(addressesOf(publicUrl), (_, site: string, path: string, rest: string) => {
    const isStaffs = path === STAFF_PATHS.admin && /^\?[^#]*$/.test(rest)
    const isSameForAll = SAME_FOR_ALL.test(path + rest)
    return (
      site +
      path +
      (isStaffs || isSameForAll || rest === '' ? rest : rest.startsWith('/') ? `/${SECRET_MARK}` : SECRET_MARK)
    )
  })
}

/** A drawing of ours, the picture of a provider for emails, or its contact card. */
const SAME_FOR_ALL = /^\/((art\/[a-z]+|pictures\/clinic-\d+)\.png|api\/providers\/\d+\/contact\.vcf)$/

let known: { publicUrl: string; addresses: RegExp } | undefined

/** Returns the pattern of the addresses of our site: the site, the first part of the path, and the rest. */
function addressesOf(publicUrl: string): RegExp {
  if (known?.publicUrl !== publicUrl) {
    const site = publicUrl.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    known = { publicUrl, addresses: new RegExp(`(${site})((?:/[^\\s"'<>/?#]*)?)([^\\s"'<>]*)`, 'gi') }
  }
  return known.addresses
}
