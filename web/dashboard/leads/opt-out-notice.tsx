import { formatDay } from '../../lib/dates.ts'
import { Notice } from '../../ui/notice.tsx'
import { useLinkTo } from '../address.ts'
import { useOptOuts } from './lift-button.tsx'

/** The clinics that have not confirmed in time that they stopped contacting a person, on whatever tab staff are. */
export function OptOutNotice() {
  const linkTo = useLinkTo()
  const overdue = useOptOuts().data?.overdue ?? []
  const [first] = overdue
  return (
    <div role="status" className="grid gap-3 not-empty:mb-5">
      {first && (
        <Notice
          title="A clinic has not confirmed that it stopped contacting a person"
          link={{
            to: { search: linkTo({ tab: 'leads', lead: first.lead_id }) },
            label: 'See the lead',
          }}
        >
          {first.clinic} had to confirm by {formatDay(first.due_at)} for lead no. {first.lead_id}. Please call.
          {overdue.length > 1 && ` And ${overdue.length - 1} more.`}
        </Notice>
      )}
    </div>
  )
}
