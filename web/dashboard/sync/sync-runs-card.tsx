import { useQueryState } from 'nuqs'
import { useId } from 'react'
import { SYNC_RUNS_PER_PAGE } from '../../../core/contract/sync.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Table } from '../../ui/table.tsx'
import { parseAsPage } from '../address.ts'
import { COLUMNS, RunRow } from './run-row.tsx'
import { useSyncRuns } from './sync-runs.ts'
import { useCurrentRun } from './use-current-run.ts'
import { useOpenRun } from './use-open-run.ts'

/** The last runs of the sync, page by page. */
export function SyncRunsCard() {
  const id = useId()
  const [page, setPage] = useQueryState('syncs-page', parseAsPage.withOptions({ history: 'replace' }))
  const { data, error, isPlaceholderData, isFetching, refetch } = useSyncRuns(page)
  const current = useCurrentRun()
  const { searchOf } = useOpenRun()

  return (
    <section aria-labelledby={id} className="overflow-hidden rounded-2xl border border-line bg-white">
      <h2 id={id} className="border-b border-line px-4 py-4 font-display text-2xl font-medium text-ink lg:px-6">
        Sync Runs
      </h2>
      {error && (
        <div className="p-4 lg:px-6">
          <Alert title="Failed to load the sync runs">
            <p>{error.message || 'The server is not responding.'}</p>
            <Button variant="outline" size="small" busy={isFetching} onClick={() => refetch()} className="mt-2">
              Try again
            </Button>
          </Alert>
        </div>
      )}
      {(data || !error) && (
        <Table
          columns={COLUMNS}
          rows={data?.runs.map((run) => (
            <RunRow key={run.id} run={run.id === current?.id ? current : run} search={searchOf(run.id)} />
          ))}
          isStale={isPlaceholderData}
          empty="No sync has run yet."
        />
      )}
      {data && data.total > 0 && (
        <Pager
          noun="runs"
          total={data.total}
          page={page}
          pages={Math.max(1, Math.ceil(data.total / SYNC_RUNS_PER_PAGE))}
          onPage={(next) => void setPage(next)}
        />
      )}
    </section>
  )
}
