import type { Vital, VitalSummary } from '../../../core/contract/page-views.ts'
import { countOf, formatCount, formatDuration, formatShare } from '../../lib/numbers.ts'
import { Badge } from '../../ui/badge.tsx'
import { DEVICE_WORDS, PAGE_WORDS } from './page-view-words.ts'
import { ChartCard, DataTable } from './parts.tsx'

/** The vitals in words, with the highest value that Google calls good. */
const VITAL_WORDS: Record<Vital, { name: string; short: string; good: string }> = {
  lcp: { name: 'Largest element shown', short: 'LCP', good: '2.5 s' },
  inp: { name: 'Answer to a touch or key', short: 'INP', good: '200 ms' },
  cls: { name: 'Shift of the layout', short: 'CLS', good: '0.1' },
  ttfb: { name: 'First byte', short: 'TTFB', good: '800 ms' },
}

const TONES = { good: 'good', 'needs improvement': 'wait', poor: 'bad' } as const

/** Shows how fast the pages were for visitors, by Google's web vitals. */
export function Speed({ vitals }: { vitals: VitalSummary[] }) {
  if (vitals.length === 0) {
    return (
      <ChartCard title="Speed of the site">
        <p className="text-quiet">No visit of this period has told how fast its page was.</p>
      </ChartCard>
    )
  }
  return (
    <ChartCard title="Speed of the site" note={<Note />} table={<SpeedTable vitals={vitals} />}>
      <ul className="grid gap-4">
        {vitals
          .filter(({ page, device }) => page === null && device === null)
          .map((summary) => (
            <li key={summary.vital}>
              <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
                <p className="font-semibold text-ink">
                  {VITAL_WORDS[summary.vital].name} ({VITAL_WORDS[summary.vital].short}): {percentile(summary)}
                </p>
                <Badge tone={TONES[summary.rating]}>{summary.rating}</Badge>
              </div>
              <p className="text-sm text-quiet">
                Good up to {VITAL_WORDS[summary.vital].good}: {formatShare(summary.good / summary.count)} of{' '}
                {countOf(summary.count, 'page load')}. Poor: {formatShare(summary.poor / summary.count)}.
              </p>
            </li>
          ))}
      </ul>
    </ChartCard>
  )
}

function Note() {
  return (
    <>
      Three of four page loads were at least this fast. Ratings by{' '}
      <a
        href="https://web.dev/articles/vitals"
        className="underline decoration-edge underline-offset-3 hover:text-secondary"
      >
        Google’s web vitals
      </a>
      , at the end of a bucket. The table has each page and device.
    </>
  )
}

/** Returns the 75th percentile, such as `at most 2.5 s`. */
function percentile({ vital, p75, isAbove }: VitalSummary): string {
  return `${isAbove ? 'above' : 'at most'} ${vital === 'cls' ? p75 : formatDuration(p75)}`
}

function SpeedTable({ vitals }: { vitals: VitalSummary[] }) {
  const groupOf = ({ page, device }: VitalSummary) =>
    page ? PAGE_WORDS[page] : device ? DEVICE_WORDS[device] : 'All page loads'
  return (
    <DataTable
      caption="Speed by page and device"
      columns={[
        { name: 'Vital' },
        { name: 'Page or device', isLong: true },
        { name: 'Three of four' },
        { name: 'Rating' },
        ...['Page loads', 'Good', 'Needs improvement', 'Poor'].map((name) => ({ name, isNumber: true })),
      ]}
      rows={vitals.map((summary) => ({
        key: `${summary.vital} ${summary.page} ${summary.device}`,
        cells: [
          VITAL_WORDS[summary.vital].short,
          groupOf(summary),
          percentile(summary),
          summary.rating,
          formatCount(summary.count),
          ...[summary.good, summary.needsImprovement, summary.poor].map((part) => formatShare(part / summary.count)),
        ],
      }))}
    />
  )
}
