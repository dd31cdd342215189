import type { ComponentProps } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router-dom'
import { brand } from '../../core/brand/brand.ts'
import { namedProvider } from '../../core/contract/page.ts'
import { useNamedProviderId, useProviderOfPage } from '../lib/page-data.ts'
import { PROVIDER_FORM, pageAt, paths } from '../pages.ts'

type Props = Omit<ComponentProps<typeof Link>, 'to'>

/** Keeps the clinic named in the address. From a clinic's site the map is opened at the clinic. */
export function PageLink({ to, ...link }: Props & { to: string }) {
  const search = useClinicSearch()
  const ofPage = useProviderOfPage()
  const shown = to === paths.map && ofPage.known ? ofPage.provider?.id : undefined
  const query = shown === undefined ? search : `${search}${search ? '&' : '?'}provider=${shown}`
  return <Link {...link} to={{ pathname: to, search: query }} />
}

/** `brand` sets whether the page for clinics is on this site or on another. */
export function BecomeProviderLink({ className }: { className: string }) {
  const to = brand.becomeProviderUrl
  return to.startsWith('/') ? (
    <PageLink to={to} className={className}>
      Become a Provider
    </PageLink>
  ) : (
    <a href={to} className={className}>
      Become a Provider
    </a>
  )
}

/** Leads to the section on this page if it has it (see `followInPageLinks`), otherwise on the home page. */
export function SectionLink({ anchor, ...link }: Props & { anchor: string }) {
  const { pathname, search } = useLocation()
  const clinic = useClinicSearch()
  const hasNoProvider = useHasNoProvider()
  const isHere = pageAt(pathname)?.sections?.includes(anchor) && !hasNoProvider
  // Keeps the clinic named in the address, also without JavaScript.
  const page = isHere ? { pathname, search } : { pathname: paths.home, search: clinic }
  return <Link {...link} to={{ ...page, hash: anchor }} data-section={isHere ? anchor : undefined} />
}

/** Leads to the lead form on this page if it has one, otherwise on the home page. */
export function FormLink(link: Props) {
  return <SectionLink {...link} anchor={PROVIDER_FORM} />
}

/** Returns whether the page is one of a provider, and names an unknown one. Such a page has no sections. */
function useHasNoProvider(): boolean {
  const [query] = useSearchParams()
  const ofPage = useProviderOfPage()
  const belongs = pageAt(useLocation().pathname)?.provider
  const isProviders = belongs === 'always' || (belongs === 'if named' && namedProvider(query) !== undefined)
  return isProviders && ofPage.known && ofPage.provider === null
}

function useClinicSearch(): string {
  const providerId = useNamedProviderId()
  return providerId === undefined ? '' : `?providerId=${providerId}`
}
