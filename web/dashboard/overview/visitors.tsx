import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  getPageViews,
  type PageViewGroup,
  type PageViews,
  TWO_STEP_PAGES,
  VISIT_STEPS,
  type VisitStep,
} from '../../../core/contract/page-views.ts'
import { call } from '../../lib/call.ts'
import { type Days, formatIsoDay } from '../../lib/dates.ts'
import { countOf, formatCount, formatShare } from '../../lib/numbers.ts'
import { LoadError } from '../../ui/load-error.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { HeadingTest } from './heading-test.tsx'
import { FAULT_WORDS, faultsOf, STEP_WORDS } from './page-view-words.ts'
import { ChartCard, DataTable, ShareBar } from './parts.tsx'
import { Speed } from './speed.tsx'
import { NONE } from './stages.ts'
import { VisitorGroups } from './visitor-groups.tsx'

/** Shows where visitors leave the pages with a lead form, how fast these are, and the test of two headings. */
export function Visitors({ days }: { days: Days }) {
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: ['overview', 'page-views', days],
    queryFn: () => call(getPageViews, { query: days }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  })

  return (
    <>
      <LoadError fallback="Failed to load the visitors to the site" {...{ error, isFetching }} onRetry={refetch} />
      {!data && !error && <Skeleton className="h-96 w-full" />}
      {data && (
        <div aria-busy={isPlaceholderData} className="grid gap-5 transition-opacity aria-busy:opacity-60">
          <div className="grid items-start gap-5 xl:grid-cols-2">
            <Steps views={data} />
            <Speed vitals={data.vitals} />
          </div>
          {data.all.steps.seen > 0 && <VisitorGroups views={data} />}
          {data.experiment && <HeadingTest experiment={data.experiment} />}
        </div>
      )}
    </>
  )
}

const TITLE = 'Visitors to the site'

function Steps({ views }: { views: PageViews }) {
  const { all, pages } = views
  if (all.steps.seen === 0) {
    return (
      <ChartCard title={TITLE}>
        <p className="text-quiet">{emptyWords(views)}</p>
      </ChartCard>
    )
  }
  const twoSteps = pages.filter(({ page }) => TWO_STEP_PAGES.includes(page))
  return (
    <ChartCard title={TITLE} note={noteOf(views)} table={<StepsTable views={views} />}>
      <ol className="grid gap-4">
        <Step name={STEP_WORDS.seen} count={all.steps.seen} of={all.steps.seen} />
        <Step name={STEP_WORDS.started} count={all.steps.started} of={all.steps.seen} before={all.steps.seen} />
        <Step name={STEP_WORDS.submitted} count={all.steps.submitted} of={all.steps.seen} before={all.steps.started} />
      </ol>
      <TwoSteps started={sum(twoSteps, 'started')} accepted={sum(twoSteps, 'zip_accepted')} />
      <Faults faults={all.faults} />
      <p className="mt-4 text-[0.9375rem] text-quiet">{leadWords(views)}</p>
    </ChartCard>
  )
}

const sum = (groups: PageViewGroup[], step: VisitStep) => groups.reduce((total, { steps }) => total + steps[step], 0)

function emptyWords({ isOn, since }: PageViews): string {
  if (!isOn) return 'Page views are not counted: PAGE_VIEWS is off.'
  if (since === null) return 'No visitor has been counted yet. Counting begins with the next one.'
  return `No visitor was counted in this period. The first count is of ${formatIsoDay(since)}.`
}

function noteOf({ isOn, since, from }: PageViews): string {
  const began = since !== null && since > from ? ` Counted since ${formatIsoDay(since)}.` : ''
  const ended = isOn ? '' : ' Counting is off now (PAGE_VIEWS).'
  return `Views of pages with a lead form, not people: no cookie, no person. Not counted: browsers without JavaScript, with Do Not Track or Global Privacy Control, and robots.${began}${ended}`
}

function leadWords({ leads, all }: PageViews): string {
  return `${countOf(leads, 'lead')} came in these days, and ${countOf(all.steps.submitted, 'sent form')} ${all.steps.submitted === 1 ? 'was' : 'were'} counted. They differ by the visitors who are not counted, by leads that staff entered or deleted, and by forms sent twice.`
}

type StepProps = { name: string; count: number; of: number; before?: number }

function Step({ name, count, of, before }: StepProps) {
  return (
    <li>
      <div className="flex items-baseline justify-between gap-4">
        <p className="font-semibold text-ink">{name}</p>
        <p className="text-sm tabular-nums">
          {formatCount(count)}
          {before !== undefined && `, ${formatShare(count / of)} of all`}
        </p>
      </div>
      <div className="my-1">
        <ShareBar share={count / of} />
      </div>
      {before !== undefined && (
        <p className="text-sm text-quiet">
          {before === 0
            ? 'Nobody came as far as the step before.'
            : `${formatShare(count / before)} went on; ${formatCount(before - count)} left before.`}
        </p>
      )}
    </li>
  )
}

function TwoSteps({ started, accepted }: { started: number; accepted: number }) {
  if (started === 0) return null
  return (
    <p className="mt-4 text-[0.9375rem] text-ink">
      Where the zip code comes first: {formatCount(accepted)} of {formatCount(started)} who started (
      {formatShare(accepted / started)}) had it accepted.
    </p>
  )
}

/** Lists what forms were refused for, most frequent first. */
function Faults({ faults }: Pick<PageViewGroup, 'faults'>) {
  const found = faultsOf({ faults })
  if (found.length === 0) return <p className="mt-4 text-[0.9375rem] text-quiet">No form was refused.</p>
  return (
    <div className="mt-4">
      <h3 className="font-semibold text-ink">Refused at least once for</h3>
      <ul className="mt-1 grid gap-x-8 text-[0.9375rem] sm:grid-cols-2">
        {found.map((fault) => (
          <li key={fault} className="flex justify-between gap-4 border-b border-line py-1">
            <span>{FAULT_WORDS[fault]}</span>
            <span className="tabular-nums">{formatCount(faults[fault])}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function StepsTable({ views: { all } }: { views: PageViews }) {
  const { seen } = all.steps
  return (
    <DataTable
      caption="Page views by step"
      columns={[{ name: 'Step' }, { name: 'Page views', isNumber: true }, { name: 'Of all', isNumber: true }]}
      rows={[
        ...VISIT_STEPS.map((step) => ({
          key: step,
          cells: [STEP_WORDS[step], formatCount(all.steps[step]), formatShare(all.steps[step] / seen)],
        })),
        ...faultsOf(all).map((fault) => ({
          key: `fault ${fault}`,
          cells: [`Refused: ${FAULT_WORDS[fault]}`, formatCount(all.faults[fault]), NONE],
        })),
      ]}
    />
  )
}
