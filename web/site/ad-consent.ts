import { type ConversionIds, conversionTags } from '../../core/contract/ad-measurement.ts'
import { usePageData, useProviderOfPage } from '../lib/page-data.ts'
import { asksNotToBeMeasured } from '../lib/privacy-signals.ts'

export type AdChoice = 'allowed' | 'refused'

/** The version of the question (`ad-consent-banner.tsx`). A new one asks every visitor again. */
const QUESTION = 2

type Provider = ConversionIds | null | undefined

/** Returns the provider of this page if it may ask to measure its advertising (`AD_MEASUREMENT`), otherwise null. */
export function useAdvertiser() {
  const ofPage = useProviderOfPage()
  const { measuresAds } = usePageData()
  return measuresAds && ofPage.known ? ofPage.provider : null
}

/** Returns the storage key of the answer; null if the clinic measures nothing. Each clinic and set of tags has its own answer. */
export function adConsentKey(provider: Provider): string | null {
  const { google, microsoft } = conversionTags(provider)
  return google || microsoft ? `ad-consent ${QUESTION} ${google ?? '-'} ${microsoft ?? '-'}` : null
}

/**
 * Returns the visitor's answer; `open` while there is none, and `none` where there is nothing to choose: the clinic measures
 * nothing, or the browser refuses for its owner, which outweighs an earlier consent.
 */
export function adChoiceOf(provider: Provider): AdChoice | 'open' | 'none' {
  const key = adConsentKey(provider)
  if (key === null || asksNotToBeMeasured()) return 'none'
  try {
    const kept = localStorage.getItem(key)
    return kept === 'allowed' || kept === 'refused' ? kept : 'open'
  } catch {
    // A browser that keeps nothing cannot keep a consent either, and is not asked on every page.
    return 'refused'
  }
}

export function saveAdChoice(provider: Provider, choice: AdChoice): void {
  const key = adConsentKey(provider)
  if (key === null) return
  try {
    localStorage.setItem(key, choice)
  } catch {
    // Without a memory there is no consent.
  }
}
