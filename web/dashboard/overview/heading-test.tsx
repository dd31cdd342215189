import type { Experiment } from '../../../core/contract/page-views.ts'
import { formatIsoDay } from '../../lib/dates.ts'
import { countOf, formatCount, formatShare } from '../../lib/numbers.ts'
import { ChartCard, DataTable } from './parts.tsx'
import { NONE } from './stages.ts'

/** Shows the original heading of the home page beside another one, and what may be concluded. */
export function HeadingTest({ experiment }: { experiment: Experiment }) {
  const { heading, isRunning, from, to, variants, isSplitUneven } = experiment
  const rows = [
    { key: 'original', name: 'The original', ...variants.original },
    { key: 'other', name: `“${heading}”`, ...variants.other },
  ]
  const days = `${formatIsoDay(from)} to ${formatIsoDay(to)}`
  return (
    <ChartCard
      title="Test of two headings"
      note={`Page loads of the home page that began with each heading and ended in a sent form, ${isRunning ? `since ${formatIsoDay(from)}` : `${days}; the test has ended`}. It does not follow the period above.`}
    >
      {isSplitUneven && (
        <p role="note" className="mb-4 rounded-xl border border-wait-bright px-4 py-3 text-ink">
          <strong>Do not trust this result:</strong> one heading was counted so much more often than the other that
          chance does not explain it. Something loses page loads of one of them.
        </p>
      )}
      <DataTable
        caption="Two headings"
        columns={[
          { name: 'Heading', isLong: true },
          ...['Page loads', 'Sent', 'Share'].map((name) => ({ name, isNumber: true })),
        ]}
        rows={rows.map(({ key, name, seen, submitted, share }) => ({
          key,
          cells: [name, formatCount(seen), formatCount(submitted), share === null ? NONE : formatShare(share)],
        }))}
      />
      <p className="mt-4 font-semibold text-ink">{verdict(experiment)}</p>
      <p className="mt-1 max-w-prose text-[0.9375rem] text-quiet">{intervalWords(experiment)}</p>
      <p className="mt-1 max-w-prose text-[0.9375rem] text-quiet">{planWords(experiment)}</p>
    </ChartCard>
  )
}

function verdict({ isComplete, isSplitUneven, difference }: Experiment): string {
  if (!isComplete || difference === null) return 'Not enough data yet.'
  if (isSplitUneven) return 'No result: the split is uneven.'
  if (difference.from > 0) return 'The other heading is better.'
  if (difference.to < 0) return 'The original is better.'
  return 'No difference was found.'
}

/** Returns a difference of shares in percentage points, with its sign. */
const points = (share: number) =>
  `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(2)}`.replace(/^[−+]0\.00$/, '0.00')

function intervalWords({ difference }: Experiment): string {
  if (difference === null) return 'Both headings must be seen before they can be compared.'
  const { share, from, to } = difference
  return `The other heading minus the original: ${points(share)} percentage points, 95% interval ${points(from)} to ${points(to)} (Newcombe). The interval is valid for one look, at the planned number of page loads. If you look earlier and stop when it looks good, you find differences that are not there.`
}

function planWords({ planned: { perVariant, baseline, isMeasured } }: Experiment): string {
  const before = isMeasured
    ? `the ${formatShare(baseline)} of the four weeks before`
    : `${formatShare(baseline)}, which is assumed because too little was counted before`
  return `Planned: ${countOf(perVariant, 'page load')} of each heading. With them, four of five tests find a change by a fifth of ${before}.`
}
