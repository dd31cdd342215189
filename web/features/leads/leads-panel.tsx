import type { PublicProvider } from '../../../core/contract/providers.ts'
import { Alert } from '../../ui/alert.tsx'
import { LeadsTable } from './leads-table.tsx'
import { Pager } from './pager.tsx'
import type { useLeadsPage } from './use-leads-page.ts'

type Props = ReturnType<typeof useLeadsPage> & { providers: PublicProvider[] | undefined }

/** The table of leads with what surrounds it. What was loaded stays in sight when loading it again fails. */
export function LeadsPanel({ leads, total, error, page, pages, setPage, providers }: Props) {
  return (
    <div className="grid gap-4">
      {error && <Alert title="Error">{error.message || 'Failed to load leads'}</Alert>}
      {(leads || !error) && (
        <div className="overflow-hidden rounded-2xl border border-line bg-white">
          <LeadsTable leads={leads} providers={providers} />
          {total !== undefined && <Pager total={total} page={page} pages={pages} onPage={setPage} />}
        </div>
      )}
    </div>
  )
}
