import type { CLICK_NETWORKS, NewLead } from '../../core/contract/forms.ts'
import { asksNotToBeMeasured } from '../lib/privacy-signals.ts'

type Attribution = NonNullable<NewLead['attribution']>
type Touch = NonNullable<Attribution['last']>

const KEY = 'attribution'
const CAMPAIGN = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const

/**
 * The parameters with which an advertising network marks a click. Google sends `gbraid` and `wbraid` in place of `gclid` on iOS
 * (https://support.google.com/google-ads/answer/10417364).
 */
const CLICKS: Record<string, (typeof CLICK_NETWORKS)[number]> = {
  ...{ gclid: 'google', gbraid: 'google', wbraid: 'google' },
  msclkid: 'microsoft',
  fbclid: 'facebook',
}

/**
 * Returns the origin of a visit from its landing page and referrer; null for a navigation within the site. Only origin
 * and path of an address are kept, and of a click on an ad its network, because the rest may identify a person.
 */
export function touchOf(location: URL, referrer: string): Touch | null {
  const campaign = Object.fromEntries(
    CAMPAIGN.flatMap((name) => {
      const value = location.searchParams.get(name)
      return value ? [[name, value.slice(0, 200)]] : []
    }),
  )
  const click = Object.keys(CLICKS).find((name) => location.searchParams.get(name))
  const from = URL.canParse(referrer) ? new URL(referrer) : null
  const isForeign = from !== null && from.host !== location.host
  if (from && !isForeign && !click && Object.keys(campaign).length === 0) return null

  return {
    landing_page: withoutDetails(location),
    ...(isForeign && { referrer: withoutDetails(from) }),
    ...campaign,
    ...(click && { network: CLICKS[click] }),
  }
}

/**
 * Takes note of how the visitor has come; the first time stays, the last is replaced. To be called once for each page
 * load. A page that search engines must not list is no landing page, because its address may hold a secret. A browser that asks
 * not to be measured keeps nothing.
 */
export function recordVisit(): void {
  try {
    if (asksNotToBeMeasured()) {
      localStorage.removeItem(KEY)
      return
    }
    if (document.querySelector('meta[name="robots"][content="noindex"]')) return
    const touch = touchOf(new URL(window.location.href), document.referrer)
    const known = readAttribution()
    const isNews = touch && !(known && isBare(touch))
    const attribution = isNews ? { first: known?.first ?? touch, last: touch } : known
    if (attribution) localStorage.setItem(KEY, JSON.stringify(attribution))
  } catch {
    // Storage is full or not allowed: a courtesy that can be done without.
  }
}

export function readAttribution(): Attribution | undefined {
  if (asksNotToBeMeasured()) return undefined
  try {
    const { first, last }: Attribution = JSON.parse(localStorage.getItem(KEY) ?? '')
    return { first: first && withoutClickId(first), last: last && withoutClickId(last) }
  } catch {
    return undefined
  }
}

/** Earlier releases have stored the id of a click in the browser. Of it, only the network is kept. */
function withoutClickId(touch: Touch): Touch {
  const click = Object.keys(CLICKS).find((name) => name in touch)
  const rest = Object.fromEntries(Object.entries(touch).filter(([name]) => !(name in CLICKS)))
  return click ? { ...rest, network: CLICKS[click] } : rest
}

/** Somebody who types the address or uses a bookmark has come by what brought them first. */
function isBare({ landing_page, ...source }: Touch): boolean {
  return Object.keys(source).length === 0
}

function withoutDetails({ origin, pathname }: URL): string {
  return (origin + pathname).slice(0, 500)
}
