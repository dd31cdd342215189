import { useState } from 'react'
import {
  MAX_CAMPAIGNS,
  OTHER_SOURCE,
  type PageViewGroup,
  type PageViews,
  TWO_STEP_PAGES,
} from '../../../core/contract/page-views.ts'
import { formatCount, formatShare } from '../../lib/numbers.ts'
import { DEVICE_WORDS, FAULT_WORDS, faultsOf, PAGE_WORDS } from './page-view-words.ts'
import { ChartCard, DataTable } from './parts.tsx'
import { NONE } from './stages.ts'

const DIMENSIONS = { page: 'Page', device: 'Device', campaign: 'Campaign' } as const
type Dimension = keyof typeof DIMENSIONS
type Row = PageViewGroup & { name: string; hasZipStep: boolean }

/** Shows the steps of visitors by page, device and campaign. */
export function VisitorGroups({ views }: { views: PageViews }) {
  const [dimension, setDimension] = useState<Dimension>('page')
  const rows = rowsOf(views, dimension).filter(({ steps }) => steps.seen > 0)

  return (
    <ChartCard title="Visitors by page, device and campaign" note={noteOf(views, dimension)}>
      <fieldset className="mb-4 flex w-fit flex-wrap rounded-[1.375rem] border border-edge bg-background p-1">
        <legend className="sr-only">Group visitors by</legend>
        {(Object.keys(DIMENSIONS) as Dimension[]).map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === dimension}
            onClick={() => setDimension(each)}
            className="min-h-8 rounded-md px-3.5 text-sm font-semibold text-ink transition-colors hover:bg-mist aria-pressed:bg-primary aria-pressed:text-background"
          >
            {DIMENSIONS[each]}
          </button>
        ))}
      </fieldset>
      <DataTable
        caption={`Visitors by ${dimension}`}
        columns={[
          { name: DIMENSIONS[dimension], isLong: true },
          ...['Saw', 'Started', 'Of saw', 'Zip accepted', 'Sent', 'Of started', 'Of all'].map((name) => ({
            name,
            isNumber: true,
          })),
          { name: 'Refused most for', isLong: true },
        ]}
        rows={rows.map((row) => ({ key: row.name, cells: cellsOf(row) }))}
      />
    </ChartCard>
  )
}

function noteOf({ totalCampaigns }: PageViews, dimension: Dimension): string {
  if (dimension === 'page') return 'The zip code is a step of its own on some pages only.'
  if (dimension === 'device') return 'By the width of the window: below 768 px, below 1024 px, and wider.'
  const cut =
    totalCampaigns > MAX_CAMPAIGNS
      ? ` The ${formatCount(MAX_CAMPAIGNS)} with the most views of ${formatCount(totalCampaigns)}.`
      : ''
  return `As the address of the visit names it. ${formatCount(MAX_CAMPAIGNS)} of a day are counted apart, the others together.${cut}`
}

function rowsOf({ pages, devices, campaigns }: PageViews, dimension: Dimension): Row[] {
  switch (dimension) {
    case 'page':
      return pages.map((row) => ({ ...row, name: PAGE_WORDS[row.page], hasZipStep: TWO_STEP_PAGES.includes(row.page) }))
    case 'device':
      return devices.map((row) => ({ ...row, name: DEVICE_WORDS[row.device], hasZipStep: true }))
    case 'campaign':
      return campaigns.map((row) => ({ ...row, name: campaignName(row), hasZipStep: true }))
  }
}

function campaignName({ source, campaign }: PageViews['campaigns'][number]): string {
  if (source === OTHER_SOURCE) return 'Other campaigns'
  return campaign === null ? (source ?? 'Direct') : `${campaign} (${source ?? 'Direct'})`
}

function cellsOf(row: Row): string[] {
  const { seen, started, zip_accepted, submitted } = row.steps
  const share = (count: number, of: number) => (of === 0 ? NONE : formatShare(count / of))
  const [fault] = faultsOf(row)
  return [
    row.name,
    formatCount(seen),
    formatCount(started),
    share(started, seen),
    row.hasZipStep ? formatCount(zip_accepted) : NONE,
    formatCount(submitted),
    share(submitted, started),
    share(submitted, seen),
    fault ? `${FAULT_WORDS[fault]} (${formatCount(row.faults[fault])})` : NONE,
  ]
}
