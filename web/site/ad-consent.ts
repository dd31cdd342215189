import { BOOKING_QUESTION, type ConversionIds, conversionTags } from '../../core/contract/ad-measurement.ts'
import type { AdConsent } from '../../core/contract/lead-form.ts'
import { usePageData } from '../lib/page-data.ts'

/** The visitor's answer to a clinic that wants to measure its advertising. */
export type AdChoice = 'allowed' | 'refused'

/** What a clinic asks to measure: forms, or forms and the bookings that follow. */
export type AdQuestion = 'form' | 'booking'

type Provider = ConversionIds | null | undefined

/** Returns the question that this site asks, by the setting `OFFLINE_CONVERSIONS`. */
export function useAdQuestion(): AdQuestion {
  return usePageData().offlineConversions ? 'booking' : 'form'
}

/**
 * Returns the storage key of the answer; null if the clinic measures nothing. Each clinic, set of tags and question has
 * its own answer, so that a yes to the narrower question is none to the wider one.
 */
export function adConsentKey(provider: Provider, question: AdQuestion = 'form'): string | null {
  const { google, microsoft } = conversionTags(provider)
  const version = question === 'booking' ? ` ${BOOKING_QUESTION}` : ''
  return google || microsoft ? `ad-consent${version} ${google ?? '-'} ${microsoft ?? '-'}` : null
}

/** Tells whether the visitor can choose: the clinic measures, and the browser does not refuse for its owner. */
export function isAdChoiceOffered(provider: Provider): boolean {
  return adConsentKey(provider) !== null && !refusesByBrowser()
}

/** Tells whether to ask the visitor: the clinic measures, and neither the visitor nor the browser has answered. */
export function isAdConsentOpen(provider: Provider, question: AdQuestion = 'form'): boolean {
  const key = adConsentKey(provider, question)
  return key !== null && !refusesByBrowser() && read(key) === null
}

/** Returns the visitor's answer to this clinic, if it measures and neither the visitor nor the browser left it open. */
export function adChoiceOf(provider: Provider, question: AdQuestion = 'form'): AdChoice | null {
  const key = adConsentKey(provider, question)
  return key === null || refusesByBrowser() ? null : read(key)
}

/** Tells whether this clinic may measure. A refusal of the browser outweighs an earlier consent. */
export function isAdMeasurementAllowed(provider: Provider, question: AdQuestion = 'form'): boolean {
  return adChoiceOf(provider, question) === 'allowed'
}

/**
 * Keeps an answer. The answer to the wider question is one to the narrower question as well. A refusal answers both, so that
 * no earlier yes to the wider question counts when the site asks it again.
 */
export function saveAdChoice(provider: Provider, choice: AdChoice, question: AdQuestion = 'form'): void {
  const answersBoth = question === 'booking' || choice === 'refused'
  for (const each of answersBoth ? (['booking', 'form'] as const) : (['form'] as const)) {
    const key = adConsentKey(provider, each)
    if (key === null) return
    try {
      localStorage.setItem(key, choice)
    } catch {
      // Without a memory there is no consent.
    }
  }
}

/**
 * Returns the consent to send with a lead: the partners that may learn of its booking. Undefined unless the visitor has
 * allowed this clinic the wider question.
 */
export function bookingConsent(
  provider: (ConversionIds & { id: number }) | null,
  question: AdQuestion,
): AdConsent | undefined {
  if (provider === null || question !== 'booking' || !isAdMeasurementAllowed(provider, question)) return undefined
  const { google, microsoft } = conversionTags(provider)
  return {
    clinic: provider.id,
    ...(google && { google: BOOKING_QUESTION }),
    ...(microsoft && { microsoft: BOOKING_QUESTION }),
  }
}

/** The most receipts that a browser keeps for a clinic, of which the newest stay. */
const MAX_LEADS = 50
const leadsKey = (providerId: number) => `ad-consent-leads ${providerId}`

/** Keeps the id of a receipt whose lead has the consent, so that the visitor can take it back. */
export function rememberConsentingLead(providerId: number, reference: number): void {
  try {
    const leads = [...readConsentingLeads(providerId), reference].slice(-MAX_LEADS)
    localStorage.setItem(leadsKey(providerId), JSON.stringify(leads))
  } catch {
    // The choice was kept, so this is a full storage at most.
  }
}

/** Returns the ids of the receipts whose leads a clinic got with the consent from this browser. */
export function readConsentingLeads(providerId: number): number[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(leadsKey(providerId)) ?? '[]')
    return Array.isArray(kept) ? kept.filter((id) => Number.isSafeInteger(id) && id >= 0) : []
  } catch {
    return []
  }
}

export function forgetConsentingLeads(providerId: number): void {
  try {
    localStorage.removeItem(leadsKey(providerId))
  } catch {
    // Nothing is kept.
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
