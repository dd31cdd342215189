import { text } from 'node:stream/consumers'
import { StrictMode } from 'react'
import { prerenderToNodeStream } from 'react-dom/static'
import { StaticRouter } from 'react-router-dom'
import { brand } from '../../core/brand/brand.ts'
import { texts } from '../../core/brand/texts.ts'
import { type PageRequest, providerOrigin, type RenderPage } from '../../core/contract/page.ts'
import type { MicrositeProvider } from '../../core/contract/providers.ts'
import { App } from '../app.tsx'
import { websiteUrl } from '../lib/links.ts'
import { pageAt } from '../pages.ts'
import { paths } from '../paths.ts'
import { AppRoutes } from '../routes.tsx'
import { fillTemplate, linkElement, linkedDataElement, propertyElement } from './document.ts'

type Build = {
  /** The built `index.html`, with its marks. */
  template: string
  /** By path, the links to the scripts and styles of a page. */
  links: Record<string, string>
}

export { countryMarks } from '../shared/map/country-marks.ts'
export { fillInData } from './document.ts'

/**
 * Renders any public page, all but its data: at build time those that are the same for everybody, in the API all others.
 */
export function createRenderer({ template, links }: Build): RenderPage {
  return async (request) => {
    const { head, app } = await renderApp(request)
    const { pathname } = new URL(request.url, request.origin)
    return fillTemplate(template, { head: (links[pathname] ?? '') + head + describePage(request), app })
  }
}

/** A page without content, which the browser draws: the staff's. */
export function renderShell({ template }: Build): string {
  const app = '<noscript>This page needs JavaScript. Please enable it and reload the page.</noscript>'
  return fillTemplate(template, { head: '', app })
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
      // React would send what is large in a piece of its own, with an inline script that our policy refuses.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError(error) {
        fault ??= error
      },
    },
  )
  const html = await text(prelude)
  if (fault) throw fault

  // Titles, descriptions and preloads come first; the app itself starts with its only <div>.
  const start = html.indexOf('<div')
  return { head: html.slice(0, start), app: html.slice(start) }
}

/** What search engines and social networks are told about a page, beyond its title and description. */
function describePage(request: PageRequest): string {
  const { url, mainOrigin, data } = request
  const { pathname } = new URL(url, mainOrigin)
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

/** The one address of a provider's site: its own host where it has one. */
function addressOf({ id, domain }: MicrositeProvider, mainOrigin: string): string {
  return domain ? `${providerOrigin(domain, mainOrigin)}/` : `${mainOrigin}${paths.microsite}?providerId=${id}`
}

/** The clinic as schema.org's MedicalBusiness (https://schema.org/MedicalBusiness): what its page shows, no more. */
function clinic(provider: MicrositeProvider, address: string) {
  const { name, practiceName, phone, website, zipCode, latitude, longitude, image_url, logo_url } = provider
  return {
    '@context': 'https://schema.org',
    '@type': 'MedicalBusiness',
    name: practiceName ?? name,
    url: address,
    telephone: phone ?? undefined,
    address: {
      '@type': 'PostalAddress',
      streetAddress: provider.address ?? undefined,
      postalCode: zipCode,
      addressCountry: 'US',
    },
    geo: latitude === null ? undefined : { '@type': 'GeoCoordinates', latitude, longitude },
    image: image_url ? new URL(image_url, address).href : undefined,
    logo: logo_url ? new URL(logo_url, address).href : undefined,
    sameAs: website ? websiteUrl(website) : undefined,
  }
}

/** The company as schema.org's Organization (https://schema.org/Organization). */
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

/** The questions of the home page as schema.org's FAQPage (https://schema.org/FAQPage). */
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
