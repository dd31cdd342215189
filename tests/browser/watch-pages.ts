import type { BrowserContext } from 'playwright-core'
import { NETWORK_CHANGED } from '../support/network-change.ts'

/**
 * Collects what no page may do: errors in the console, violations of the Content-Security-Policy, calls to other hosts.
 * Those below the site's own, such as `clinic.localhost`, are the providers'.
 */
export async function watchPages(context: BrowserContext, siteUrl: string): Promise<string[]> {
  const problems: string[] = []
  const ours = new URL(siteUrl).host

  context.on('console', (message) => {
    const isComplaint = message.type() === 'error' || message.type() === 'warning'
    if (isComplaint && !NETWORK_CHANGED.test(message.text())) problems.push(`console: ${message.text()}`)
  })
  context.on('weberror', (error) => problems.push(`uncaught: ${error.error().stack}`))
  context.on('request', (request) => {
    const { host, protocol } = new URL(request.url())
    const isOurs = host === ours || host.endsWith(`.${ours}`)
    if (!isOurs && protocol.startsWith('http')) problems.push(`foreign host: ${request.url()}`)
  })
  // The browser tells violations in the console, but in words that may change.
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      console.error(`content security policy: ${effectiveDirective} ${blockedURI}`)
    })
  })
  return problems
}
