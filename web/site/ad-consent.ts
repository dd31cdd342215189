import { type ConversionIds, conversionTags } from '../../core/contract/ad-measurement.ts'

/** What a visitor has answered to a clinic that wants to measure its advertising. */
export type AdChoice = 'allowed' | 'refused'

type Provider = ConversionIds | null | undefined

/** Where the answer is kept; null when there is nothing to ask. Each clinic is answered alone, by its tags. */
export function adConsentKey(provider: Provider): string | null {
  const { google, microsoft } = conversionTags(provider)
  return google || microsoft ? `ad-consent ${google ?? '-'} ${microsoft ?? '-'}` : null
}

/** Whether the visitor is to be asked: there is something to measure, and neither they nor their browser has said. */
export function isAdConsentOpen(provider: Provider): boolean {
  const key = adConsentKey(provider)
  return key !== null && !refusesByBrowser() && read(key) === null
}

/** Whether this clinic may measure. The browser's own refusal outweighs an earlier yes. */
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
