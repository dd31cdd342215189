import { brand } from '../../core/brand/brand.ts'
import { texts } from '../../core/brand/texts.ts'
import { type PageRequest, providerOrigin } from '../../core/contract/page.ts'
import type { MicrositeProvider } from '../../core/contract/providers.ts'
import { websiteUrl } from '../lib/links.ts'
import { pageAt } from '../pages.ts'
import { paths } from '../paths.ts'
import { linkElement, linkedDataElement, propertyElement } from './document.ts'

/** What search engines and social networks are told about a page, beyond its title and description. */
export function describePage(request: PageRequest): string {
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
