import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { answer, refusal } from './api.ts'
import { funnel, overview } from './overview-samples.ts'
import { emptyDashboard, openDashboard, rowsOf } from './page.tsx'

const TAB = '/admin?tab=overview'
const PERIOD = 'from=2026-11-01&to=2026-11-02'
const card = async (name: string) => within(await screen.findByRole('region', { name }))

beforeEach(() => {
  emptyDashboard()
  answer('GET /api/overview', overview())
})

describe('what became of the leads', () => {
  it('is said by stage beside the period before, as a table', async () => {
    const user = await openDashboard(TAB)
    const stages = await card('What became of the leads')
    stages.getByText('By their present outcome, beside Oct 30, 2026 to Oct 31, 2026.')
    await user.click(stages.getByRole('button', { name: 'Show as table' }))
    expect(rowsOf(stages.getByRole('table'))).toEqual([
      ['31', '100%', '20', '29', '20'],
      ['25', '80.6%', '19', '24', '19'],
      ['20', '64.5%', '15', '19', '15'],
      ['12', '38.7%', '9', '12', '9'],
      ['8', '25.8%', '5', '8', '5'],
      ['4', '12.9%', '2', '4', '2'],
    ])
  })

  it('leads to the leads of each outcome', async () => {
    await openDashboard(TAB)
    const stages = await card('What became of the leads')
    const link = stages.getByRole('link', { name: '3 booked' })
    expect(link.getAttribute('href')).toBe(`/admin?tab=leads&outcome=booked&${PERIOD}`)
    expect(stages.queryByRole('link', { name: /opted out/ })).toBeNull()
  })

  it('says how fast clinics answer', async () => {
    await openDashboard(TAB)
    const stages = await card('What became of the leads')
    stages.getByText('Median time to the first answer: 2 h. In time: 70%.')
    stages.getByText('The leads come from 29 people, of whom 8 booked.')
  })

  it('tells made-up leads of the demo, and how to delete them', async () => {
    answer('GET /api/funnel', funnel({ madeUp: 31 }))
    await openDashboard(TAB)
    expect((await screen.findByRole('note')).textContent).toBe(
      'Demo data: 31 leads of these two periods are made up. To delete all of them, run npm run seed:demo -- --delete.',
    )
  })

  it('says that it could not be loaded, and tries again', async () => {
    answer('GET /api/funnel', refusal(503, { error: 'The database is away.', code: 'unavailable' }))
    const user = await openDashboard(TAB)
    await screen.findByText('503: The database is away.')
    answer('GET /api/funnel', funnel())
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await card('What became of the leads')
  })
})

describe('groups', () => {
  const heading = 'Stages by clinic, source, campaign and state'

  it('show the first ones, all of them when asked, and those that are typed', async () => {
    const user = await openDashboard(TAB)
    const groups = await card(heading)
    const heads = () => groups.getAllByRole('rowheader').map(({ textContent }) => textContent)
    expect(heads()).toHaveLength(8)
    await user.click(groups.getByRole('button', { name: 'Show all 10' }))
    expect(heads().at(-1)).toBe('No clinic')
    expect(groups.getByRole('link', { name: /: No clinic$/ }).getAttribute('href')).toBe(
      `/admin?tab=leads&unmatched=true&${PERIOD}`,
    )
    await user.type(groups.getByLabelText('Filter'), 'clinic 7')
    expect(heads()).toEqual(['Clinic 7'])
    expect(groups.getByRole('link', { name: '2 leads: Clinic 7' }).getAttribute('href')).toBe(
      `/admin?tab=leads&provider_id=8&${PERIOD}`,
    )
    await user.type(groups.getByLabelText('Filter'), 'x')
    groups.getByText('No results for “clinic 7x”.')
  })

  it('link to their leads by source', async () => {
    const user = await openDashboard(TAB)
    const groups = await card(heading)
    await user.click(groups.getByRole('button', { name: 'Source' }))
    expect(rowsOf(groups.getByRole('table'))).toEqual([
      ['20', '12', '18', '15', '10', '8', '4'],
      ['11', '0', '7', '5', '2', '0', '0'],
    ])
    const links = groups.getAllByRole('link').map((link) => link.getAttribute('href'))
    expect(links).toEqual(['google', 'none'].map((source) => `/admin?tab=leads&source=${source}&${PERIOD}`))
    await user.click(groups.getByRole('button', { name: 'Campaign' }))
    groups.getByText('No leads with a campaign in this period.')
  })
})
