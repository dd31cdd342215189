import type { ComponentProps } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { useNamedProviderId } from '../lib/provider-of-page.ts'
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
  // Without JavaScript, too, a visitor must not lose the clinic that the address names.
  const page = PAGES_WITH_SECTIONS.includes(pathname) ? { pathname, search } : { pathname: paths.home, search: clinic }
  return <Link {...link} to={{ ...page, hash: anchor }} data-section={anchor} />
}

function useClinicSearch(): string {
  const providerId = useNamedProviderId()
  return providerId === undefined ? '' : `?providerId=${providerId}`
}
