import { useQuery } from '@tanstack/react-query'
import { type Application, listApplicationJobs } from '../../../core/contract/applications.ts'
import { call } from '../../lib/call.ts'
import { formatMoment } from '../../lib/dates.ts'
import { Ledger } from '../../shared/deliveries/ledger.tsx'

/** What an applicant wrote, and each e-mail that we owe for it. */
export function ApplicationDetails({ application: { id, created_at, message } }: { application: Application }) {
  const { data: ledger, error } = useQuery({
    queryKey: ['applications', 'jobs', id],
    queryFn: () => call(listApplicationJobs, { params: { id } }),
    // What was seen earlier is shown at once, and is asked for again whenever an application is opened.
    staleTime: 0,
  })

  return (
    <div className="grid gap-x-10 gap-y-5 lg:grid-cols-2">
      <div>
        <p className="mb-1 text-sm text-quiet">Received {formatMoment(created_at)}</p>
        {message ? <p className="whitespace-pre-wrap wrap-anywhere">{message}</p> : <p>No message.</p>}
      </div>
      <Ledger ledger={ledger} error={error} noun="application" />
    </div>
  )
}
