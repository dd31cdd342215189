import type { NewLead } from '../../core/contract/lead-form.ts'

type Attribution = NonNullable<NewLead['attribution']>
type Touch = NonNullable<Attribution['last']>

const KEY = 'attribution'
const CAMPAIGN = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'gclid',
  'msclkid',
  'fbclid',
] as const

/**
 * Returns the origin of a visit from its landing page and referrer; null for a navigation within the site. Only origin
 * and path of an address are kept, because the rest may identify a person.
 */
export function touchOf(location: URL, referrer: string): Touch | null {
  const campaign = Object.fromEntries(
    CAMPAIGN.flatMap((name) => {
      const value = location.searchParams.get(name)
      return value ? [[name, value.slice(0, 200)]] : []
    }),
  )
  const from = URL.canParse(referrer) ? new URL(referrer) : null
  const isForeign = from !== null && from.host !== location.host
  if (from && !isForeign && Object.keys(campaign).length === 0) return null

  return {
    landing_page: withoutDetails(location),
    ...(isForeign && { referrer: withoutDetails(from) }),
    ...campaign,
  }
}

/**
 * Takes note of how the visitor has come; the first time stays, the last is replaced. To be called once for each page
 * load. A page that search engines must not list is no landing page, because its address may hold a secret.
 */
export function recordVisit(): void {
  if (document.querySelector('meta[name="robots"][content="noindex"]')) return
  const touch = touchOf(new URL(window.location.href), document.referrer)
  const known = readAttribution()
  if (!touch || (known && isBare(touch))) return
  try {
    localStorage.setItem(KEY, JSON.stringify({ first: known?.first ?? touch, last: touch }))
  } catch {
    // Storage is full or not allowed: a courtesy that can be done without.
  }
}

/** The parameters with which an advertising network marks a click. */
const CLICKS = { gclid: 'google', msclkid: 'microsoft', fbclid: 'facebook' } as const

/**
 * Returns source and campaign of a visit, as the database works them out for a lead (`lead_source` and `lead_campaign`); null
 * without one.
 */
export function originOf(touch: Touch | null): { source: string | null; campaign: string | null } {
  const name = (text: string | undefined) => text?.trim().toLowerCase() || null
  const click = Object.entries(CLICKS).find(([parameter]) => touch?.[parameter as keyof typeof CLICKS])
  const host = touch?.referrer?.split('/')[2]?.replace(/^www\./, '')
  return { source: name(touch?.utm_source) ?? click?.[1] ?? name(host), campaign: name(touch?.utm_campaign) }
}

/** Returns source and campaign of this page load. Reads nothing that the browser has stored. */
export function originOfVisit(): ReturnType<typeof originOf> {
  return originOf(touchOf(new URL(window.location.href), document.referrer))
}

/** Returns the origins of the visitor's first and last visit, as far as they are known. */
export function readAttribution(): Attribution | undefined {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** Somebody who types the address or uses a bookmark has come by what brought them first. */
function isBare({ landing_page, ...source }: Touch): boolean {
  return Object.keys(source).length === 0
}

function withoutDetails({ origin, pathname }: URL): string {
  return (origin + pathname).slice(0, 500)
}
