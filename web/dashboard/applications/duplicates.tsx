import { Link } from 'react-router-dom'
import type { LikelyDuplicate } from '../../../core/contract/application-details.ts'
import { STATUS_LABELS } from '../../../core/contract/applications.ts'
import { useLinkTo } from '../address.ts'
import { ProviderLink } from '../provider-link.tsx'

const REASONS: Record<LikelyDuplicate['reasons'][number], string> = {
  email: 'e-mail',
  phone: 'phone',
  website: 'website',
  name: 'name nearby',
}

const LOOK =
  'inline-block min-h-6 font-semibold text-ink underline decoration-edge underline-offset-3 hover:text-secondary'

/** Lists the clinics and other applications that may be of the same practice, with what is the same. */
export function Duplicates({ duplicates }: { duplicates: LikelyDuplicate[] }) {
  const linkTo = useLinkTo()
  return (
    <ul className="grid gap-1.5 rounded-lg bg-wait-soft p-3">
      {duplicates.map(({ kind, id, name, status, reasons }) => (
        <li key={`${kind} ${id}`}>
          {kind === 'provider' ? (
            <ProviderLink id={id} className={LOOK}>
              {name}
            </ProviderLink>
          ) : (
            <Link to={{ search: linkTo({ application: id }) }} className={LOOK}>
              {name}
            </Link>
          )}
          <p>
            {statusWords(status)}. Same {reasons.map((reason) => REASONS[reason]).join(', ')}.
          </p>
        </li>
      ))}
    </ul>
  )
}

function statusWords(status: LikelyDuplicate['status']): string {
  if (status === 'active') return 'Active clinic'
  if (status === 'inactive') return 'Inactive clinic'
  return `Application: ${STATUS_LABELS[status].toLowerCase()}`
}
