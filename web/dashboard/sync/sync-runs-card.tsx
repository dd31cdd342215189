import { useQueryState } from 'nuqs'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import { SYNC_RUNS_PER_PAGE, type SyncCounts, type SyncRun } from '../../../core/contract/sync.ts'
import { formatMoment, formatSince } from '../../lib/dates.ts'
import { formatCount } from '../../lib/numbers.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Cell, Row, Table } from '../../ui/table.tsx'
import { parseAsPage } from '../address.ts'
import { Approval } from './parts.tsx'
import { useCurrentRun, useOpenRun, useSyncRuns } from './sync-runs.ts'
import { isCounted, progressOf, starterOf, stateOf } from './words.ts'

/** Lists the latest runs, page by page. */
export function SyncRunsCard() {
  const id = useId()
  const [page, setPage] = useQueryState('syncs-page', parseAsPage.withOptions({ history: 'replace' }))
  const { data, error, isPlaceholderData, isFetching, refetch } = useSyncRuns(page)
  const current = useCurrentRun()
  const { searchOf } = useOpenRun()

  return (
    <section aria-labelledby={id} className="overflow-hidden rounded-lg border border-line bg-background">
      <h2 id={id} className="border-b border-line px-4 py-3 text-base font-semibold text-ink">
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

const COLUMNS = [
  'When',
  'Started by',
  'Result',
  'Seen',
  'Created',
  'Updated',
  'Deactivated',
  'Reactivated',
  'Skipped',
  'Leads matched',
] as const

const COUNTS = {
  Seen: 'seen',
  Created: 'created',
  Updated: 'updated',
  Deactivated: 'deactivated',
  Reactivated: 'reactivated',
  Skipped: 'skipped',
} as const satisfies Record<string, keyof SyncCounts>

/** Shows a run as a row that links to its details. */
function RunRow({ run, search }: { run: SyncRun; search: string }) {
  const { created_at, counts, state, dry_run, approved, error } = run
  const { label, tone } = stateOf(run)
  const hasCounts = isCounted(run)
  const isApplied = state === 'done' && !dry_run
  const number = `tabular-nums ${isApplied ? 'text-ink' : 'text-quiet'} ${hasCounts ? '' : 'max-lg:hidden'}`

  return (
    <Row>
      <Cell label="When" className="col-span-2">
        <Link
          to={{ search }}
          preventScrollReset
          className="block w-fit py-0.5 font-semibold text-ink hover:text-secondary hover:underline"
        >
          <time dateTime={created_at}>{formatMoment(created_at)}</time>
        </Link>
        <span className="block text-sm text-quiet">{formatSince(created_at)}</span>
      </Cell>
      <Cell label="Started by" className="wrap-anywhere text-ink">
        {starterOf(run)}
      </Cell>
      <Cell label="Result" className="lg:max-w-72">
        <Badge tone={tone}>{label}</Badge>
        {approved && (
          <p className="mt-1 text-sm text-quiet">
            <Approval approved={approved} />
          </p>
        )}
        {state === 'failed' && <p className="mt-1 text-sm wrap-anywhere text-bad">{error}</p>}
        {state === 'running' && <p className="mt-1 text-sm text-quiet tabular-nums">{progressOf(run)}</p>}
      </Cell>
      {Object.entries(COUNTS).map(([column, name]) => (
        <Cell key={name} label={column} className={number}>
          {hasCounts ? formatCount(counts[name]) : '-'}
        </Cell>
      ))}
      <Cell label="Leads matched" className={number}>
        {isApplied ? matchedText(run) : '-'}
      </Cell>
    </Row>
  )
}

function matchedText({ leads_queued, leads_matched }: SyncRun): string {
  return leads_queued === 0 ? '0' : `${formatCount(leads_matched)} of ${formatCount(leads_queued)}`
}
