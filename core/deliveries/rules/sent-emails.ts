import { STAFF_PATHS } from '../../contract/page.ts'
import { SECRET_MARK } from '../contract/jobs.ts'

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
