import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { milesInWords } from '../../../core/contract/texts.ts'
import type {
  SkippedPost,
  SyncChange,
  SyncChangeKind,
  SyncCounts,
  SyncRun,
  SyncRunDetails,
} from '../../../core/sync/contract/sync.ts'
import { formatMoment } from '../../lib/dates.ts'
import { formatCount } from '../../lib/numbers.ts'
import { ProgressBar } from '../../ui/feedback.tsx'
import { ProviderLink } from '../provider-link.tsx'
import { useOpenRun } from './use-sync.tsx'
import {
  CHANGES,
  fieldName,
  isTrial,
  oldLeadsWords,
  progressOf,
  spokenProgressOf,
  starterOf,
  valueText,
} from './words.ts'

export function SyncProgress({ run }: { run: SyncRun }) {
  const { dry_run, pages_done, pages_total, state } = run
  const what = dry_run ? 'Dry run' : 'Sync'
  const isCounted = state === 'running' && pages_total !== null
  return (
    <div className="grid gap-2">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="font-semibold text-ink">
          {what} by {starterOf(run)}
        </span>
        <span className="tabular-nums">{progressOf(run)}</span>
      </p>
      <ProgressBar label={`${what}: pages read`} value={isCounted ? pages_done : 0} max={isCounted ? pages_total : 0} />
    </div>
  )
}

/** Render it before a run starts: screen readers may skip a live region that appears together with its text. */
export function SpokenProgress({ run }: { run: SyncRun | undefined }) {
  return (
    <p role="status" className="sr-only">
      {run?.finished_at === null && spokenProgressOf(run)}
    </p>
  )
}

export function Approval({ approved }: { approved: NonNullable<SyncRun['approved']> }) {
  return (
    <>
      Approved by {starterOf(approved)} at{' '}
      <time dateTime={approved.created_at}>{formatMoment(approved.created_at)}</time>, <RunLink id={approved.id} />
    </>
  )
}

export function RunLink({ id }: { id: number }) {
  const { searchOf } = useOpenRun()
  return (
    <Link to={{ search: searchOf(id) }} preventScrollReset className={LINK}>
      see run {id}
    </Link>
  )
}

const LINK = 'font-semibold text-secondary underline underline-offset-3 hover:text-primary'

export function OldLeads({ run }: { run: SyncRun }) {
  if (run.old_leads === 0) return null
  return (
    <p>
      {oldLeadsWords(run)}:{' '}
      <Link to={{ search: `?tab=leads&asked_by_sync=${run.id}` }} className={LINK}>
        match by hand
      </Link>
      .
    </p>
  )
}

/** The kinds of changes. They are listed by their first change, then in this order. */
const KINDS: [SyncChangeKind, keyof SyncCounts][] = [
  ['deactivate', 'deactivated'],
  ['reactivate', 'reactivated'],
  ['create', 'created'],
  ['update', 'updated'],
]

const REASONS = {
  inactive: 'Marked inactive in WordPress.',
  missing: 'It was missing from three complete syncs in a row.',
}

export function RunChanges({ run }: { run: SyncRunDetails }) {
  const { changes, counts } = run
  const words = isTrial(run) ? 'wanted' : 'done'
  const first = (kind: SyncChangeKind) => {
    const index = changes.findIndex((change) => change.kind === kind)
    return index === -1 ? changes.length : index
  }
  return KINDS.toSorted(([a], [b]) => first(a) - first(b)).map(([kind, count]) => (
    <List key={kind} title={CHANGES[kind][words]} total={counts[count]}>
      {changes
        .filter((change) => change.kind === kind)
        .map((change) => (
          <Change key={change.wordpress_id} change={change} />
        ))}
    </List>
  ))
}

export function SkippedPosts({ run: { skipped, doubts, counts } }: { run: SyncRunDetails }) {
  return (
    <>
      <Posts title="Skipped" total={counts.skipped} posts={skipped} />
      <Posts title="Rejected values" total={doubts.length} posts={doubts} />
    </>
  )
}

function Posts({ title, total, posts }: { title: string; total: number; posts: SkippedPost[] }) {
  return (
    <List title={title} total={total}>
      {posts.map(({ wordpress_id, title, reason }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a post may have neither a number nor a title, and the list never changes
        <li key={index} className="py-2">
          <p>
            <span className="font-semibold text-ink">{title || 'A post without a title'}</span>{' '}
            {wordpress_id !== null && <span className="text-quiet">post {wordpress_id}</span>}
          </p>
          <p className="text-bad">{reason}</p>
        </li>
      ))}
    </List>
  )
}

function List({ title, total, children }: { title: string; total: number; children: ReactNode[] }) {
  if (total === 0) return null
  return (
    <section className="border-t border-line pt-4">
      <h3 className="font-semibold text-ink">
        {title} ({formatCount(total)})
      </h3>
      <ul className="mt-1 divide-y divide-line text-[0.9375rem] wrap-anywhere">{children}</ul>
      {total > children.length && (
        <p className="mt-2 text-sm text-quiet">
          And {formatCount(total - children.length)} more, which are not listed.
        </p>
      )}
    </section>
  )
}

function Change({ change }: { change: SyncChange }) {
  const { name, zipCode, wordpress_id, provider_id } = change
  return (
    <li className="py-2">
      <p>
        {provider_id === null ? (
          <span className="font-semibold text-ink">{name}</span>
        ) : (
          <ProviderLink
            id={provider_id}
            className="inline-block min-h-6 font-semibold text-ink underline decoration-edge underline-offset-3 hover:text-secondary"
          >
            {name}
          </ProviderLink>
        )}{' '}
        <span className="text-quiet">
          {zipCode}, post {wordpress_id}
        </span>
      </p>
      <ChangedFields change={change} />
    </li>
  )
}

export function SyncedClinic({ change }: { change: SyncChange }) {
  return (
    <>
      <p className="font-semibold text-ink">{CHANGES[change.kind].done} by a sync</p>
      <ChangedFields change={change} />
    </>
  )
}

function ChangedFields({ change: { kind, reason, fields, moved_miles, recipient } }: { change: SyncChange }) {
  return (
    <>
      {reason && <p>{REASONS[reason]}</p>}
      {moved_miles !== undefined && <p>{moved_miles === null ? 'Moved.' : `Moved by ${milesInWords(moved_miles)}.`}</p>}
      {fields.map(({ field, from, to }) => (
        <p key={field} className="text-sm">
          <span className="text-quiet">{fieldName(field)}: </span>
          <span className="sr-only">from </span>
          <del className="text-quiet decoration-edge">{valueText(from)}</del> <span aria-hidden="true">→ </span>
          <span className="sr-only">to </span>
          <ins className="text-ink no-underline">{valueText(to)}</ins>
        </p>
      ))}
      {recipient && (
        <p className="text-sm text-quiet">
          {kind === 'create' ? `${recipient} is asked by email to confirm. ` : `${recipient} is notified by email. `}
          {kind === 'create'
            ? 'It gets no leads before that, or before a manager activates it.'
            : fields.some(({ field }) => field === 'email') && 'The new address waits for confirmation.'}
        </p>
      )}
    </>
  )
}
