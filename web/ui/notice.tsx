import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { buttonClass } from './button.tsx'

type Props = { title: string; children: ReactNode; link?: { to: { search: string }; label: string } }

/** A warning above the tabs of the dashboard. */
export function Notice({ title, children, link }: Props) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-xl border border-wait bg-wait-soft px-4 py-3 text-wait">
      <div>
        <p className="font-semibold">{title}</p>
        <p>{children}</p>
      </div>
      {link && (
        <Link to={link.to} preventScrollReset className={buttonClass({ variant: 'outline', size: 'small' })}>
          {link.label}
        </Link>
      )}
    </div>
  )
}
