import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ConversionIds } from '../../core/contract/ad-measurement.ts'
import { adConsentKey } from '../../web/site/ad-consent.ts'

const CLINIC = { google_ads_id: 'AW-123456789/AbC', bing_ads_id: '97254096' }
const GOOGLE: ConversionIds = { ...CLINIC, bing_ads_id: null }
const MICROSOFT: ConversionIds = { ...CLINIC, google_ads_id: null }
const OTHER = { google_ads_id: 'AW-987654321', bing_ads_id: '12345678' }

const GTAG = 'https://www.googletagmanager.com/gtag/js?id=AW-123456789'
const UET = 'https://bat.bing.com/bat.js'
const EVENT = { event_category: 'lead', event_value: 1, revenue_value: 1, currency: 'USD', transaction_id: '7' }

type Script = { src: string; onload?: () => void; onerror?: (event: unknown) => void }

let scripts: Script[]
let page: { dataLayer?: unknown[]; uetq?: unknown; UET?: unknown }
let reportFormSubmit: typeof import('../../web/site/conversion.ts').reportFormSubmit

beforeEach(async () => {
  scripts = []
  page = {}
  vi.stubGlobal('window', page)
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('document', {
    createElement: () => ({}),
    head: { append: (script: Script) => void scripts.push(script) },
  })
  allow()
  // What was loaded and configured is remembered as long as a page lives.
  vi.resetModules()
  ;({ reportFormSubmit } = await import('../../web/site/conversion.ts'))
})
afterEach(() => vi.unstubAllGlobals())

/** The visitor has said yes to these clinics. */
function allow(...clinics: ConversionIds[]): void {
  const keys = clinics.map((clinic) => adConsentKey(clinic))
  vi.stubGlobal('localStorage', { getItem: (key: string) => (keys.includes(key) ? 'allowed' : null) })
}

const loaded = () => scripts.map(({ src }) => src)
/** The commands to gtag.js: it takes `arguments` objects only. */
const commands = () =>
  (page.dataLayer ?? [])
    .filter((entry) => Object.prototype.toString.call(entry) === '[object Arguments]')
    .map((entry) => Array.from(entry as ArrayLike<unknown>))
const conversions = () => commands().filter(([name]) => name === 'event')
const settled = () => new Promise((resolve) => setTimeout(resolve))

describe('a form that was sent', () => {
  it.each([null, CLINIC])('is on the data layer, and nothing is loaded without consent (%j)', (provider) => {
    reportFormSubmit(7, provider)
    expect(page.dataLayer).toEqual([{ event: 'form_submit', value: 1, lead_id: 7 }])
    expect(page.uetq).toBeUndefined()
    expect(loaded()).toEqual([])
  })

  it.each([{ doNotTrack: '1' }, { globalPrivacyControl: true }])(
    'is nowhere where the browser refuses: %j',
    (signals) => {
      allow(CLINIC)
      vi.stubGlobal('navigator', signals)
      reportFormSubmit(7, CLINIC)
      expect(page).toEqual({})
      expect(loaded()).toEqual([])
    },
  )

  it('keeps what others have put on the data layer', () => {
    page.dataLayer = ['theirs']
    reportFormSubmit(7, null)
    expect(page.dataLayer).toEqual(['theirs', { event: 'form_submit', value: 1, lead_id: 7 }])
  })

  it('never disturbs the visitor', () => {
    allow(CLINIC)
    page.dataLayer = Object.freeze([]) as unknown as unknown[]
    expect(() => reportFormSubmit(7, CLINIC)).not.toThrow()
    vi.stubGlobal('document', undefined)
    page.dataLayer = []
    expect(() => reportFormSubmit(7, CLINIC)).not.toThrow()
  })
})

describe('to Google', () => {
  it('goes the conversion, to measure and not to personalise', () => {
    allow(GOOGLE)
    reportFormSubmit(7, GOOGLE)

    expect(loaded()).toEqual([GTAG])
    expect(commands()).toEqual([
      [
        'consent',
        'default',
        { ad_storage: 'granted', ad_user_data: 'granted', ad_personalization: 'denied', analytics_storage: 'denied' },
      ],
      ['js', expect.any(Date)],
      ['config', 'AW-123456789', { send_page_view: false }],
      ['event', 'conversion', { send_to: 'AW-123456789/AbC', value: 1, currency: 'USD', transaction_id: '7' }],
    ])
  })

  it('goes each lead, through one script', () => {
    allow(GOOGLE)
    for (const id of [7, 8]) reportFormSubmit(id, GOOGLE)
    expect(loaded()).toEqual([GTAG])
    expect(conversions().map(([, , details]) => (details as typeof EVENT).transaction_id)).toEqual(['7', '8'])
  })

  it('goes each clinic’s own', () => {
    const other = { ...OTHER, bing_ads_id: null }
    allow(GOOGLE, other)
    reportFormSubmit(7, GOOGLE)
    reportFormSubmit(8, other)
    expect(commands().filter(([name]) => name === 'consent')).toHaveLength(1)
    expect(conversions().map(([, , details]) => (details as { send_to: string }).send_to)).toEqual([
      'AW-123456789/AbC',
      'AW-987654321',
    ])
  })
})

describe('to Microsoft', () => {
  /** Stands for bat.js, which keeps each command that it is given. */
  function provideUet() {
    const tags: { ti: string; before: unknown[]; after: unknown[] }[] = []
    page.UET = class {
      own: (typeof tags)[number]
      constructor({ ti, q }: { ti: string; q: unknown[] }) {
        this.own = { ti, before: [...q], after: [] }
        tags.push(this.own)
      }
      push(...command: unknown[]) {
        this.own.after.push(...command)
      }
    }
    return tags
  }

  it('goes the event: what waits is sent by the script when it is there, the rest at once', async () => {
    allow(MICROSOFT)
    reportFormSubmit(7, MICROSOFT)
    expect(loaded()).toEqual([UET])

    const tags = provideUet()
    scripts[0]?.onload?.()
    await settled()
    reportFormSubmit(8, MICROSOFT)

    expect(loaded()).toEqual([UET])
    expect(tags).toEqual([
      {
        ti: '97254096',
        before: ['consent', 'default', { ad_storage: 'granted' }, 'event', 'form_submit', EVENT],
        after: ['pageLoad', 'event', 'form_submit', { ...EVENT, transaction_id: '8' }],
      },
    ])
  })

  it('goes each clinic’s own', async () => {
    const other = { ...OTHER, google_ads_id: null }
    allow(MICROSOFT, other)
    reportFormSubmit(7, MICROSOFT)
    reportFormSubmit(8, other)
    const tags = provideUet()
    scripts[0]?.onload?.()
    await settled()

    expect(loaded()).toEqual([UET])
    expect(tags.map(({ ti, before }) => [ti, (before.at(-1) as typeof EVENT).transaction_id])).toEqual([
      ['97254096', '7'],
      ['12345678', '8'],
    ])
  })

  it('goes nothing when the script is blocked, is another, or fails; and nobody notices', async () => {
    allow(MICROSOFT)
    reportFormSubmit(7, MICROSOFT)
    scripts[0]?.onerror?.({})
    await settled()
    expect(() => reportFormSubmit(8, MICROSOFT)).not.toThrow()

    for (const broken of [
      undefined,
      class {
        constructor() {
          throw new Error('broken')
        }
      },
    ]) {
      vi.resetModules()
      const fresh = await import('../../web/site/conversion.ts')
      fresh.reportFormSubmit(7, MICROSOFT)
      page.UET = broken
      scripts.at(-1)?.onload?.()
      await settled()
    }
  })
})

it('goes to nobody but those whose tag the clinic has', () => {
  allow(CLINIC)
  reportFormSubmit(7, { google_ads_id: 'AW-1"><script>', bing_ads_id: 'x' })
  expect(loaded()).toEqual([])

  reportFormSubmit(7, CLINIC)
  expect(loaded()).toEqual([GTAG, UET])
})
