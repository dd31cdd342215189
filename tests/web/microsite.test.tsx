import { describe, expect, it } from 'vitest'
import type { MicrositeProvider } from '../../core/contract/providers.ts'
import { MicrositeLoading, MicrositeNotFound } from '../../web/site/microsite/microsite-states.tsx'
import { FindProviderPage } from '../../web/site/pages/find-provider-page.tsx'
import { Microsite } from '../../web/site/pages/microsite-page.tsx'
import { StartPage } from '../../web/site/pages/start-page.tsx'
import { SuccessPage } from '../../web/site/pages/success-page.tsx'
import { render, renderLazyParts, tagWith } from './render.tsx'

const PROVIDER: MicrositeProvider = {
  id: 7,
  name: 'Dr. Sam Rivera',
  practiceName: 'Lakeside Clinic',
  address: '1 Main Street',
  zipCode: '78702',
  city: 'Austin',
  state: 'TX',
  status: 't',
  latitude: null,
  longitude: null,
  phone: '(512) 555-0100',
  website: 'lakeside.example',
  url: null,
  domain: null,
  image_url: null,
  logo_url: null,
  accepts_free_consultation: true,
  accepts_financing: true,
  google_ads_id: null,
  bing_ads_id: null,
}

describe('a clinic’s own site', () => {
  it('has a form that belongs to the clinic, and its details', async () => {
    const html = await renderLazyParts(<Microsite provider={PROVIDER} />)
    expect(tagWith(html, '<form')).toContain('action="/api/leads?providerId=7"')
    expect(html).toContain('Submit the form to connect with Lakeside Clinic.')
    expect(html).toContain('href="tel:+15125550100"')
    expect(html).toContain('href="https://lakeside.example"')
    expect(html).not.toContain('style=')
  })

  it('offers what the clinic offers', () => {
    const all = render(<Microsite provider={PROVIDER} />)
    expect(all).toContain('Secure My FREE Consultation Now:')
    expect(all).toContain('Affordable, Flexible Payment Plans')
    expect(tagWith(all, 'href="#provider-form"')).toBeDefined()

    const nothing = { ...PROVIDER, accepts_free_consultation: false, accepts_financing: false }
    const less = render(<Microsite provider={nothing} />)
    expect(less).toContain('Find Out If You Qualify Now:')
    expect(less).not.toContain('Affordable, Flexible Payment Plans')
  })

  it('names its clinic, and promises a free consultation only where there is one', async () => {
    const free = await renderLazyParts(<Microsite provider={PROVIDER} />)
    for (const words of ['Lakeside Clinic calls, and', 'Lakeside Clinic contacts you', 'Claim Your FREE Consult Now!'])
      expect(free).toContain(words)
    expect(free).toContain('Lakeside Clinic<!-- -->.</span>')
    expect(free).not.toContain('nearest to you')

    const paid = { ...PROVIDER, accepts_free_consultation: false }
    const html = await renderLazyParts(<Microsite provider={paid} />)
    expect(html.replace(/<[^>]*>/g, ' ')).not.toMatch(/\bfree\b/i)
    for (const words of ['Schedule Consultation', 'Claim Your Consult Now!', 'Find Out If You Qualify Now:'])
      expect(html).toContain(words)
    for (const [page, path] of [
      [<StartPage key="start" />, '/start?providerId=7'],
      [<FindProviderPage key="finder" />, '/homev2?providerId=7'],
    ] as const) {
      // With its description for search engines, which is in an attribute.
      const html = await renderLazyParts(page, path, { chosen: { id: 7, provider: paid } })
      expect(html, path).toContain('Lakeside Clinic')
      expect(html, path).not.toMatch(/\bfree\b|nearest to you/i)
    }
  })

  it('is called by the provider’s name where there is no practice', () => {
    expect(render(<Microsite provider={{ ...PROVIDER, practiceName: null }} />)).toContain(
      'connect with Dr. Sam Rivera.',
    )
  })

  it('says that it is loading, or that there is none', () => {
    expect(render(<MicrositeLoading />)).toContain('Loading...')
    expect(render(<MicrositeNotFound />)).toMatch(/role="alert".*Provider not found/)
  })
})

describe('the thank-you page', () => {
  it('shows a provider that the server has put into it, without a call', () => {
    const html = render(<SuccessPage />, '/success?providerId=7', { chosen: { id: 7, provider: PROVIDER } })
    expect(html).toContain('Lakeside Clinic')
    expect(html).not.toContain('Loading provider information...')
  })

  it('says that nobody is in reach, whatever provider the address names', () => {
    const html = render(<SuccessPage />, '/success?noProvider=true&providerId=7')
    expect(html).toContain('No Provider Found Yet')
    expect(html).not.toContain('Provider Near You:')
  })
})
