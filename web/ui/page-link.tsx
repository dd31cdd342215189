import type { ComponentProps } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router-dom'
import { namedProvider } from '../../core/contract/page.ts'
import { useNamedProviderId, useProviderOfPage } from '../lib/provider-of-page.ts'
import { paths } from '../paths.ts'

/** The pages that have the sections of the home page. */
const PAGES_WITH_SECTIONS: string[] = [paths.home, paths.microsite]

type Props = Omit<ComponentProps<typeof Link>, 'to'>

/** Leads to another public page, and stays with the clinic that the address names. */
export function PageLink({ to, hash, ...link }: Props & { to: string; hash?: string }) {
  return <Link {...link} to={{ pathname: to, search: useClinicSearch(), hash }} />
}

/** Leads to a section: the one on this page if it has one (see `followInPageLinks`), else the home page's. */
export function SectionLink({ anchor, ...link }: Props & { anchor: string }) {
  const { pathname, search } = useLocation()
  const clinic = useClinicSearch()
  const hasNoProvider = useHasNoProvider()
  const hasSections = PAGES_WITH_SECTIONS.includes(pathname) && !hasNoProvider
  // Without JavaScript, too, a visitor must not lose the clinic that the address names.
  const page = hasSections ? { pathname, search } : { pathname: paths.home, search: clinic }
  return <Link {...link} to={{ ...page, hash: anchor }} data-section={anchor} />
}

/** Whether this would be a provider's page, but there is no such provider: such a page has no sections. */
function useHasNoProvider(): boolean {
  const [query] = useSearchParams()
  const ofPage = useProviderOfPage()
  const isProviders = useLocation().pathname === paths.microsite || namedProvider(query) !== undefined
  return isProviders && ofPage.known && ofPage.provider === null
}

function useClinicSearch(): string {
  const providerId = useNamedProviderId()
  return providerId === undefined ? '' : `?providerId=${providerId}`
}
