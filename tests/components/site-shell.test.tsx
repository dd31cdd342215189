import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { brand } from '../../core/brand/brand.ts'
import { NOTICES_PATH } from '../../core/contract/page.ts'
import { answer, refusal } from './api.ts'
import { loadImages, openPage } from './page.tsx'
import { micrositeProvider } from './samples.ts'

const WITH_LOGO = micrositeProvider(7, { practiceName: 'Quill Clinic', logo_url: '/demo/logo-austin.svg' })

beforeEach(() => loadImages())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe("the header's logo", () => {
  it.each(['/?providerId=7', '/success?providerId=7', '/start?providerId=7'])(
    'is that of the clinic that the address names: %s',
    async (path) => {
      openPage(path, { chosen: { id: 7, provider: WITH_LOGO } })
      const logo = await screen.findByRole('img', { name: 'Quill Clinic' })
      expect(logo.getAttribute('src')).toBe('/demo/logo-austin.svg')
    },
  )

  it('is that of the clinic whose host this is, and leads to its home page', async () => {
    openPage('/start', { hostProvider: WITH_LOGO })
    const link = await within(await screen.findByRole('banner')).findByRole('link', { name: 'Quill Clinic home' })
    expect(link.getAttribute('href')).toBe('/')
  })

  it('is our own on the main site', async () => {
    openPage('/start')
    expect((await ownLogo()).querySelector('img')).toBeNull()
  })

  it('is the name of a clinic without one, which is certified by us', async () => {
    openPage('/start?providerId=7', { chosen: { id: 7, provider: { ...WITH_LOGO, logo_url: null } } })
    await wordmark()
  })

  it('is the name of the clinic when its logo is broken', async () => {
    openPage('/start?providerId=7', { chosen: { id: 7, provider: WITH_LOGO } })
    fireEvent.error(await screen.findByRole('img', { name: 'Quill Clinic' }))
    await wordmark()
  })

  it('is our own for an unknown clinic', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    answer('GET /api/providers/{providerId}', () => refusal(404, { code: 'not_found' }))
    openPage('/start?providerId=999999')
    await ownLogo()
  })
})

describe('the header', () => {
  it.each(['/start', '/homev2'])('of %s leads nowhere but into the form there', async (path) => {
    openPage(`${path}?providerId=7`, { chosen: { id: 7, provider: WITH_LOGO } })
    await waitFor(() => expect(document.getElementById('provider-form')).not.toBeNull())
    const banner = within(screen.getByRole('banner'))
    expect(banner.queryByRole('navigation')).toBeNull()
    expect(banner.queryByRole('button')).toBeNull()
    for (const name of ['Find a Provider', /^NEW \.\.\. Increase Size!/]) {
      const link = screen.getByRole('link', { name })
      expect(link.getAttribute('href')).toBe(`${path}?providerId=7#provider-form`)
      expect(link.dataset.section).toBe('provider-form')
    }
  })

  it('stays in that form also for an unknown clinic', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    openPage('/start?providerId=999999', { chosen: { id: 999999, provider: null } })
    expect((await screen.findByRole('link', { name: 'Find a Provider' })).dataset.section).toBe('provider-form')
  })
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

it('closes the menu of small screens when something in it is chosen', async () => {
  const user = openPage('/terms')
  await user.click(screen.getByRole('button', { name: 'Open menu' }))
  await user.click(screen.getByRole('link', { name: 'How It Works' }))
  screen.getByRole('button', { name: 'Open menu' })
  expect(window.location.hash).toBe('#how-it-works')
})

it('says in the footer whose site it is, in which year, and what it is not', () => {
  vi.useFakeTimers({ now: new Date('2031-07-01T12:00:00Z'), toFake: ['Date'] })
  openPage('/terms')
  const footer = within(screen.getByRole('contentinfo'))
  footer.getByText(`© 2031 ${brand.company}. All rights reserved.`)
  expect(footer.getByRole('link', { name: `${brand.company} home` }).getAttribute('href')).toBe('/')
  footer.getByText(/Results vary .* not medical advice/)
})

it('leads from the footer to the pages that are no section of the home page', () => {
  const pagesInFooter = () =>
    within(screen.getByRole('contentinfo'))
      .queryAllByRole('link', { name: /^(Provider Map|Become a Provider)$/ })
      .map((link) => link.getAttribute('href'))
  openPage('/terms')
  expect(pagesInFooter()).toEqual(['/map', '/clinics'])
  cleanup()
  openPage('/terms', { hostProvider: WITH_LOGO })
  expect(pagesInFooter(), 'on the site of a clinic').toEqual([`/map?provider=${WITH_LOGO.id}`])
  cleanup()
  openPage('/start')
  expect(pagesInFooter(), 'on a page that is one form').toEqual([])
})

describe('the contact on the pages of a clinic', () => {
  it('is its own, in the header and in the footer, which says what it offers', async () => {
    openPage('/start', { hostProvider: { ...WITH_LOGO, phone: '5125550177' } })
    for (const part of [screen.getByRole('banner'), screen.getByRole('contentinfo')]) {
      const phone = within(part).getByRole('link', { name: '(512) 555-0177' })
      expect(phone.getAttribute('href')).toBe('tel:+15125550177')
    }
    const footer = within(screen.getByRole('contentinfo'))
    footer.getByText(`Quill Clinic offers the ${brand.product}.`)
    expect(footer.getByRole('link', { name: /^Quill Clinic .* home$/ }).getAttribute('href')).toBe('/')
    expect(footer.queryByText(brand.phone)).toBeNull()
  })

  it('is ours where the clinic has no phone', async () => {
    openPage('/start', { hostProvider: { ...WITH_LOGO, phone: null } })
    const footer = within(screen.getByRole('contentinfo'))
    footer.getByRole('link', { name: brand.phone })
    footer.getByText(`${brand.legalName}, ${brand.postalAddress}`)
    expect(footer.getByRole('link', { name: 'Open-source notices' }).getAttribute('href')).toBe(NOTICES_PATH)
    expect(within(screen.getByRole('banner')).queryByRole('link', { name: brand.phone })).toBeNull()
  })
})

/** Waits until the clinic's name stands in the header in place of a logo. */
async function wordmark(): Promise<void> {
  const header = within(await screen.findByRole('banner'))
  await header.findByRole('link', { name: `Quill Clinic a ${brand.company} certified clinic home` })
  expect(header.queryByRole('img')).toBeNull()
}

async function ownLogo(): Promise<HTMLElement> {
  return within(await screen.findByRole('banner')).findByRole('link', { name: `${brand.company} home` })
}

it('says that a policy without a date is of today, the day of the network', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-15T04:30:00Z') })
  openPage('/refunds', { timeZone: 'America/New_York' })
  await screen.findByText('Last updated: November 14, 2026')
})
