import type { ReactNode } from 'react'
import { PROVIDER_FORM } from '../../pages.ts'
import { AnchorLink } from '../../ui/anchor-link.tsx'
import { buttonClass } from '../../ui/button.tsx'

/**
 * Shows the sections before the form. On a phone, "Apply Now" stays at the bottom of the window while they are in view, and so
 * goes once the form comes. It leaves the room to a field that is typed into, and covers nothing that the keyboard is at.
 */
export function WithApplyBar({ children }: { children: ReactNode }) {
  return (
    <div className="group/apply">
      {children}
      <p className="sticky bottom-0 z-10 -mt-16 border-t border-line bg-white px-4 py-3 group-has-[:focus-visible:not([data-apply])]/apply:invisible sm:px-6 md:hidden print:hidden">
        <AnchorLink data-apply="" anchor={PROVIDER_FORM} className={`${buttonClass({ size: 'large' })} w-full`}>
          Apply Now
        </AnchorLink>
      </p>
    </div>
  )
}
