import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CONVERSION_HOSTS, conversionTags } from '../../core/contract/ad-measurement.ts'
import { adConsentKey, isAdConsentOpen, isAdMeasurementAllowed, saveAdChoice } from '../../web/site/ad-consent.ts'
import { AdConsent } from '../../web/site/ad-consent-banner.tsx'
import { micrositeProvider } from '../components/samples.ts'

const CLINIC = { google_ads_id: 'AW-123456789/AbC-D_efG', bing_ads_id: '97254096' }
const NOBODY = { google_ads_id: null, bing_ads_id: null }
const REFUSALS = [{ globalPrivacyControl: true }, { doNotTrack: '1' }]

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

  it.each(REFUSALS)('is not asked of a browser that refuses for its owner: %j', (signals) => {
    vi.stubGlobal('navigator', signals)
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

  it.each(REFUSALS)('is not allowed by an earlier yes once the browser refuses: %j', (signals) => {
    saveAdChoice(CLINIC, 'allowed')
    vi.stubGlobal('navigator', signals)
    expect(isAdMeasurementAllowed(CLINIC)).toBe(false)
  })

  it('is not allowed by a yes to the question of earlier releases', () => {
    kept.set(`ad-consent ${CLINIC.google_ads_id} ${CLINIC.bing_ads_id}`, 'allowed')
    kept.set(`ad-consent booking-1 ${CLINIC.google_ads_id} ${CLINIC.bing_ads_id}`, 'allowed')
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
