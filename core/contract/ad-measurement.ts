/** The conversion ids of a provider, as they were entered. */
export type ConversionIds = { google_ads_id: string | null; bing_ads_id: string | null }

/** The partners with whom clinics advertise. */
export const AD_NETWORKS = ['google', 'microsoft'] as const
type AdNetwork = (typeof AD_NETWORKS)[number]

export const PARTNERS: Record<AdNetwork, string> = { google: 'Google', microsoft: 'Microsoft' }

/** A Google Ads tag with an optional conversion label: `AW-123456789/AbC-D_efG`. */
const GOOGLE_ADS_ID = /^AW-\d{6,15}(\/[\w-]{1,60})?$/
/** The id of a Microsoft Advertising UET tag. */
const UET_TAG_ID = /^\d{4,15}$/

/** Returns the valid ids of a provider. An id of another form becomes null, so that it never gets into a URL. */
export function conversionTags(provider: ConversionIds | null | undefined) {
  const valid = (id: string | null | undefined, form: RegExp) => {
    const trimmed = id?.trim() ?? ''
    return form.test(trimmed) ? trimmed : null
  }
  return {
    google: valid(provider?.google_ads_id, GOOGLE_ADS_ID),
    microsoft: valid(provider?.bing_ads_id, UET_TAG_ID),
  }
}

/**
 * The hosts that a tag may connect to and load images from, for the Content-Security-Policy. Scripts are allowed by a nonce instead,
 * because some of these hosts also serve arbitrary scripts (JSONP). Sources: Google,
 * "Use Tag Manager with a Content Security Policy", Google Ads conversions
 * (https://developers.google.com/tag-platform/security/guides/csp), without the frames, which only serve remarketing;
 * for Microsoft, the requests of its bat.js.
 */
export const CONVERSION_HOSTS = {
  google: [
    'https://www.googletagmanager.com',
    'https://www.googleadservices.com',
    'https://googleads.g.doubleclick.net',
    'https://pagead2.googlesyndication.com',
    'https://www.google.com',
    'https://google.com',
  ],
  microsoft: ['https://bat.bing.com', 'https://bat.bing.net'],
} as const
