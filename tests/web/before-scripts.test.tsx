import { text } from 'node:stream/consumers'
import type { ReactNode } from 'react'
import { prerenderToNodeStream } from 'react-dom/static'
import { StaticRouter } from 'react-router-dom'
import { describe, expect, it } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import type { PageData } from '../../core/contract/page.ts'
import { PageDataContext } from '../../web/lib/page-data.ts'
import { ProviderFinder, Quiz } from '../../web/site/lead-form/two-step-form.tsx'
import { ClinicsPage } from '../../web/site/pages/clinics-page.tsx'
import { RefundsPage } from '../../web/site/pages/refunds-page.tsx'

const MAIN_SITE: PageData = {
  mainDomain: 'www.leadwell.example',
  timeZone: 'America/New_York',
  mapTiles: { url: 'https://tiles.example/{z}/{x}/{y}.png', attribution: '' },
  hostProvider: null,
}

/** The HTML that the server makes of a part of a page, as it is before any script runs. */
async function render(part: ReactNode, address = '/', data: Partial<PageData> = {}): Promise<string> {
  const { prelude } = await prerenderToNodeStream(
    <PageDataContext value={{ ...MAIN_SITE, ...data }}>
      <StaticRouter location={address}>{part}</StaticRouter>
    </PageDataContext>,
  )
  return text(prelude)
}

const tagWith = (html: string, part: string) => html.match(/<[a-z][^>]*>/g)?.find((tag) => tag.includes(part)) ?? ''

it.each([
  { path: '/start', Screen: Quiz },
  { path: '/homev2', Screen: ProviderFinder },
])(
  'the form of $path is the same for every campaign, as the server renders it once for all',
  async ({ path, Screen }) => {
    expect(await render(<Screen />, `${path}?utm_source=news&gclid=1`)).toBe(await render(<Screen />, path))
  },
)

describe('the page for clinics before its scripts', () => {
  const wholeForm = (html: string) => /<form[^>]* aria-label="Provider application".*?<\/form>/s.exec(html)?.[0] ?? ''

  it('posts both of its forms, the short one to be carried: an address would name the person', async () => {
    const html = await render(<ClinicsPage />, '/clinics')
    const short = html.slice(0, html.indexOf('Practice Zip Code')).split('<form').at(-1) ?? ''
    expect(short).toContain('action="/api/provider-applications" method="post"')
    const names = [...short.matchAll(/<input [^>]*name="([^"]+)"/g)].map(([, name]) => name)
    expect(names).toEqual(['carry', 'page', 'name', 'email'])
    const whole = wholeForm(html)
    expect(tagWith(whole, '<form')).toMatch(/"\/api\/provider-applications".*method="post"/)
    expect(tagWith(whole, 'name="acceptance_message"')).toContain(`value="${CONSENT.application.wording}"`)
    expect(tagWith(whole, 'name="topic"')).toContain('tabindex="-1"')
    const required = [...whole.matchAll(/<(?:input|textarea) [^>]*name="([^"]+)"[^>]*>/g)]
      .filter(([tag]) => /\srequired/.test(tag))
      .map(([, name]) => name)
    expect(required).toEqual(['name', 'practice_name', 'email', 'phone', 'zip_code', 'acceptance_consent'])
  })

  it('confirms an application in place of its form', async () => {
    const html = await render(<ClinicsPage />, '/clinics?applied=true')
    expect(html).toContain('Your application is reviewed within 24-48 hours.')
    expect(wholeForm(html)).toBe('')
  })
})

it('a policy names no day or year of its building', async () => {
  const html = await render(<RefundsPage />, '/refunds')
  expect(html).not.toContain(String(new Date().getFullYear()))
  expect(html).toMatch(/Last updated: (<!-- -->)?today/)
})
