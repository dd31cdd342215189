import type { Overview } from '../../../core/contract/overview.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { Badge } from '../../ui/badge.tsx'
import { ChartCard } from './chart-card.tsx'
import { DataTable } from './data-table.tsx'
import { ShareBar } from './share-bar.tsx'

type Failure = Overview['failures'][number]

const KINDS = { email: 'E-mail', crm: 'CRM' } as const

const countIn = ({ failed, retrying }: Failure) => failed + retrying

/** What goes wrong, the most frequent first, and what mends it. */
export function Failures({ failures }: { failures: Failure[] }) {
  const most = Math.max(0, ...failures.map(countIn))

  if (failures.length === 0) {
    return (
      <ChartCard title="Failures by cause">
        <p className="text-quiet">Nothing has failed in this period.</p>
      </ChartCard>
    )
  }
  return (
    <ChartCard title="Failures by cause" table={<FailuresTable failures={failures} />}>
      <ul className="grid gap-5">
        {failures.map((failure) => (
          <li key={`${failure.kind} ${failure.cause}`}>
            <div className="flex items-baseline justify-between gap-4">
              <p className="min-w-0 font-semibold text-ink">
                <Badge>{KINDS[failure.kind]}</Badge> {failure.words}
              </p>
              <p className="shrink-0 text-right text-sm tabular-nums">{outcome(failure)}</p>
            </div>
            <div className="my-1.5">
              <ShareBar share={countIn(failure) / most} />
            </div>
            <p className="text-[0.9375rem] text-quiet">{failure.advice}</p>
          </li>
        ))}
      </ul>
    </ChartCard>
  )
}

function outcome({ failed, retrying }: Failure): string {
  const parts = [failed > 0 && `${formatCount(failed)} failed`, retrying > 0 && `${formatCount(retrying)} trying again`]
  return parts.filter(Boolean).join(', ')
}

function FailuresTable({ failures }: { failures: Failure[] }) {
  return (
    <DataTable
      caption={`Failures by ${countOf(failures.length, 'cause')}`}
      columns={[
        { name: 'Cause' },
        { name: 'Delivery' },
        { name: 'Failed', isNumber: true },
        { name: 'Trying again', isNumber: true },
        { name: 'What to do', isLong: true },
      ]}
      rows={failures.map(({ kind, cause, words, failed, retrying, advice }) => ({
        key: `${kind} ${cause}`,
        cells: [words, KINDS[kind], formatCount(failed), formatCount(retrying), advice],
      }))}
    />
  )
}
