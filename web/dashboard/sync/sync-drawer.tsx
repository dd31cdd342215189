import { parseAsBoolean, useQueryState } from 'nuqs'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router-dom'
import { SYNC_RUNS_PER_PAGE, type SyncCounts, type SyncRun, type SyncStatus } from '../../../core/contract/sync.ts'
import { formatMoment, formatSince } from '../../lib/dates.ts'
import { formatCount } from '../../lib/numbers.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Modal } from '../../ui/dialog.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Cell, Row, Table } from '../../ui/table.tsx'
import { useAccess } from '../access.tsx'
import { parseAsPage } from '../address.ts'
import { Approval, OldLeads, SpokenProgress, SyncProgress } from './parts.tsx'
import { useCurrentRun, useOpenRun, useSyncRuns, useSyncStatus } from './sync-runs.ts'
import { useSync } from './use-sync.tsx'
import { countsSentence, isCounted, progressOf, starterOf, stateOf } from './words.ts'

/** Shows the state of the sync as a button, and its details with all runs in a drawer, which is in the address. */
export function SyncDrawer() {
  const [isOpen, setOpen] = useQueryState('syncs', parseAsBoolean.withDefault(false))
  const { data, error } = useSyncStatus()
  const current = useCurrentRun()
  const { words, tone } = error && !data ? UNKNOWN : standing(data, current)

  return (
    <>
      <Button
        variant="outline"
        size="small"
        className="rounded-lg! max-lg:min-h-11"
        aria-haspopup="dialog"
        onClick={() => void setOpen(true)}
      >
        <span aria-hidden="true" className={`size-2 rounded-full ${tone}`} />
        Sync · {words}
      </Button>
      {isOpen && (
        <Sheet title="Sync with WordPress" onClose={() => void setOpen(null)}>
          <SyncCard />
          <SyncRunsCard />
        </Sheet>
      )}
    </>
  )
}

type Standing = { words: string; tone: string }
const UNKNOWN: Standing = { words: 'not loaded', tone: 'bg-bad' }

/** Returns, for example, `last 12 minutes ago` and the color of the dot. */
function standing(data: { status: SyncStatus; runs: SyncRun[] } | undefined, current: SyncRun | undefined): Standing {
  if (!data) return { words: 'loading…', tone: 'bg-edge' }
  const { is_configured, last_success_at, needs_approval, is_overdue } = data.status
  if (!is_configured) return { words: 'no WordPress', tone: 'bg-edge' }
  if (current) return { words: progressOf(current).toLowerCase(), tone: 'bg-wait' }
  const last = data.runs.find(({ dry_run, finished_at }) => !dry_run && finished_at !== null)
  const since = last_success_at ? `last ${formatSince(last_success_at)}` : 'never'
  if (last?.state === 'failed') return { words: `failed, ${since}`, tone: 'bg-bad' }
  if (needs_approval !== null) return { words: `waits for approval, ${since}`, tone: 'bg-wait' }
  if (is_overdue) return { words: `overdue, ${since}`, tone: 'bg-wait' }
  return { words: since, tone: last_success_at ? 'bg-good' : 'bg-edge' }
}

/** Shows the latest and the next sync, and the progress of a current one. */
function SyncCard() {
  const sync = useSync()
  const can = useAccess()
  const id = useId()
  const { data, error, isFetching, refetch } = useSyncStatus()
  const status = data?.status
  const current = useCurrentRun()

  return (
    <section aria-labelledby={id} className="grid gap-3 rounded-lg border border-line bg-background p-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h2 id={id} className="text-base font-semibold text-ink">
          Provider Sync
        </h2>
        {can('sync.run') && status?.is_configured && (
          <Button
            variant={status.last_success_at === null ? 'primary' : 'outline'}
            size="small"
            busy={sync.pending === 'dry-run'}
            disabled={sync.pending !== undefined}
            onClick={() => sync.start({ kind: 'dry-run' })}
          >
            Dry run
          </Button>
        )}
      </div>
      {error && (
        <Alert title="Failed to load the sync status">
          <p>{error.message || 'The server is not responding.'}</p>
          <Button variant="outline" size="small" busy={isFetching} onClick={() => refetch()} className="mt-2">
            Try again
          </Button>
        </Alert>
      )}
      <SpokenProgress run={current} />
      {!data && !error && <Skeleton className="h-6 w-3/5" />}
      {data && <SyncCardStanding {...data} current={current} />}
    </section>
  )
}

type StandingProps = { status: SyncStatus; runs: SyncRun[]; current: SyncRun | undefined }

function SyncCardStanding({ status, runs, current }: StandingProps) {
  const can = useAccess()
  const { is_configured, last_success_at } = status
  if (!is_configured) {
    return <p>No WordPress site is connected, so the providers stay as they are. To connect one, set WORDPRESS_URL.</p>
  }
  const last = runs.find(({ finished_at, dry_run }) => finished_at !== null && (!dry_run || last_success_at === null))
  const applied = runs.find(({ state, dry_run }) => state === 'done' && !dry_run)
  return (
    <>
      {current && <SyncProgress run={current} />}
      <div className="grid gap-1">
        <p>
          {last_success_at ? (
            <>
              {last && last.state !== 'done' ? 'Last successful sync:' : 'Last synced'}{' '}
              <time dateTime={last_success_at} title={formatMoment(last_success_at)}>
                {formatSince(last_success_at)}
              </time>
              .
            </>
          ) : (
            <>The providers have never been synced. {can('sync.run') && BEFORE_THE_FIRST}</>
          )}{' '}
          {whenNext(status)}
        </p>
        {last && <LastRun run={last} />}
        {applied && <OldLeads run={applied} />}
      </div>
    </>
  )
}

function whenNext({ schedule, next_at }: SyncStatus): string {
  if (next_at) return `The next sync is due ${formatMoment(next_at)}.`
  return schedule ? 'The schedule starts after the first sync.' : 'There is no schedule: it runs only on demand.'
}

const BEFORE_THE_FIRST =
  'Before the first sync, a dry run shows what it would change. It reads every page of WordPress and changes nothing.'

/** Describes the result of the latest run. */
function LastRun({ run }: { run: SyncRun }) {
  const { searchOf } = useOpenRun()
  const what = run.dry_run ? 'dry run' : 'sync'
  return (
    <p className="wrap-anywhere">
      {run.state === 'done' ? (
        `The last ${what}: ${countsSentence(run)}`
      ) : run.approved ? (
        <Approval approved={run.approved} />
      ) : (
        <span className={run.state === 'failed' ? 'text-bad' : 'text-wait'}>
          {run.state === 'failed' ? `The last ${what} has failed.` : `The last ${what} waits for approval.`} {run.error}
        </span>
      )}{' '}
      <Link
        to={{ search: searchOf(run.id) }}
        preventScrollReset
        className="font-semibold text-secondary underline underline-offset-3 hover:text-primary"
      >
        {run.dry_run ? 'See what would change' : 'See the run'}
      </Link>
    </p>
  )
}

/** Lists the latest runs, page by page. */
function SyncRunsCard() {
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

/** A modal dialog as high as the window, at its right side. It is open as long as it is rendered. */
function Sheet({ title, children, onClose }: { title: string; children: ReactNode; onClose: () => void }) {
  return (
    <Modal
      label={title}
      className="right-0! left-auto! m-0! h-dvh! w-6xl max-w-full! overflow-y-auto rounded-none! sm:max-w-[calc(100vw-3rem)]! sm:rounded-l-lg!"
      onClose={onClose}
    >
      <div className="grid gap-4 p-4 text-sm lg:p-5">
        <div className="flex items-center justify-between gap-4">
          <h2 className="text-lg leading-6 font-semibold text-ink">{title}</h2>
          <Button variant="ghost" size="small" onClick={onClose} className="-mr-2 max-lg:min-h-11">
            Close
          </Button>
        </div>
        {children}
      </div>
    </Modal>
  )
}
