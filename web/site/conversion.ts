import { type ConversionIds, conversionTags } from '../../core/contract/ad-measurement.ts'
import { asksNotToBeMeasured } from '../lib/privacy-signals.ts'
import { adChoiceOf } from './ad-consent.ts'

type UetQueue = { push(...command: unknown[]): unknown }

declare global {
  interface Window {
    dataLayer?: unknown[]
    uetq?: UetQueue
    UET?: new (options: { ti: string; q: UetQueue }) => UetQueue
  }
}

/** The value of a form, in units of the currency: each form counts one. */
const VALUE = 1
const CURRENCY = 'USD'

const googleAccounts = new Set<string>()
let uetTag: string | undefined

/**
 * Reports that a form was sent: on the page's own `dataLayer`, and, if the visitor has allowed it, to those with whom
 * the clinic advertises. Nothing that was typed goes with it, only the random id of the receipt, so that none counts twice. Their
 * scripts learn the visitor's network address, browser and page. Nothing at all under Do Not Track or Global Privacy Control. Call it before leaving the page: the click id that brought the visitor is in its address. Never throws, never waits.
 */
export function reportFormSubmit(reference: number, provider: ConversionIds | null): void {
  try {
    if (asksNotToBeMeasured()) return
    dataLayer().push({ event: 'form_submit', value: VALUE, lead_id: reference })
    if (adChoiceOf(provider) !== 'allowed') return

    const { google, microsoft } = conversionTags(provider)
    if (google) sendToGoogle(google, String(reference))
    if (microsoft) sendToMicrosoft(microsoft, String(reference))
  } catch {
    // A failed measurement must not disturb the visitor.
  }
}

/**
 * A Google Ads conversion. Consent: https://developers.google.com/tag-platform/security/guides/consent (to measure, not
 * to personalise). Event: https://support.google.com/google-ads/answer/7548399; `transaction_id`, at most 64 characters:
 * https://support.google.com/google-ads/answer/6386790
 * @param tag `AW-123456789`, or with the label of the conversion `AW-123456789/AbC`
 */
function sendToGoogle(tag: string, transactionId: string): void {
  const [account = tag] = tag.split('/')
  if (!googleAccounts.has(account)) {
    if (googleAccounts.size === 0) {
      gtag('consent', 'default', {
        ad_storage: 'granted',
        ad_user_data: 'granted',
        ad_personalization: 'denied',
        analytics_storage: 'denied',
      })
      gtag('js', new Date())
    }
    googleAccounts.add(account)
    gtag('config', account, { send_page_view: false })
    load(`https://www.googletagmanager.com/gtag/js?id=${account}`).catch(ignore)
  }
  gtag('event', 'conversion', { send_to: tag, value: VALUE, currency: CURRENCY, transaction_id: transactionId })
}

/** gtag.js only takes an `arguments` object for a command, an array is data to it. */
function gtag(..._command: unknown[]): void {
  // biome-ignore lint/complexity/noArguments: see above
  dataLayer().push(arguments)
}

/**
 * A Microsoft Advertising custom event. Tag and events:
 * https://learn.microsoft.com/en-us/advertising/guides/universal-event-tracking and
 * https://learn.microsoft.com/en-us/advertising/msa-help/hlp_ba_conc_uetv2syntaxupdate. What is queued before the
 * script is there is sent by it.
 */
function sendToMicrosoft(tag: string, transactionId: string): void {
  if (uetTag !== tag) {
    uetTag = tag
    const queue: unknown[] = ['consent', 'default', { ad_storage: 'granted' }]
    window.uetq = queue
    load('https://bat.bing.com/bat.js')
      .then(() => startUet(tag, queue), ignore)
      .catch(ignore)
  }
  window.uetq?.push('event', 'form_submit', {
    event_category: 'lead',
    event_value: VALUE,
    revenue_value: VALUE,
    currency: CURRENCY,
    transaction_id: transactionId,
  })
}

function startUet(ti: string, q: UetQueue): void {
  if (!window.UET) return
  const uet = new window.UET({ ti, q })
  uet.push('pageLoad')
  if (uetTag === ti) window.uetq = uet
}

function dataLayer(): unknown[] {
  window.dataLayer ??= []
  return window.dataLayer
}

/** Loads a script. Rejects where it is blocked or out of reach. */
function load(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = src
    script.async = true
    script.onload = () => resolve()
    script.onerror = () => reject(new Error(`${src} could not be loaded`))
    document.head.append(script)
  })
}

const ignore = () => {}
