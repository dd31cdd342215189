import { type ConversionIds, conversionTags } from '../../core/contract/ad-measurement.ts'

/** The visitor's answer to a clinic that wants to measure its advertising. */
export type AdChoice = 'allowed' | 'refused'

type Provider = ConversionIds | null | undefined

/**
 * Returns the storage key of the answer; null if the clinic measures nothing. Each clinic and set of tags has its own
 * answer.
 */
export function adConsentKey(provider: Provider): string | null {
  const { google, microsoft } = conversionTags(provider)
  return google || microsoft ? `ad-consent ${google ?? '-'} ${microsoft ?? '-'}` : null
}

/** Tells whether to ask the visitor: the clinic measures, and neither the visitor nor the browser has answered. */
export function isAdConsentOpen(provider: Provider): boolean {
  const key = adConsentKey(provider)
  return key !== null && !refusesByBrowser() && read(key) === null
}

/** Tells whether this clinic may measure. A refusal of the browser outweighs an earlier consent. */
export function isAdMeasurementAllowed(provider: Provider): boolean {
  const key = adConsentKey(provider)
  return key !== null && !refusesByBrowser() && read(key) === 'allowed'
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

/** Global Privacy Control (https://www.w3.org/TR/gpc/). */
function refusesByBrowser(): boolean {
  return (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true
}
