import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Overview } from '../../core/contract/overview.ts'
import { answer, heldAnswer, noAnswer, refusal } from './api.ts'
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
      ['Lindqvist Clinic 4', `${failing}&provider_id=4`],
      ['Whitfield 2', `${failing}&provider_id=9`],
      ['Chen 1', `${failing}&provider_id=2`],
    ])
  })

  it('have a table of what fails', async () => {
    const { table } = await openAsTable('Failures by cause')
    expect(heads(table)).toEqual(['The mailbox does not exist.'])
    expect(rowsOf(table)).toEqual([
      [
        'E-mail to the clinic',
        'Lindqvist Clinic 4, Whitfield 2, Chen 1 and 2 more',
        '8',
        '1',
        'Check the e-mail address.',
      ],
    ])
  })

  it('say where a clinic is missing, in words, on a map and in a list', async () => {
    await openDashboard(TAB)
    const card = within(await screen.findByRole('region', { name: 'Where to recruit' }))
    card.getByText(
      'Leads with no provider in reach came from 2 zip codes. A clinic near Boise, ID would have taken the most of them: 2 leads; the nearest provider is 1,234 miles away.',
    )
    await card.findByRole('img', { name: /^Map of the United States with 1 zip code without a provider/ })
    card.getByText('83702, nearest provider 1,234 miles away; of these 1 was matched by hand, 183 miles')
    card.getByText('Zip code 99901')
  })

  it('have a table of where a clinic is missing', async () => {
    const { table } = await openAsTable('Where to recruit')
    expect(heads(table)).toEqual(['83702', '99901'])
    expect(rowsOf(table)).toEqual([
      ['Boise, ID', '2', '1', '1,234'],
      ['Not known', '1', '0', '–'],
    ])
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

describe('the period of the overview', () => {
  it('is chosen in days up to today, and is in the address', async () => {
    const asked = answer('GET /api/overview', overview())
    const user = await openDashboard(TAB)
    await screen.findByRole('button', { name: '30 days', pressed: true })
    await user.click(screen.getByRole('button', { name: '90 days', pressed: false }))
    await screen.findByRole('button', { name: '90 days', pressed: true })
    expect(window.location.search).toBe('?tab=overview&days=90')
    const lengths = asked.map(({ query }) => (Date.parse(query.to) - Date.parse(query.from)) / 86_400_000 + 1)
    expect(lengths).toEqual([30, 90])
  })

  it('is today or yesterday, as the network counts days', async () => {
    // Eleven in the evening of November 14.
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-15T09:00:00Z') })
    onTestFinished(() => void vi.useRealTimers())
    emptyDashboard({}, 'Pacific/Honolulu')
    const asked = answer('GET /api/overview', overview())
    const user = await openDashboard(TAB)
    const chart = within(await screen.findByRole('region', { name: 'Leads per day' }))
    chart.getByText('Days are in Hawaii-Aleutian Standard Time.')

    await user.click(screen.getByRole('button', { name: 'Today', pressed: false }))
    await screen.findByRole('button', { name: 'Today', pressed: true })
    expect(window.location.search).toBe('?tab=overview&days=1')
    await user.click(screen.getByRole('button', { name: 'Yesterday', pressed: false }))
    await screen.findByRole('button', { name: 'Yesterday', pressed: true })
    expect(asked.map(({ query }) => query)).toEqual([
      { from: '2026-10-16', to: '2026-11-14' },
      { from: '2026-11-14', to: '2026-11-14' },
      { from: '2026-11-13', to: '2026-11-13' },
    ])
  })

  it('is chosen from one day to another, and is in the address', async () => {
    const asked = answer('GET /api/overview', overview())
    await openDashboard(TAB)
    await screen.findByText('Leads received')
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-10-05' } })
    await screen.findByText('Leads received')
    expect(window.location.search).toBe('?tab=overview&from=2026-10-05&to=2026-11-02')
    expect(asked.at(-1)?.query).toEqual({ from: '2026-10-05', to: '2026-11-02' })
  })

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
    expect(window.location.search).toBe('?tab=overview&from=2026-09-13&to=2026-10-03')
  })

  it('that is no period is explained in the words of the server', async () => {
    const error = 'The last day must not be before the first.'
    answer('GET /api/overview', () => refusal(400, { error }))
    await openDashboard(`${TAB}&from=2026-02-02&to=2026-02-01`)
    expect((await screen.findByRole('alert')).textContent).toBe(`Error${error}Try again`)
  })

  it('is loaded, or says that it cannot be', async () => {
    const held = heldAnswer(noAnswer())
    answer('GET /api/overview', held.answer)
    await openDashboard(TAB)
    screen.getByText('Loading...')
    held.release()
    expect((await screen.findByRole('alert')).textContent).toBe('ErrorFailed to load the overviewTry again')
    expect(screen.queryByText('Loading...')).toBeNull()
  })
})

type Zip = Overview['coverage']['zips'][number]

/** Two days in which 27 of 30 leads found a clinic, and one is held. */
function overview(overrides: Partial<Overview> = {}): Overview {
  return {
    from: '2026-11-01',
    to: '2026-11-02',
    totals: { received: 31, matched: 27, unmatched: 3, held: 1, matchedShare: 0.9 },
    days: [
      { day: '2026-11-01', received: 1, matched: 1, unmatched: 0, held: 0 },
      { day: '2026-11-02', received: 30, matched: 26, unmatched: 3, held: 1 },
    ],
    deliveries: {
      email: { success: 25, pending: 0, failed: 2 },
      crm: { success: 30, pending: 0, failed: 0 },
    },
    timeToDelivery: { email: { count: 25, p50: 4000, p95: 20_000 }, crm: { count: 0, p50: null, p95: null } },
    failures: [
      {
        target: 'clinic',
        cause: 'unknown_mailbox',
        words: 'The mailbox does not exist.',
        advice: 'Check the e-mail address.',
        failed: 8,
        retrying: 1,
        topClinics: [
          { id: 4, name: 'Lindqvist Clinic', leads: 4 },
          { id: 9, name: 'Whitfield', leads: 2 },
          { id: 2, name: 'Chen', leads: 1 },
        ],
        clinics: 5,
      },
    ],
    coverage: {
      zips: [
        {
          zip: '83702',
          city: 'Boise',
          state: 'ID',
          latitude: 43.6,
          longitude: -116.2,
          leads: 2,
          nearestMiles: 1234.4,
          matchedByHand: 1,
          matchedMiles: 183.2,
        },
        {
          zip: '99901',
          city: null,
          state: null,
          latitude: null,
          longitude: null,
          leads: 1,
          nearestMiles: null,
          matchedByHand: 0,
          matchedMiles: null,
        },
      ],
      totalZips: 2,
    },
    ...overrides,
  }
}

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
