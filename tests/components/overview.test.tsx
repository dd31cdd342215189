import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Overview } from '../../core/contract/overview.ts'
import { answer } from './api.ts'
import { overview } from './overview-samples.ts'
import { emptyDashboard, openDashboard, rowsOf } from './page.tsx'

const TAB = '/admin?tab=overview'

beforeEach(() => {
  emptyDashboard()
  answer('GET /api/overview', overview())
})

describe('the figures of the overview', () => {
  it('say how the period went', async () => {
    await openDashboard(TAB)
    await screen.findByText('Leads received')
    expect([...document.querySelectorAll('main dl > div')].map(({ textContent }) => textContent)).toEqual([
      'Leads received311 held for review',
      'Matched with a provider90%27 matched, 3 unmatched',
      'E-mails delivered92.6%2 failed, 0 under way',
      'Leads in the CRM100%0 failed, 0 under way',
      'Time to the provider’s mailbox4 sMedian of 25 leads; 95% within 20 s',
      'Time to the CRM–None delivered yet',
    ])
  })

  it('lead to the leads that they count', async () => {
    await openDashboard(TAB)
    await screen.findByText('Leads received')
    const links = within(document.querySelector('main dl') as HTMLElement).getAllByRole('link')
    const period = 'from=2026-11-01&to=2026-11-02'
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['1 held for review', `/admin?tab=leads&held=true&${period}`],
      ['3 unmatched', `/admin?tab=leads&unmatched=true&${period}`],
      ['2 failed', `/admin?tab=leads&email_status=failed&${period}`],
    ])
  })
})

describe('the charts of the overview', () => {
  it('have a table of the leads of each day, the last one first', async () => {
    const { chart, table } = await openAsTable('Leads per day')
    expect(heads(table)).toEqual(['Mon, Nov 2, 2026', 'Sun, Nov 1, 2026'])
    expect(rowsOf(table)).toEqual([
      ['30', '26', '3', '1'],
      ['1', '1', '0', '0'],
    ])
    for (const kind of ['Matched', 'Unmatched', 'Held']) within(chart).getByRole('columnheader', { name: kind })
  })

  it('say what fails, how often, and what mends it', async () => {
    await openDashboard(TAB)
    const card = within(await screen.findByRole('region', { name: 'Failures by cause' }))
    card.getByText('The mailbox does not exist.')
    card.getByText('Check the e-mail address.')
    card.getByText('E-mail to the clinic')
    expect(card.getByText(/and 2 more$/).textContent).toBe('Lindqvist Clinic 4, Whitfield 2, Chen 1 and 2 more')

    const failing = '/admin?tab=leads&target=clinic&cause=unknown_mailbox&from=2026-11-01&to=2026-11-02'
    const links = card.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])
    expect(links).toEqual([
      ['8 failed, 1 retrying', failing],
      ['Lindqvist Clinic', '/admin?tab=providers&provider=4'],
      ['4', `${failing}&provider_id=4`],
      ['Whitfield', '/admin?tab=providers&provider=9'],
      ['2', `${failing}&provider_id=9`],
      ['Chen', '/admin?tab=providers&provider=2'],
      ['1', `${failing}&provider_id=2`],
    ])
  })

  it('say where a clinic is missing, in words and in a list', async () => {
    await openDashboard(TAB)
    const card = within(await screen.findByRole('region', { name: 'Where to recruit' }))
    card.getByText(
      'Leads with no provider in reach came from 2 zip codes. A clinic near Boise, ID would have covered most of them: 2 leads; the nearest provider is 1,234 miles away.',
    )
    card.getByText('83702, nearest provider 1,234 miles away; of these 1 was matched by hand, 183 miles')
    card.getByText('Zip code 99901')
  })

  it('show all zips when asked', async () => {
    const [boise] = overview().coverage.zips
    const zips = Array.from({ length: 10 }, (_, index) => ({ ...boise, zip: `8370${index}` }) as Zip)
    answer('GET /api/overview', overview({ coverage: { zips, totalZips: 10 } }))
    const user = await openDashboard(TAB)
    const card = within(await screen.findByRole('region', { name: 'Where to recruit' }))
    expect(card.getAllByRole('listitem')).toHaveLength(8)
    await user.click(card.getByRole('button', { name: 'Show all 10' }))
    expect(card.getAllByRole('listitem')).toHaveLength(10)
    card.getByRole('button', { name: 'Show fewer' })
  })

  it('say so where nothing has failed and nothing is missing', async () => {
    answer('GET /api/overview', overview({ failures: [], coverage: { zips: [], totalZips: 0 } }))
    await openDashboard(TAB)
    await screen.findByText('Nothing has failed in this period.')
    screen.getByText('Every lead of this period had a provider in reach.')
  })

  it('are left away where there is no lead', async () => {
    answer(
      'GET /api/overview',
      overview({ totals: { received: 0, matched: 0, unmatched: 0, held: 0, matchedShare: null } }),
    )
    await openDashboard(TAB)
    await screen.findByText('No leads in this period. Choose another one above.')
    expect(screen.queryByRole('region', { name: 'Leads per day' })).toBeNull()
  })
})

type Zip = Overview['coverage']['zips'][number]

async function openAsTable(title: string) {
  const user = await openDashboard(TAB)
  const chart = await screen.findByRole('region', { name: title })
  await user.click(within(chart).getByRole('button', { name: 'Show as table' }))
  within(chart).getByRole('button', { name: 'Show as chart' })
  return { chart, table: within(chart).getByRole('table') }
}

/** What names each row of a table. */
const heads = (table: HTMLElement) =>
  within(table)
    .getAllByRole('rowheader')
    .map(({ textContent }) => textContent)
