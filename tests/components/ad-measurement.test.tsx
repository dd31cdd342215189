import { cleanup, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import type { Window as HappyWindow } from 'happy-dom'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PageData } from '../../core/contract/page.ts'
import type { MicrositeProvider } from '../../core/contract/providers.ts'
import type { MadeCall } from './api.ts'
import { arrives, button, fillInPerson, form, knowZipCodes, takeLeads } from './form-actions.ts'
import { openPage } from './page.tsx'
import { micrositeProvider } from './samples.ts'

const { settings } = (window as unknown as HappyWindow).happyDOM
let clinics = 0

/** A clinic whose tags no test before this one has loaded: each is loaded once as long as a page lives. */
function advertiser(): MicrositeProvider {
  clinics += 1
  return micrositeProvider(1, { google_ads_id: `AW-12345678${clinics}/AbC`, bing_ads_id: `9876543${clinics}` })
}

beforeEach(() => {
  // Nothing is loaded here; it is as if that had worked.
  settings.handleDisabledFileLoadingAsSuccess = true
})
afterEach(() => {
  settings.handleDisabledFileLoadingAsSuccess = false
  delete window.uetq
  vi.unstubAllGlobals()
})

describe('the advertising of a clinic', () => {
  it('is measured once the visitor has allowed it, and a form was sent', async () => {
    const user = await openQuiz(advertiser())
    await screen.findByText('May this clinic tell Google and Microsoft when you send a form here?')
    await screen.findByText('Google and Microsoft would learn your network address, your browser and this page', {
      exact: false,
    })
    await user.click(screen.getByRole('button', { name: 'Allow' }))
    await waitFor(() => expect(question()).toBeNull())
    expect(loaded()).toEqual([])

    await send(user)
    expect(loaded()).toEqual([
      `https://www.googletagmanager.com/gtag/js?id=AW-12345678${clinics}`,
      'https://bat.bing.com/bat.js',
    ])
    const conversion = { send_to: `AW-12345678${clinics}/AbC`, transaction_id: '5' }
    expect(Array.from(window.dataLayer?.at(-1) as ArrayLike<unknown>)).toMatchObject([
      'event',
      'conversion',
      conversion,
    ])
    expect(window.uetq).toMatchObject(['consent', 'default', {}, 'event', 'form_submit', { transaction_id: '5' }])
  })

  it.each(['no answer', 'No, thanks'])('is not measured with %s', async (answer) => {
    const user = await openQuiz(advertiser())
    await waitFor(() => expect(question()).not.toBeNull())
    if (answer !== 'no answer') await user.click(screen.getByRole('button', { name: answer }))
    await send(user)
    isNotMeasured()
  })

  it.each(['Allow', 'No, thanks'])('is asked about once by each clinic, if the answer is %s', async (answer) => {
    const clinic = advertiser()
    const user = await openQuiz(clinic)
    await waitFor(() => expect(question()).not.toBeNull())
    await user.click(screen.getByRole('button', { name: answer }))
    cleanup()

    await openQuiz(clinic)
    await isSettled()
    expect(question()).toBeNull()
    cleanup()

    await openQuiz(micrositeProvider(2, { google_ads_id: 'AW-999999999' }))
    await screen.findByText(/^Google would learn your network address/)
  })

  it.each([
    { where: 'on the main site', path: '/start', hostProvider: null },
    {
      where: 'where the clinic has no tag that can be used',
      path: '/start',
      hostProvider: micrositeProvider(1, { google_ads_id: 'not an id' }),
    },
    { where: 'after the form', path: '/success?noProvider=true', hostProvider: advertiser() },
    {
      where: 'where the network has not switched it on',
      path: '/start',
      hostProvider: advertiser(),
      measuresAds: undefined,
    },
  ])('is not asked about $where', async ({ path, hostProvider, ...data }) => {
    openPage(path, { hostProvider, measuresAds: true, ...data })
    await isSettled()
    expect(question()).toBeNull()
  })

  it.each(['globalPrivacyControl', 'doNotTrack'])(
    'is not asked about, nor measured after an earlier yes, under %s',
    async (signal) => {
      const clinic = advertiser()
      const user = await openQuiz(clinic)
      await waitFor(() => expect(question()).not.toBeNull())
      await user.click(screen.getByRole('button', { name: 'Allow' }))
      cleanup()

      vi.stubGlobal(
        'navigator',
        Object.create(navigator, { [signal]: { value: signal === 'doNotTrack' ? '1' : true } }),
      )
      const again = await openQuiz(clinic)
      await isSettled()
      expect(question()).toBeNull()
      delete window.dataLayer
      await send(again)
      expect([window.dataLayer, window.uetq]).toEqual([undefined, undefined])
    },
  )
})

describe('the choice', () => {
  const choose = async (user: UserEvent) =>
    user.click(await within(screen.getByRole('contentinfo')).findByRole('button', { name: 'Ad Measurement' }))

  it('is taken back in the footer, and asks the server nothing', async () => {
    const clinic = advertiser()
    const user = await openQuiz(clinic)
    await user.click(await screen.findByRole('button', { name: 'Allow' }))
    await choose(user)
    await screen.findByText(/^You allowed it\. If you now say no, Google and Microsoft will learn of no further form/)
    expect(question()).toBe(document.activeElement)
    await user.click(screen.getByRole('button', { name: 'No, thanks' }))
    await waitFor(() => expect(question()).toBeNull())
    await choose(user)
    await screen.findByText('You said no. A yes holds for forms that you send from now on.')
    await send(user)
    isNotMeasured()
  })

  it('is not in the footer where nothing is measured', async () => {
    openPage('/start')
    await isSettled()
    expect(screen.queryByRole('button', { name: 'Ad Measurement' })).toBeNull()
  })
})

async function openQuiz(hostProvider: MicrositeProvider, data: Partial<PageData> = {}): Promise<UserEvent> {
  knowZipCodes()
  const user = openPage('/start?zip_code=78702', { hostProvider, measuresAds: true, ...data })
  await waitFor(() => form())
  return user
}

async function send(user: UserEvent): Promise<MadeCall[]> {
  const calls = takeLeads()
  await fillInPerson(user)
  await user.click(button('Continue'))
  await arrives()
  return calls
}

/** Waits until the page stands. */
async function isSettled(): Promise<void> {
  await waitFor(() => expect(document.querySelector('main h1')).not.toBeNull())
}

function question(): Element | null {
  return document.querySelector('aside[aria-label="Ad measurement"]')
}

/** The scripts of others that the page has asked for. */
function loaded(): string[] {
  const scripts = [...document.head.querySelectorAll('script')]
  return scripts.map(({ src }) => src).filter((src) => /googletagmanager|bing/.test(src))
}

/** The page itself knows of the form, and nobody else does. */
function isNotMeasured(): void {
  expect(window.dataLayer).toEqual([{ event: 'form_submit', value: 1, lead_id: 5 }])
  expect(window.uetq).toBeUndefined()
}
