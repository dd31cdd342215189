import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { parseAsBoolean, useQueryState } from 'nuqs'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { listSyncRuns, SYNC_RUNS_PER_PAGE, type SyncRun, type SyncStatus } from '../../../core/sync/contract/sync.ts'
import { call } from '../../lib/call.ts'
import { formatMoment, formatSince } from '../../lib/dates.ts'
import { Since } from '../../ui/action-button.tsx'
import { SmallButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Modal } from '../../ui/dialog.tsx'
import { Badge } from '../../ui/feedback.tsx'
import { Loaded } from '../../ui/load-error.tsx'
import { Cell, LoadedTable, Row } from '../../ui/table.tsx'
import { useAccess } from '../access.tsx'
import { parseAsPage } from '../address.ts'
import { Approval, OldLeads, SpokenProgress, SyncProgress } from './run-changes.tsx'
import { useCurrentRun, useOpenRun, useSync, useSyncStatus } from './use-sync.tsx'
import { countsSentence, isCounted, leadsSentence, progressOf, starterOf, stateOf } from './words.ts'

export function SyncDrawer() {
  const [isOpen, setOpen] = useQueryState('syncs', parseAsBoolean.withDefault(false))
  const { data, error } = useSyncStatus()
  const current = useCurrentRun()
  const { words, tone } = error && !data ? UNKNOWN : standing(data, current)

  return (
    <>
      <SmallButton className="rounded-lg! max-lg:min-h-11" aria-haspopup="dialog" onClick={() => void setOpen(true)}>
        <span aria-hidden="true" className={`size-2 rounded-full ${tone}`} />
        Sync · {words}
      </SmallButton>
      {isOpen && (
        <Sheet title="Sync with WordPress" onClose={() => void setOpen(null)}>
          <SyncCard />
          <SyncRuns />
        </Sheet>
      )}
    </>
  )
}

export function SyncButton() {
  const { start, pending } = useSync()
  const current = useCurrentRun()
  const isSyncing = pending === 'sync' || pending === 'approve'
  return (
    <div className="flex items-center gap-3">
      {pending && current && <p className="text-sm text-quiet tabular-nums">{progressOf(current)}</p>}
      <SmallButton busy={isSyncing} disabled={pending === 'dry-run'} onClick={() => start({ kind: 'sync' })}>
        {isSyncing ? 'Syncing...' : 'Sync Providers'}
      </SmallButton>
    </div>
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

function SyncCard() {
  const sync = useSync()
  const can = useAccess()
  const query = useSyncStatus()
  const current = useCurrentRun()
  return (
    <Card
      title="Provider Sync"
      action={
        can('sync.run') &&
        query.data?.status.is_configured && (
          <SmallButton
            variant={query.data.status.last_success_at === null ? 'primary' : 'outline'}
            busy={sync.pending === 'dry-run'}
            disabled={sync.pending !== undefined}
            onClick={() => sync.start({ kind: 'dry-run' })}
          >
            Dry run
          </SmallButton>
        )
      }
    >
      <SpokenProgress run={current} />
      <Loaded of={query} fallback="Failed to load the sync status" className="h-6 w-3/5">
        {({ status, runs }) => {
          const applied = runs.find(({ state, dry_run }) => state === 'done' && !dry_run)
          if (!status.is_configured) return <p>{UNCONFIGURED}</p>
          return (
            <div className="grid gap-3">
              {current && <SyncProgress run={current} />}
              <p>
                {status.last_success_at ? (
                  <>
                    Last synced <Since time={status.last_success_at} />.
                  </>
                ) : (
                  <>The providers have never been synced. {can('sync.run') && BEFORE_THE_FIRST}</>
                )}{' '}
                {whenNext(status)}
              </p>
              {applied && <OldLeads run={applied} />}
            </div>
          )
        }}
      </Loaded>
    </Card>
  )
}

const UNCONFIGURED =
  'No WordPress site is connected, so the providers stay as they are. To connect one, set WORDPRESS_URL.'

function whenNext({ schedule, next_at }: SyncStatus): string {
  if (next_at) return `The next sync is due ${formatMoment(next_at)}.`
  return schedule ? 'The schedule starts after the first sync.' : 'There is no schedule: it runs only on demand.'
}

const BEFORE_THE_FIRST =
  'A dry run shows what the first sync would change. It reads every page of WordPress and changes nothing.'

function SyncRuns() {
  const [page, setPage] = useQueryState('syncs-page', parseAsPage.withOptions({ history: 'replace' }))
  const query = useQuery({
    queryKey: ['sync-runs', 'list', page],
    queryFn: () => call(listSyncRuns, { query: { page } }),
    placeholderData: keepPreviousData,
  })
  const current = useCurrentRun()
  return (
    <section aria-label="Sync Runs" className="grid gap-2">
      <h3 className="text-base font-semibold text-ink">Sync Runs</h3>
      <LoadedTable
        of={query}
        fallback="Failed to load the sync runs"
        columns={['When', 'Started by', 'Result']}
        rows={({ runs }) => runs.map((run) => <RunRow key={run.id} run={run.id === current?.id ? current : run} />)}
        empty="No sync has run yet."
        pages={{
          ...{ noun: 'runs', perPage: SYNC_RUNS_PER_PAGE, page },
          onPage: (next) => void setPage(next),
        }}
      />
    </section>
  )
}

function RunRow({ run }: { run: SyncRun }) {
  const { created_at, state, approved, error, leads_queued } = run
  const { searchOf } = useOpenRun()
  const { label, tone } = stateOf(run)
  return (
    <Row>
      <Cell label="When" className="col-span-2 whitespace-nowrap">
        <Link
          to={{ search: searchOf(run.id) }}
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
      <Cell label="Result" className="col-span-full wrap-anywhere">
        <Badge tone={tone}>{label}</Badge>
        <div className="mt-1">
          {isCounted(run) && <p>{countsSentence(run)}</p>}
          {state === 'done' && leads_queued > 0 && <p className="text-quiet">{leadsSentence(run)}</p>}
          {approved && <Approval approved={approved} />}
          {state === 'failed' && <p className="text-bad">{error}</p>}
          {state === 'running' && <p className="text-quiet tabular-nums">{progressOf(run)}</p>}
        </div>
      </Cell>
    </Row>
  )
}

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
          <SmallButton variant="ghost" onClick={onClose} className="-mr-2 max-lg:min-h-11">
            Close
          </SmallButton>
        </div>
        {children}
      </div>
    </Modal>
  )
}
