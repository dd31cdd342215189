import type { Page } from 'playwright-core'

/** Chromium's error for all requests of a machine whose network interfaces change. */
export const NETWORK_CHANGED = /net::ERR_NETWORK_CHANGED/

/** Makes `goto` and `reload` try once more when the machine's network interfaces changed meanwhile. */
export function surviveNetworkChanges(page: Page): void {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)]
  page.goto = (...to) => navigate(() => goto(...to))
  page.reload = (...options) => navigate(() => reload(...options))
}

function navigate<Result>(once: () => Promise<Result>): Promise<Result> {
  return once().catch((error: Error) => {
    if (!NETWORK_CHANGED.test(error.message)) throw error
    return once()
  })
}
