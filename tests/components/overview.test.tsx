import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { answer } from './api.ts'
import { overview } from './overview-samples.ts'
import { emptyDashboard, openDashboard, rowsOf } from './page.tsx'

const TAB = '/admin?tab=overview'
const PERIOD = 'from=2026-11-01&to=2026-11-02'
beforeEach(() => {
  emptyDashboard()
  answer('GET /api/overview', overview())
})

const card = async (name: string) => within(await screen.findByRole('region', { name }))
type Card = Awaited<ReturnType<typeof card>>
const textsOf = (elements: Iterable<Element>) => [...elements].map(({ textContent }) => textContent)
const linksOf = (region: Card) =>
  region.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')?.replace('/admin?tab=', '')])

async function openAsTable(title: string) {
  const user = await openDashboard(TAB)
  const chart = await card(title)
  await user.click(chart.getByRole('button', { name: 'Show as table' }))
  chart.getByRole('button', { name: 'Show as chart' })
  return { chart, table: chart.getByRole('table') }
}

describe('the overview', () => {
  it('says how the period went, and leads to the leads that it counts', async () => {
    await openDashboard(TAB)
    await screen.findByText('Leads received')
    expect(textsOf(document.querySelectorAll('main dl > div'))).toEqual([
      'Leads received311 held for review',
      'Matched with a provider90%27 matched, 3 unmatched',
      'Emails delivered92.6%2 failed, 0 under way',
      'Leads in the CRM100%0 failed, 0 under way',
    ])
    expect(linksOf(within(document.querySelector('main dl') as HTMLElement))).toEqual([
      ['1 held for review', `leads&held=true&${PERIOD}`],
      ['3 unmatched', `leads&unmatched=true&${PERIOD}`],
      ['2 failed', `leads&email_status=failed&${PERIOD}`],
    ])
  })

  it('has a table of the leads of each day, the last one first', async () => {
    const { chart, table } = await openAsTable('Leads per day')
    expect(textsOf(within(table).getAllByRole('rowheader'))).toEqual(['Mon, Nov 2, 2026', 'Sun, Nov 1, 2026'])
    expect(rowsOf(table).map((cells) => cells.join())).toEqual(['30,26,3,1', '1,1,0,0'])
    for (const kind of ['Matched', 'Unmatched', 'Held']) chart.getByRole('columnheader', { name: kind })
  })

  it('says where a clinic is missing, in words and in a list', async () => {
    await openDashboard(TAB)
    const missing = await card('Where to recruit')
    missing.getByText(
      'Leads with no provider in reach came from 2 zip codes. A provider near Boise, ID would have covered most of them: 2 leads; the nearest provider is 1,234 miles away.',
    )
    missing.getByText('83702, nearest provider 1,234 miles away; of these 1 was matched by hand, 183 miles')
    missing.getByText('Zip code 99901')
  })

  it('says what became of the leads by stage beside the period before, and leads to each outcome', async () => {
    const user = await openDashboard(TAB)
    const stages = await card('Outcomes of the leads')
    const link = stages.getByRole('link', { name: '3 booked' })
    expect(link.getAttribute('href')).toBe(`/admin?tab=leads&outcome=booked&${PERIOD}`)
    stages.getByText('By current outcome, compared with Oct 30, 2026 to Oct 31, 2026.')
    await user.click(stages.getByRole('button', { name: 'Show as table' }))
    expect(rowsOf(stages.getByRole('table')).map((cells) => cells.join(' '))).toEqual([
      ...['31 100% 20 29 20', '25 80.6% 19 24 19', '20 64.5% 15 19 15'],
      ...['12 38.7% 9 12 9', '8 25.8% 5 8 5', '4 12.9% 2 4 2'],
    ])
  })

  it('shows the groups, each with a link to its leads', async () => {
    const user = await openDashboard(TAB)
    const groups = await card('Funnel by provider, source, campaign and state')
    const heads = () => textsOf(groups.getAllByRole('rowheader'))
    expect(heads()).toHaveLength(10)
    expect(heads().at(-1)).toBe('No provider')
    const link = (name: string | RegExp) => groups.getByRole('link', { name }).getAttribute('href')
    expect(link(/: No provider$/)).toBe(`/admin?tab=leads&unmatched=true&${PERIOD}`)
    expect(link('2 leads: Clinic 7')).toBe(`/admin?tab=leads&provider_id=8&${PERIOD}`)
    await user.click(groups.getByRole('button', { name: 'Campaign' }))
    groups.getByText('No leads with a campaign in this period.')
  })
})

describe('the period of the overview', () => {
  it('keeps both days when they are filled in at once', async () => {
    const asked = answer('GET /api/overview', overview())
    await openDashboard(TAB)
    await screen.findByText('Leads received')
    // One render for both.
    act(() => {
      fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-09-13' } })
      fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-10-03' } })
    })
    await waitFor(() => expect(asked.at(-1)?.query).toEqual({ from: '2026-09-13', to: '2026-10-03' }))
    await waitFor(() => expect(window.location.search).toBe('?tab=overview&from=2026-09-13&to=2026-10-03'))
  })
})
