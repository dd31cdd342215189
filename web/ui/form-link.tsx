import type { ComponentProps, MouseEvent } from 'react'
import { Link } from 'react-router-dom'
import { scrollToAnchor } from '../lib/use-scroll-on-navigation.ts'
import { PROVIDER_FORM, paths } from '../paths.ts'

/** Leads to the lead form: the one on this page if it has one, else the home page's. */
export function FormLink({ onClick, ...link }: Omit<ComponentProps<typeof Link>, 'to'>) {
  function go(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event)
    const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey
    if (opensElsewhere || !document.getElementById(PROVIDER_FORM)) return

    event.preventDefault()
    scrollToAnchor(PROVIDER_FORM)
  }

  return <Link {...link} to={paths.providerForm} onClick={go} />
}
