/** Names below our own domain that are ours, or that people would take for ours. */
const RESERVED = new Set(
  'www admin api app assets auth autoconfig autodiscover blog cdn dashboard dns ftp help imap login m mail mta-sts mx ns ns1 ns2 pop pop3 portal secure shop smtp sso staff static status support vpn webmail'.split(
    ' ',
  ),
)

/**
 * Whether a host is the main site's, so that no provider may have it: the main domain, the domains above it, and names
 * like `www.`, `mail.` or `admin.` below these. Other subdomains may be microsites.
 */
export function isOwnHost(host: string, mainDomain: string): boolean {
  const wanted = host.toLowerCase()
  const main = mainDomain.toLowerCase()
  const isOwn = (name: string) => name === main || main.endsWith(`.${name}`)
  if (isOwn(wanted)) return true
  const [first = '', ...rest] = wanted.split('.')
  // `www.` is served like the host without it.
  return RESERVED.has(first) && rest.length > 0 && isOwnHost(rest.join('.'), main)
}
