import type { ComponentProps } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { paths } from '../paths.ts'

type Props = Omit<ComponentProps<typeof Link>, 'to'> & { anchor: string }

/** The pages that have the sections of the home page. */
const PAGES_WITH_SECTIONS: string[] = [paths.home, paths.microsite]

/** Leads to a section: the one on this page if it has one (see `followInPageLinks`), else the home page's. */
export function SectionLink({ anchor, ...link }: Props) {
  const { pathname, search } = useLocation()
  // Without JavaScript, too, a visitor must not lose the clinic that the address names.
  const to = PAGES_WITH_SECTIONS.includes(pathname) ? { pathname, search, hash: anchor } : paths.section(anchor)

  return <Link {...link} to={to} data-section={anchor} />
}
