import type { ComponentProps } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router-dom'
import { namedProvider } from '../../core/contract/page.ts'
import { useNamedProviderId, useProviderOfPage } from '../lib/provider-of-page.ts'
import { PROVIDER_FORM, pageAt } from '../pages.ts'
import { paths } from '../paths.ts'

type Props = Omit<ComponentProps<typeof Link>, 'to'>

/** Leads to another public page, and stays with the clinic that the address names. */
export function PageLink({ to, ...link }: Props & { to: string }) {
  return <Link {...link} to={{ pathname: to, search: useClinicSearch() }} />
}

/** Leads to a section: the one on this page if it has it (see `followInPageLinks`), else the home page's. */
export function SectionLink({ anchor, ...link }: Props & { anchor: string }) {
  const { pathname, search } = useLocation()
  const clinic = useClinicSearch()
  const hasNoProvider = useHasNoProvider()
  const isHere = pageAt(pathname)?.sections?.includes(anchor) && !hasNoProvider
  // Without JavaScript, too, a visitor must not lose the clinic that the address names.
  const page = isHere ? { pathname, search } : { pathname: paths.home, search: clinic }
  return <Link {...link} to={{ ...page, hash: anchor }} data-section={isHere ? anchor : undefined} />
}

/** Leads to the lead form: the one on this page if it has one, else the home page's. */
export function FormLink(link: Props) {
  return <SectionLink {...link} anchor={PROVIDER_FORM} />
}

/** Whether this would be a provider's page, but there is no such provider: such a page has no sections. */
function useHasNoProvider(): boolean {
  const [query] = useSearchParams()
  const ofPage = useProviderOfPage()
  const isProviders = pageAt(useLocation().pathname)?.provider === 'always' || namedProvider(query) !== undefined
  return isProviders && ofPage.known && ofPage.provider === null
}

function useClinicSearch(): string {
  const providerId = useNamedProviderId()
  return providerId === undefined ? '' : `?providerId=${providerId}`
}
