import { Link } from 'react-router-dom'
import type { SyncCounts, SyncRun } from '../../../core/contract/sync.ts'
import { formatMoment, formatSince } from '../../lib/dates.ts'
import { formatCount } from '../../lib/numbers.ts'
import { Badge } from '../../ui/badge.tsx'
import { Cell, Row } from '../../ui/table.tsx'
import { Approval } from './approval.tsx'
import { isCounted, progressOf, starterOf, stateOf } from './words.ts'

export const COLUMNS = [
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

/** One run in the table. Its address opens it. */
export function RunRow({ run, search }: { run: SyncRun; search: string }) {
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
