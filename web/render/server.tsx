import { text } from 'node:stream/consumers'
import { StrictMode } from 'react'
import { prerenderToNodeStream } from 'react-dom/static'
import { StaticRouter } from 'react-router-dom'
import { brand } from '../../core/brand/brand.ts'
import { texts } from '../../core/brand/texts.ts'
import { type PageRequest, providerOrigin, type RenderPage } from '../../core/contract/page.ts'
import type { Mark, ProviderPoint } from '../../core/contract/places.ts'
import { addressParts, type MicrositeProvider } from '../../core/providers/contract/providers.ts'
import { App } from '../app.tsx'
import { websiteUrl } from '../lib/texts.ts'
import { pageAt, paths } from '../pages.ts'
import { AppRoutes } from '../routes.tsx'
import { createClusters } from '../shared/map/clusters.ts'
import { COUNTRY } from '../shared/map/points.ts'
import { fillTemplate, linkElement, linkedDataElement, propertyElement } from './document.ts'

type Build = {
  template: string
  /** The links to the scripts and styles of each page, by path. */
  links: Record<string, string>
}

export { fillInData } from './document.ts'

/** Returns the initial marks of a map of the whole country, to a thousandth of a degree, which is far below a pixel there. */
export function countryMarks(points: ProviderPoint[]): Mark[] {
  const rounded = (degrees: number) => Number(degrees.toFixed(3))
  const marks = createClusters(points).marksIn(COUNTRY)
  return marks.map((mark) => ({ ...mark, latitude: rounded(mark.latitude), longitude: rounded(mark.longitude) }))
}

/** Renders any public page, without its data: at build time if it is the same for all visitors, else in the API. */
export function createRenderer({ template, links }: Build): RenderPage {
  return async (request) => {
    const { head, app } = await renderApp(request)
    const { pathname } = new URL(request.url, request.origin)
    const provider = providerOf(request)
    // A provider's site is at the path of the home page, too.
    const scripts = links[provider && pathname === paths.home ? paths.microsite : pathname] ?? ''
    return fillTemplate(template, { head: scripts + head + describePage(request), app })
  }
}

/** Returns a page without content for the browser to render, used for staff, in the colors that the system prefers. */
export function renderShell({ template }: Build): string {
  const app = '<noscript>This page needs JavaScript. Please enable it and reload the page.</noscript>'
  return fillTemplate(template, { head: '', app }).replace('<html ', '<html data-scheme="system" ')
}

async function renderApp({ url, data }: PageRequest): Promise<{ head: string; app: string }> {
  let fault: unknown
  const { prelude } = await prerenderToNodeStream(
    <StrictMode>
      <App data={data}>
        <StaticRouter location={url}>
          <AppRoutes />
        </StaticRouter>
      </App>
    </StrictMode>,
    {
      // React would send large content in a chunk of its own with an inline script, which our policy blocks.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError(error) {
        fault ??= error
      },
    },
  )
  const html = await text(prelude)
  if (fault) throw fault

  // Titles, descriptions and preloads come first; the app itself starts with its only <div>, or with the mark of a part
  // that loads later around it.
  const start = html.search(/(<!--\$-->)?<div/)
  return { head: html.slice(0, start), app: html.slice(start) }
}

/** Returns the elements for search engines and social networks beyond title and description. A clinic's page has none. */
function describePage(request: PageRequest): string {
  const { url, mainOrigin, data } = request
  const { pathname } = new URL(url, mainOrigin)
  if (pageAt(pathname)?.audience === 'clinic') return ''
  const provider = pageAt(pathname)?.provider ? providerOf(request) : null
  const address = provider ? addressOf(provider, mainOrigin) : mainOrigin + pathname
  return [
    linkElement('canonical', address),
    propertyElement('og:type', 'website'),
    propertyElement('og:site_name', provider?.practiceName ?? provider?.name ?? brand.company),
    propertyElement('og:url', address),
    propertyElement('og:image', `${mainOrigin}/art/og.png`),
    provider ? linkedDataElement(clinic(provider, address)) : '',
    pathname === paths.home && !provider && !data.chosen
      ? linkedDataElement(organization(mainOrigin)) + linkedDataElement(faq())
      : '',
  ].join('')
}

function providerOf({ data: { chosen, hostProvider } }: PageRequest): MicrositeProvider | null {
  return (chosen ? chosen.provider : hostProvider) ?? null
}

/** Returns the canonical address of a provider's site: its own host if it has one. */
function addressOf({ id, domain }: MicrositeProvider, mainOrigin: string): string {
  return domain ? `${providerOrigin(domain, mainOrigin)}/` : `${mainOrigin}${paths.microsite}?providerId=${id}`
}

/** Returns what a clinic's page shows as a MedicalBusiness (https://schema.org/MedicalBusiness). */
function clinic(provider: MicrositeProvider, address: string) {
  const { name, practiceName, phone, website, zipCode, latitude, longitude, image_url, logo_url } = provider
  const { street, city, state } = addressParts(provider)
  return {
    '@context': 'https://schema.org',
    '@type': 'MedicalBusiness',
    name: practiceName ?? name,
    url: address,
    telephone: phone ?? undefined,
    address: {
      '@type': 'PostalAddress',
      streetAddress: street || undefined,
      addressLocality: city ?? undefined,
      addressRegion: state ?? undefined,
      postalCode: zipCode,
      addressCountry: 'US',
    },
    geo: latitude === null ? undefined : { '@type': 'GeoCoordinates', latitude, longitude },
    image: image_url ? new URL(image_url, address).href : undefined,
    logo: logo_url ? new URL(logo_url, address).href : undefined,
    sameAs: website ? websiteUrl(website) : undefined,
  }
}

function organization(mainOrigin: string) {
  return {
    '@context': 'https://schema.org',
    '@type': 'Organization',
    name: brand.company,
    url: `${mainOrigin}/`,
    logo: `${mainOrigin}/favicon.svg`,
    email: brand.email,
    telephone: brand.phone,
  }
}

function faq() {
  return {
    '@context': 'https://schema.org',
    '@type': 'FAQPage',
    mainEntity: texts.questions().map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  }
}
