import { Fragment } from 'react'
import { DELIVERY_WORDS } from '../../../core/contract/failure-causes.ts'
import type { LeadFilter } from '../../../core/contract/leads.ts'
import type { Overview } from '../../../core/contract/overview.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { Badge } from '../../ui/badge.tsx'
import { ProviderLink } from '../provider-link.tsx'
import { ChartCard, LeadsLink, ShareBar, TOUCHABLE } from './parts.tsx'

type Failure = Overview['failures'][number]
type Period = Pick<Overview, 'from' | 'to'>

const countIn = ({ failed, retrying }: Failure) => failed + retrying

/** Lists the causes of failed deliveries, most frequent first, with their remedies. */
export function Failures({ failures, period }: { failures: Failure[]; period: Period }) {
  const most = Math.max(0, ...failures.map(countIn))

  if (failures.length === 0) {
    return (
      <ChartCard title="Failures by cause">
        <p className="text-quiet">Nothing has failed in this period.</p>
      </ChartCard>
    )
  }
  return (
    <ChartCard title="Failures by cause">
      <ul className="grid gap-5">
        {failures.map((failure) => (
          <li key={`${failure.target} ${failure.cause}`}>
            <div className="flex items-baseline justify-between gap-4">
              <p className="min-w-0 font-semibold text-ink">
                <Badge>{DELIVERY_WORDS[failure.target]}</Badge> {failure.words}
              </p>
              <p className="shrink-0 text-right text-sm tabular-nums">
                <LeadsLink filter={leadsOf(failure, period)} className={TOUCHABLE}>
                  {outcome(failure)}
                </LeadsLink>
              </p>
            </div>
            <div className="my-1.5">
              <ShareBar share={countIn(failure) / most} />
            </div>
            <Clinics failure={failure} period={period} />
            <p className="text-[0.9375rem] text-quiet">{failure.advice}</p>
          </li>
        ))}
      </ul>
    </ChartCard>
  )
}

/** Returns the filter of exactly the counted leads. */
const leadsOf = ({ target, cause }: Failure, { from, to }: Period): LeadFilter => ({ target, cause, from, to })

/** Lists the clinics whose e-mails failed, as in `Lindqvist Clinic 9, Whitfield 7, Chen 6 and 2 more`. */
function Clinics({ failure, period }: { failure: Failure; period: Period }) {
  const { target, topClinics, clinics } = failure
  if (clinics === 0) return null
  const rest = clinics - topClinics.length
  return (
    <p className="mb-1 text-[0.9375rem] text-ink">
      {topClinics.map(({ id, name, leads }, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <ProviderLink id={id}>{name}</ProviderLink>{' '}
          {/* Leads are listed by the clinic that has them, not by one that had them before. */}
          {target === 'clinic' ? (
            <LeadsLink
              filter={{ ...leadsOf(failure, period), provider_id: id }}
              label={`${countOf(leads, 'lead')} of ${name}`}
              className={`${TOUCHABLE} min-w-6`}
            >
              {formatCount(leads)}
            </LeadsLink>
          ) : (
            formatCount(leads)
          )}
        </Fragment>
      ))}
      {rest > 0 && ` and ${formatCount(rest)} more`}
    </p>
  )
}

function outcome({ failed, retrying }: Failure): string {
  const parts = [failed > 0 && `${formatCount(failed)} failed`, retrying > 0 && `${formatCount(retrying)} retrying`]
  return parts.filter(Boolean).join(', ')
}
