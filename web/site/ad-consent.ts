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

/** Tells whether the visitor can choose: the clinic measures, and the browser does not refuse for its owner. */
export function isAdChoiceOffered(provider: Provider): boolean {
  return adConsentKey(provider) !== null && !asksNotToBeMeasured()
}

/** Returns the visitor's answer; null while it is open, and where there is nothing to choose. */
export function adChoiceOf(provider: Provider): AdChoice | null {
  const key = adConsentKey(provider)
  return key === null || asksNotToBeMeasured() ? null : read(key)
}

/** Tells whether to ask the visitor: the clinic measures, and neither the visitor nor the browser has answered. */
export function isAdConsentOpen(provider: Provider): boolean {
  return isAdChoiceOffered(provider) && adChoiceOf(provider) === null
}

/** Tells whether this clinic may measure. A refusal of the browser outweighs an earlier consent. */
export function isAdMeasurementAllowed(provider: Provider): boolean {
  return adChoiceOf(provider) === 'allowed'
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

/** A browser that keeps nothing cannot keep a consent either, and is not asked on every page. */
function read(key: string): AdChoice | null {
  try {
    const kept = localStorage.getItem(key)
    return kept === 'allowed' || kept === 'refused' ? kept : null
  } catch {
    return 'refused'
  }
}
