/** Subdomains that are ours, or look as if they were. */
const RESERVED = new Set(
  'www admin api app assets auth autoconfig autodiscover blog cdn dashboard dns ftp help imap login m mail mta-sts mx ns ns1 ns2 pop pop3 portal secure shop smtp sso staff static status support vpn webmail'.split(
    ' ',
  ),
)

/**
 * Returns whether a host is reserved for the main site: the main domain, its parents, and names like `www.`, `mail.` or
 * `admin.` below these. Other subdomains may be microsites.
 */
export function isOwnHost(host: string, mainDomain: string): boolean {
  const wanted = host.toLowerCase()
  const main = mainDomain.toLowerCase()
  const isOwn = (name: string) => name === main || main.endsWith(`.${name}`)
  if (isOwn(wanted)) return true
  const [first = '', ...rest] = wanted.split('.')
  // `www.` serves the same site as the host without it.
  return RESERVED.has(first) && rest.length > 0 && isOwnHost(rest.join('.'), main)
}
