import type { ComponentProps } from 'react'

type Props = Omit<ComponentProps<'a'>, 'href'> & { anchor: string }

/** Leads to a section of this very page, without a new address (see `followInPageLinks`). */
export function AnchorLink({ anchor, children, ...link }: Props) {
  return (
    <a {...link} href={`#${anchor}`} data-section={anchor}>
      {children}
    </a>
  )
}
