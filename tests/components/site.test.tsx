import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { brand } from '../../core/brand/brand.ts'
import type { PageData } from '../../core/contract/page.ts'
import { SizeCalculator } from '../../web/site/size-calculator/size-calculator.tsx'
import { MenuItem, MoreButton } from '../../web/ui/menu.tsx'
import * as on from './form-actions.ts'
import { loadImages, openPage } from './page.tsx'
import { micrositeProvider } from './samples.ts'

const WITH_LOGO = micrositeProvider(7, { practiceName: 'Quill Clinic', logo_url: '/demo/logo-austin.svg' })
const CHOSEN = { chosen: { id: 7, provider: WITH_LOGO } }

describe('the frame of the site', () => {
  beforeEach(() => loadImages())
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('has the logo of the clinic that the address names, or its name where that is broken', async () => {
    openPage('/start?providerId=7', CHOSEN)
    const logo = await screen.findByRole('img', { name: 'Quill Clinic' })
    expect(logo.getAttribute('src')).toBe('/demo/logo-austin.svg')
    fireEvent.error(logo)
    const header = within(await screen.findByRole('banner'))
    await header.findByRole('link', { name: `Quill Clinic a ${brand.company} certified clinic home` })
    expect(header.queryByRole('img')).toBeNull()
  })

  it.each(['/start', '/homev2'])('leads from the header of %s nowhere but into the form there', async (path) => {
    openPage(`${path}?providerId=7`, CHOSEN)
    await waitFor(() => expect(document.getElementById('provider-form')).not.toBeNull())
    const banner = within(screen.getByRole('banner'))
    expect([banner.queryByRole('navigation'), banner.queryByRole('button')]).toEqual([null, null])
    for (const name of ['Find a Provider', /^NEW \.\.\. Increase Size!/]) {
      const link = screen.getByRole('link', { name })
      expect(link.getAttribute('href')).toBe(`${path}?providerId=7#provider-form`)
      expect(link.dataset.section).toBe('provider-form')
    }
  })

  it('opens and closes the menu of small screens with its button, a press elsewhere and Escape', async () => {
    const user = openPage('/terms')
    for (const close of [
      () => user.click(screen.getByRole('button', { name: 'Close menu' })),
      () => user.click(screen.getByRole('contentinfo')),
      () => user.keyboard('{Escape}'),
    ]) {
      const toggle = screen.getByRole('button', { name: 'Open menu' })
      expect(toggle.getAttribute('aria-expanded')).toBe('false')
      await user.click(toggle)
      expect(toggle.getAttribute('aria-expanded')).toBe('true')
      expect(toggle.getAttribute('aria-controls')).toBe(screen.getByRole('navigation', { name: 'Main' }).id)
      await close()
    }
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open menu' }))
  })

  it('has the contact of the clinic whose page it is', () => {
    openPage('/start', { hostProvider: { ...WITH_LOGO, phone: '5125550177' } })
    for (const part of [screen.getByRole('banner'), screen.getByRole('contentinfo')]) {
      const phone = within(part).getByRole('link', { name: '(512) 555-0177' })
      expect(phone.getAttribute('href')).toBe('tel:+15125550177')
    }
    const footer = within(screen.getByRole('contentinfo'))
    footer.getByText(`Quill Clinic offers the ${brand.product}.`)
    expect(footer.queryByText(brand.phone)).toBeNull()
  })

  it.each<[string, string, Partial<PageData>]>([
    ['/do-not-contact', 'Stop all contact?', { optOut: { of: 'person', state: 'ask' } }],
    ['/do-not-contact/clinic', 'Has contact stopped?', { optOut: { of: 'clinic', state: 'ask' } }],
    ['/called/sample', 'Did the clinic call you?', { called: { state: 'ask' } }],
    ['/phone-number/sample', 'What is your right phone number?', { phoneNumber: { state: 'ask', clinic: 'Oakmont' } }],
  ])('of %s has neither the banner nor a form to sell anything', async (path, title, data) => {
    // A clinic's own site would show its offers.
    openPage(path, { ...data, hostProvider: micrositeProvider(7, { google_ads_id: 'AW-1' }) })
    await screen.findByRole('heading', { level: 1, name: title })
    expect(document.body.textContent).not.toMatch(/Increase Size|Find a Provider|No Surgery/)
    expect(screen.queryByRole('navigation')).toBeNull()
    screen.getByText(/^A question\?/)
  })
})

describe('the size calculator', () => {
  const slider = (measure: 'length' | 'girth') =>
    screen.getByRole<HTMLInputElement>('slider', { name: `Current ${measure}` })
  /** Length, projected length, girth, projected girth. */
  const readings = () =>
    [...document.querySelectorAll('output')].map(({ textContent }) => textContent?.replace('in', '')).join(' ')

  it('starts with the average man, is moved by keys, and tells screen readers both readings', () => {
    render(<SizeCalculator />)
    expect(readings()).toBe('5.16 6.20 4.59 5.13')
    expect([slider('length').min, slider('length').max, slider('girth').max]).toEqual(['3', '8', '7'])
    expect(slider('length').getAttribute('aria-valuetext')).toBe('5.16 inches, projected 6.20 inches after 6 months')
    for (const [key, shown] of [
      ['ArrowRight', '5.20 6.24 4.59 5.13'],
      ['ArrowDown', '5.10 6.14 4.59 5.13'],
      ['PageUp', '5.60 6.64 4.59 5.13'],
      ['PageDown', '5.10 6.14 4.59 5.13'],
    ] as const) {
      fireEvent.keyDown(slider('length'), { key })
      expect(readings(), key).toBe(shown)
    }
    fireEvent.change(slider('girth'), { target: { value: '6.2703' } })
    expect(readings()).toBe('5.10 6.14 6.30 6.84')
    expect(slider('length').step).toBe('0.1')
  })
})

it.each(['{Enter}', ' ', '{ArrowDown}'])(
  'a menu opens by the key “%s” with its first item, and gives the focus back',
  async (key) => {
    const choose = vi.fn()
    render(
      <MoreButton label="More">
        <MenuItem onChoose={() => choose('first')}>First</MenuItem>
        <MenuItem onChoose={() => choose('second')}>Second</MenuItem>
      </MoreButton>,
    )
    const user = userEvent.setup()
    screen.getByRole('button', { name: 'More', expanded: false }).focus()
    await user.keyboard(key)
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('menuitem', { name: 'First' })))
    await user.keyboard('{ArrowDown}{Enter}')
    expect(choose).toHaveBeenLastCalledWith('second')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'More' })))
  },
)

describe('the measurement of the ads of a clinic', () => {
  const ADVERTISER = micrositeProvider(1, { google_ads_id: 'AW-123456789/AbC', bing_ads_id: '98765432' })
  const question = () => document.querySelector('aside[aria-label="Ad measurement"]')

  it('can be refused in the footer after a yes, and then nobody learns of a form', async () => {
    on.knowZipCodes()
    const user = openPage('/start?zip_code=78702', { hostProvider: ADVERTISER, measuresAds: true })
    await user.click(await screen.findByRole('button', { name: 'Allow' }))
    const choose = async () =>
      user.click(await within(screen.getByRole('contentinfo')).findByRole('button', { name: 'Ad Measurement' }))
    await choose()
    await screen.findByText(/^You allowed it\. If you now say no, Google and Microsoft will not learn of further forms/)
    expect(question()).toBe(document.activeElement)
    await user.click(screen.getByRole('button', { name: 'No, thanks' }))
    await waitFor(() => expect(question()).toBeNull())
    await choose()
    await screen.findByText('You said no. If you now say yes, it applies to forms that you send from now on.')
    on.takeLeads()
    await on.fillInPerson(user)
    await user.click(on.button('Continue'))
    await on.arrives()
    expect(window.dataLayer).toEqual([{ event: 'form_submit', value: 1, lead_id: 5 }])
    expect(window.uetq).toBeUndefined()
  })

  it.each<[string, string, Partial<PageData>]>([
    ['on the main site', '/start', { measuresAds: true }],
    ['after the form', '/success?noProvider=true', { measuresAds: true, hostProvider: ADVERTISER }],
    ['where the network has not switched it on', '/start', { hostProvider: ADVERTISER }],
  ])('is not asked about %s', async (_where, path, data) => {
    openPage(path, data)
    await waitFor(() => expect(document.querySelector('main h1')).not.toBeNull())
    expect(question()).toBeNull()
  })
})
