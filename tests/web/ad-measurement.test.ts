import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ConversionIds, conversionTags } from '../../core/contract/ad-measurement.ts'
import { adChoiceOf, adConsentKey, saveAdChoice } from '../../web/site/ad-consent.ts'

describe('the consent to measurement', () => {
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

  it('knows the tags of Google and Microsoft by their form, and takes nothing else', () => {
    for (const tag of ['AW-123456789', 'AW-123456789/AbC-D_efG', ' AW-123456789 '])
      expect.soft(conversionTags({ ...NOBODY, google_ads_id: tag }).google).toBe(tag.trim())
    const broken = ['AW-123456789/', 'AW-123456789/a/b', 'AW-123456789&x=y', 'AW-123456789/"><script>']
    for (const google_ads_id of ['', 'AW-', '123456789', 'G-ABCDEF', 'AW-123456789\nAW-1234567', ...broken])
      expect.soft(conversionTags({ ...NOBODY, google_ads_id }).google, google_ads_id).toBeNull()
    expect(conversionTags({ ...NOBODY, bing_ads_id: ' 97254096 ' }).microsoft).toBe('97254096')
    for (const bing_ads_id of ['', '97 254 096', 'ti=97254096', null])
      expect.soft(conversionTags({ ...NOBODY, bing_ads_id }).microsoft, String(bing_ads_id)).toBeNull()
  })

  it('is asked for until it is answered, by each clinic for itself', () => {
    expect(adChoiceOf(CLINIC)).toBe('open')
    for (const answer of ['refused', 'allowed'] as const) {
      saveAdChoice(CLINIC, answer)
      expect(adChoiceOf(CLINIC)).toBe(answer)
    }
    expect(adChoiceOf({ ...CLINIC, bing_ads_id: null })).toBe('open')
  })

  it.each([null, NOBODY, { ...NOBODY, google_ads_id: 'nonsense' }])(
    'is neither asked for nor kept where nothing can be measured (%j)',
    (provider) => {
      saveAdChoice(provider, 'allowed')
      expect([adChoiceOf(provider), adConsentKey(provider), kept.size]).toEqual(['none', null, 0])
    },
  )

  it.each([{ globalPrivacyControl: true }, { doNotTrack: '1' }])(
    'is not asked for, nor holds, where the browser refuses for its owner: %j',
    (signals) => {
      saveAdChoice(CLINIC, 'allowed')
      vi.stubGlobal('navigator', signals)
      expect(adChoiceOf(CLINIC)).toBe('none')
    },
  )

  it('is not given, nor asked for, where nothing can be kept', () => {
    const refuse = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse })
    saveAdChoice(CLINIC, 'allowed')
    expect(adChoiceOf(CLINIC)).toBe('refused')
  })
})

describe('the report of a form', () => {
  const CLINIC = { google_ads_id: 'AW-123456789/AbC', bing_ads_id: '97254096' }
  const GOOGLE: ConversionIds = { ...CLINIC, bing_ads_id: null }
  const MICROSOFT: ConversionIds = { ...CLINIC, google_ads_id: null }

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
  const settled = () => new Promise((resolve) => setTimeout(resolve))

  it.each([null, CLINIC])(
    'a form that was sent is on the data layer, and nothing is loaded without consent (%j)',
    (provider) => {
      reportFormSubmit(7, provider)
      expect(page.dataLayer).toEqual([{ event: 'form_submit', value: 1, lead_id: 7 }])
      expect(page.uetq).toBeUndefined()
      expect(loaded()).toEqual([])
    },
  )

  it.each([{ doNotTrack: '1' }, { globalPrivacyControl: true }])(
    'a form that was sent is nowhere where the browser refuses: %j',
    (signals) => {
      allow(CLINIC)
      vi.stubGlobal('navigator', signals)
      reportFormSubmit(7, CLINIC)
      expect(page).toEqual({})
      expect(loaded()).toEqual([])
    },
  )

  it('a form that was sent never disturbs the visitor', () => {
    allow(CLINIC)
    page.dataLayer = Object.freeze([]) as unknown as unknown[]
    expect(() => reportFormSubmit(7, CLINIC)).not.toThrow()
    vi.stubGlobal('document', undefined)
    page.dataLayer = []
    expect(() => reportFormSubmit(7, CLINIC)).not.toThrow()
  })

  it('to Google goes the conversion, to measure and not to personalise', () => {
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

  it('to Microsoft goes the event: what waits is sent by the script when it is there, the rest at once', async () => {
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

  it('to Microsoft goes nothing when the script is blocked, or is another; and nobody notices', async () => {
    allow(MICROSOFT)
    reportFormSubmit(7, MICROSOFT)
    scripts[0]?.onerror?.({})
    await settled()
    expect(() => reportFormSubmit(8, MICROSOFT)).not.toThrow()
    vi.resetModules()
    const fresh = await import('../../web/site/conversion.ts')
    fresh.reportFormSubmit(7, MICROSOFT)
    scripts.at(-1)?.onload?.()
    await settled()
  })

  it('goes to nobody but those whose tag the clinic has', () => {
    allow(CLINIC)
    reportFormSubmit(7, { google_ads_id: 'AW-1"><script>', bing_ads_id: 'x' })
    expect(loaded()).toEqual([])
    reportFormSubmit(7, CLINIC)
    expect(loaded()).toEqual([GTAG, UET])
  })
})
