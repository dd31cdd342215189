import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BOOKING_QUESTION, CONVERSION_HOSTS, conversionTags } from '../../core/contract/ad-measurement.ts'
import {
  adConsentKey,
  bookingConsent,
  forgetConsentingLeads,
  isAdConsentOpen,
  isAdMeasurementAllowed,
  readConsentingLeads,
  rememberConsentingLead,
  saveAdChoice,
} from '../../web/site/ad-consent.ts'
import { AdConsent } from '../../web/site/ad-consent-banner.tsx'
import { micrositeProvider } from '../components/samples.ts'

const CLINIC = { google_ads_id: 'AW-123456789/AbC-D_efG', bing_ads_id: '97254096' }
const NOBODY = { google_ads_id: null, bing_ads_id: null }

let kept: Map<string, string>
beforeEach(() => {
  kept = new Map()
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

describe('the tags of a clinic', () => {
  it.each(['AW-123456789', 'AW-123456789/AbC-D_efG', ' AW-123456789 '])('are taken: %j', (google_ads_id) => {
    expect(conversionTags({ ...NOBODY, google_ads_id }).google).toBe(google_ads_id.trim())
  })

  it.each([
    '',
    'AW-',
    '123456789',
    'aw-123456789',
    'G-ABCDEF',
    'AW-123456789/',
    'AW-123456789/a/b',
    'AW-123456789&x=y',
    'AW-123456789/"><script>',
    'AW-123456789\nAW-1234567',
  ])('are not taken, as they are no Google Ads tags: %j', (google_ads_id) => {
    expect(conversionTags({ ...NOBODY, google_ads_id }).google).toBeNull()
  })

  it.each([
    ['97254096', '97254096'],
    [' 97254096 ', '97254096'],
    ['', null],
    ['97 254 096', null],
    ['ti=97254096', null],
    [null, null],
  ])('are those of UET if they are digits: %j', (bing_ads_id, tag) => {
    expect(conversionTags({ ...NOBODY, bing_ads_id }).microsoft).toBe(tag)
  })

  it.each([null, undefined, NOBODY])('are none without ids (%j)', (provider) => {
    expect(conversionTags(provider)).toEqual({ google: null, microsoft: null })
  })
})

describe('the hosts of the tags', () => {
  it('are secure origins without a path', () => {
    const hosts = Object.values(CONVERSION_HOSTS).flatMap((directives) => Object.values(directives).flat())
    for (const host of hosts) expect(new URL(host).origin).toBe(host)
    for (const host of hosts) expect(host).toMatch(/^https:/)
  })
})

describe('the question', () => {
  it('is open until it is answered', () => {
    expect(isAdConsentOpen(CLINIC)).toBe(true)
    saveAdChoice(CLINIC, 'refused')
    expect(isAdConsentOpen(CLINIC)).toBe(false)
  })

  it('is asked by each clinic for itself', () => {
    const other = { ...CLINIC, bing_ads_id: null }
    saveAdChoice(CLINIC, 'allowed')
    expect(isAdConsentOpen(other)).toBe(true)
    expect(isAdMeasurementAllowed(other)).toBe(false)
  })

  it.each([null, undefined, NOBODY, { ...NOBODY, google_ads_id: 'nonsense' }])(
    'is not there where nothing can be measured (%j)',
    (provider) => {
      expect(isAdConsentOpen(provider)).toBe(false)
      expect(adConsentKey(provider)).toBeNull()
      saveAdChoice(provider, 'allowed')
      expect(isAdMeasurementAllowed(provider)).toBe(false)
      expect(kept.size).toBe(0)
    },
  )

  it('is not asked of a browser that refuses for its owner', () => {
    vi.stubGlobal('navigator', { globalPrivacyControl: true })
    expect(isAdConsentOpen(CLINIC)).toBe(false)
  })

  it('is not part of a page as the server makes it, which has no browser to ask', () => {
    vi.stubGlobal('navigator', undefined)
    vi.stubGlobal('localStorage', undefined)
    expect(
      renderToString(<AdConsent provider={micrositeProvider(1, CLINIC)} asks isReopened onAnswered={() => {}} />),
    ).toBe('')
  })
})

describe('measuring', () => {
  it('is allowed by a yes only', () => {
    expect(isAdMeasurementAllowed(CLINIC)).toBe(false)
    saveAdChoice(CLINIC, 'refused')
    expect(isAdMeasurementAllowed(CLINIC)).toBe(false)
    saveAdChoice(CLINIC, 'allowed')
    expect(isAdMeasurementAllowed(CLINIC)).toBe(true)
  })

  it('is not allowed by an earlier yes once the browser refuses', () => {
    saveAdChoice(CLINIC, 'allowed')
    vi.stubGlobal('navigator', { globalPrivacyControl: true })
    expect(isAdMeasurementAllowed(CLINIC)).toBe(false)
  })

  it('is not allowed by what somebody else has left there', () => {
    kept.set(String(adConsentKey(CLINIC)), 'true')
    expect(isAdMeasurementAllowed(CLINIC)).toBe(false)
  })

  it('is not allowed, nor asked for, where nothing can be kept', () => {
    const refuse = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse })
    saveAdChoice(CLINIC, 'allowed')
    expect(isAdMeasurementAllowed(CLINIC)).toBe(false)
    expect(isAdConsentOpen(CLINIC)).toBe(false)
  })
})

describe('the wider question, about bookings', () => {
  const clinic = { id: 7, ...CLINIC }

  it('is asked again after a yes to the narrower one', () => {
    saveAdChoice(CLINIC, 'allowed')
    expect(isAdConsentOpen(CLINIC, 'booking')).toBe(true)
    expect(isAdMeasurementAllowed(CLINIC, 'booking')).toBe(false)
    expect(bookingConsent(clinic, 'booking')).toBeUndefined()
  })

  it.each(['allowed', 'refused'] as const)('answers the narrower one as well (%s)', (choice) => {
    saveAdChoice(CLINIC, choice === 'allowed' ? 'refused' : 'allowed')
    saveAdChoice(CLINIC, choice, 'booking')
    expect(isAdConsentOpen(CLINIC)).toBe(false)
    expect(isAdMeasurementAllowed(CLINIC)).toBe(choice === 'allowed')
  })

  it('is refused by a no to the narrower one', () => {
    saveAdChoice(CLINIC, 'allowed', 'booking')
    saveAdChoice(CLINIC, 'refused', 'form')
    expect(isAdMeasurementAllowed(CLINIC, 'booking')).toBe(false)
    expect(isAdConsentOpen(CLINIC, 'booking')).toBe(false)
    expect(bookingConsent(clinic, 'booking')).toBeUndefined()
  })

  it('sends the partners of the clinic with the lead after a yes, and with nothing else', () => {
    saveAdChoice(CLINIC, 'refused', 'booking')
    expect(bookingConsent(clinic, 'booking')).toBeUndefined()

    saveAdChoice(CLINIC, 'allowed', 'booking')
    expect(bookingConsent(clinic, 'booking')).toEqual({
      clinic: 7,
      google: BOOKING_QUESTION,
      microsoft: BOOKING_QUESTION,
    })
    // The site asks the narrower question now.
    expect(bookingConsent(clinic, 'form')).toBeUndefined()
    expect(bookingConsent(null, 'booking')).toBeUndefined()
    vi.stubGlobal('navigator', { globalPrivacyControl: true })
    expect(bookingConsent(clinic, 'booking')).toBeUndefined()
  })

  it('names no partner that the clinic does not have', () => {
    const google = { ...clinic, bing_ads_id: null }
    saveAdChoice(google, 'allowed', 'booking')
    expect(bookingConsent(google, 'booking')).toEqual({ clinic: 7, google: BOOKING_QUESTION })
  })
})

describe('the receipts of leads with the consent', () => {
  it('are kept for each clinic, the newest fifty, until they are forgotten', () => {
    for (let id = 1; id <= 60; id++) rememberConsentingLead(7, id)
    rememberConsentingLead(8, 1)
    expect(readConsentingLeads(7)).toHaveLength(50)
    expect(readConsentingLeads(7).at(-1)).toBe(60)
    forgetConsentingLeads(7)
    expect([readConsentingLeads(7), readConsentingLeads(8)]).toEqual([[], [1]])
  })

  it('are none where something else is kept', () => {
    kept.set('ad-consent-leads 7', '{"a":1}')
    expect(readConsentingLeads(7)).toEqual([])
    kept.set('ad-consent-leads 7', '["x", -1, 5]')
    expect(readConsentingLeads(7)).toEqual([5])
  })
})
