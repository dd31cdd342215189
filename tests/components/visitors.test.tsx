import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Experiment } from '../../core/contract/page-views.ts'
import { answer, refusal } from './api.ts'
import { experiment, group, overview, pageViews, vital } from './overview-samples.ts'
import { emptyDashboard, openDashboard, rowsOf } from './page.tsx'

const TAB = '/admin?tab=overview'
const card = async (name: string) => within(await screen.findByRole('region', { name }))

beforeEach(() => {
  emptyDashboard()
  answer('GET /api/overview', overview())
})

describe('the visitors to the site', () => {
  it('are shown by how far they came, where they left, and beside the leads', async () => {
    await openDashboard(TAB)
    const visitors = await card('Visitors to the site')
    expect(visitors.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Saw a form1,000',
      'Started it200, 20% of all20% went on; 800 left before.',
      'Sent it25, 2.5% of all12.5% went on; 175 left before.',
      'Consent not given12',
      'E-mail7',
    ])
    visitors.getByText('Where the zip code comes first: 80 of 100 who started (80%) had it accepted.')
    visitors.getByText(/^31 leads came in these days, and 25 sent forms were counted\./)
    visitors.getByText(/no cookie, no person\. Not counted: browsers without JavaScript, with Do Not Track/)
  })

  it('are shown as a table, too', async () => {
    const user = await openDashboard(TAB)
    const visitors = await card('Visitors to the site')
    await user.click(visitors.getByRole('button', { name: 'Show as table' }))
    expect(rowsOf(visitors.getByRole('table'))).toEqual([
      ['1,000', '100%'],
      ['200', '20%'],
      ['80', '8%'],
      ['25', '2.5%'],
      ['12', '–'],
      ['7', '–'],
    ])
  })

  it('are asked for by the period of the overview', async () => {
    const made = answer('GET /api/page-views', pageViews())
    await openDashboard(`${TAB}&from=2026-11-01&to=2026-11-02`)
    await card('Visitors to the site')
    expect(made.map(({ query }) => query)).toEqual([{ from: '2026-11-01', to: '2026-11-02' }])
  })

  it('are shown in a period without leads', async () => {
    const totals = { received: 0, matched: 0, unmatched: 0, held: 0, matchedShare: null }
    answer('GET /api/overview', overview({ totals }))
    await openDashboard(TAB)
    await card('Visitors to the site')
  })

  it.each([
    [{ since: null }, 'No visitor has been counted yet. Counting begins with the next one.'],
    [{}, 'No visitor was counted in this period. The first count is of Oct 1, 2026.'],
    [{ isOn: false, since: null }, 'Page views are not counted: PAGE_VIEWS is off.'],
  ])('are told to be none: %j', async (overrides, words) => {
    const none = { all: group([0, 0, 0, 0]), vitals: [], campaigns: [], totalCampaigns: 0 }
    answer('GET /api/page-views', pageViews({ ...none, ...overrides }))
    await openDashboard(TAB)
    ;(await card('Visitors to the site')).getByText(words)
    ;(await card('Speed of the site')).getByText('No visit of this period has told how fast its page was.')
    expect(screen.queryByRole('region', { name: 'Visitors by page, device and campaign' })).toBeNull()
  })

  it('are told to be counted since a day in the period, and no longer', async () => {
    answer('GET /api/page-views', pageViews({ since: '2026-11-02', isOn: false }))
    await openDashboard(TAB)
    const visitors = await card('Visitors to the site')
    visitors.getByText(/Counted since Nov 2, 2026\. Counting is off now \(PAGE_VIEWS\)\.$/)
  })

  it('say that they could not be loaded, and try again', async () => {
    answer('GET /api/page-views', refusal(503, { error: 'The database is away.', code: 'unavailable' }))
    const user = await openDashboard(TAB)
    await screen.findByText('503: The database is away.')
    answer('GET /api/page-views', pageViews())
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await card('Visitors to the site')
  })
})

describe('groups of visitors', () => {
  it('are pages, devices or campaigns, without those without views', async () => {
    const user = await openDashboard(TAB)
    const groups = await card('Visitors by page, device and campaign')
    const heads = () => groups.getAllByRole('rowheader').map(({ textContent }) => textContent)
    expect(heads()).toEqual(['Home', 'Get started'])
    expect(rowsOf(groups.getByRole('table'))).toEqual([
      ['700', '100', '14.3%', '–', '10', '10%', '1.4%', 'Consent not given (12)'],
      ['300', '100', '33.3%', '80', '15', '15%', '5%', 'E-mail (7)'],
    ])
    await user.click(groups.getByRole('button', { name: 'Device' }))
    expect(heads()).toEqual(['Phone', 'Desktop'])
    await user.click(groups.getByRole('button', { name: 'Campaign' }))
    expect(heads()).toEqual(['fall (google)', 'Direct', 'Other campaigns'])
  })
})

describe('the speed of the site', () => {
  it('is said by vital with its rating, and in the table by page and device', async () => {
    answer(
      'GET /api/page-views',
      pageViews({ vitals: [vital(), vital({ page: 'home', p75: 12_000, isAbove: true, rating: 'poor' })] }),
    )
    const user = await openDashboard(TAB)
    const speed = await card('Speed of the site')
    speed.getByText('Largest element shown (LCP): at most 1.8 s')
    speed.getByText('good')
    speed.getByText('Good up to 2.5 s: 85% of 200 page loads. Poor: 5%.')
    await user.click(speed.getByRole('button', { name: 'Show as table' }))
    expect(rowsOf(speed.getByRole('table'))).toEqual([
      ['All page loads', 'at most 1.8 s', 'good', '200', '85%', '10%', '5%'],
      ['Home', 'above 12 s', 'poor', '200', '85%', '10%', '5%'],
    ])
  })
})

describe('the test of two headings', () => {
  const shown = async (overrides: Partial<Experiment> = {}) => {
    answer('GET /api/page-views', pageViews({ experiment: experiment(overrides) }))
    await openDashboard(TAB)
    return card('Test of two headings')
  }

  it('is not shown without one', async () => {
    await openDashboard(TAB)
    await card('Visitors to the site')
    expect(screen.queryByRole('region', { name: 'Test of two headings' })).toBeNull()
  })

  it('says how each did, the interval, what was planned, and that it is too early', async () => {
    const test = await shown()
    expect(rowsOf(test.getByRole('table'))).toEqual([
      ['2,000', '60', '3%'],
      ['1,990', '80', '4%'],
    ])
    expect(test.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
      'The original',
      '“Results you can measure.”',
    ])
    test.getByText('Not enough data yet.')
    test.getByText(
      /\+1\.02 percentage points, 95% interval −0\.12 to \+2\.18 \(Newcombe\)\. The interval is valid for one look/,
    )
    test.getByText(/^Planned: 13,914 page loads of each heading\..* by a fifth of 3%, which is assumed/)
    expect(test.queryByRole('note')).toBeNull()
  })

  const better = { share: 0.01, from: 0.002, to: 0.018 }
  it.each<[string, Partial<Experiment>]>([
    ['The other heading is better.', { difference: better }],
    ['The original is better.', { difference: { share: -0.01, from: -0.018, to: -0.002 } }],
    ['No difference was found.', { difference: { share: 0.01, from: -0.001, to: 0.02 } }],
    ['No result: the split is uneven.', { difference: better, isSplitUneven: true }],
  ])('ends at the planned number: %s', async (words, overrides) => {
    ;(await shown({ isComplete: true, ...overrides })).getByText(words)
  })

  it('warns of an uneven split', async () => {
    const note = (await shown({ isSplitUneven: true })).getByRole('note')
    expect(note.textContent).toMatch(/^Do not trust this result/)
  })

  it('says that it has ended', async () => {
    const test = await shown({ isRunning: false })
    test.getByText(/Nov 1, 2026 to Nov 20, 2026; the test has ended/)
  })
})
