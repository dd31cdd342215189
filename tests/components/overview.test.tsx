import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { answer } from './api.ts'
import { overview } from './overview-samples.ts'
import { emptyDashboard, openDashboard, rowsOf } from './page.tsx'

const TAB = '/admin?tab=overview'
const DELIVERY = `${TAB}&show=delivery`
const PERIOD = 'from=2026-11-01&to=2026-11-02'
beforeEach(() => {
  emptyDashboard()
  answer('GET /api/overview', overview())
})

const card = async (name: string) => within(await screen.findByRole('region', { name }))
type Card = Awaited<ReturnType<typeof card>>
const textsOf = (elements: Iterable<Element>) => [...elements].map(({ textContent }) => textContent)
const tiles = () => textsOf(document.querySelectorAll('main dl > div'))
const hrefs = (region: Card) =>
  region.getAllByRole('link').map((link) => link.getAttribute('href')?.replace('/admin?tab=', ''))

describe('the results', () => {
  it('answer the owner first, beside the period before, in numbers where a percentage of few would say nothing', async () => {
    await openDashboard(TAB)
    await screen.findByText('Answered in time')
    expect(tiles()).toEqual([
      'Leads31▲ 11 more, which is better; (20 before)See the leads',
      'Reached38.7%▼ 6.3 points less, which is worse; (45% before)12 of 31',
      'Booked25.8%▲ 0.8 points more, which is better; (25% before)8 of 31',
      'Answered in time70%9 of 9 beforeMedian 2 h',
      'Unmatched3▲ 2 more, which is worse; (1 before)See the leads',
    ])
    expect(hrefs(within(document.querySelector('main dl') as HTMLElement))).toEqual([
      ...[`leads&${PERIOD}`, `leads&unmatched=true&${PERIOD}`],
    ])
  })

  it('show each stage beside the period before, and lead to each outcome', async () => {
    await openDashboard(TAB)
    const funnel = await card('Funnel')
    const link = funnel.getByRole('link', { name: '3 booked' })
    expect(link.getAttribute('href')).toBe(`/admin?tab=leads&outcome=booked&${PERIOD}`)
    expect(textsOf(funnel.getAllByRole('rowheader'))).toEqual([
      ...['Received', 'Delivered', 'Opened', 'Reached', 'Booked', 'Came'],
    ])
    expect(rowsOf(funnel.getByRole('table')).map((cells) => cells.join(' '))).toEqual([
      ...['31 100% 20 100%', '25 80.6% 19 95%', '20 64.5% 15 75%'],
      ...['12 38.7% 9 45%', '8 25.8% 5 25%', '4 12.9% 2 10%'],
    ])
  })

  it('have one table of sources, providers or states, with rates and a sum, sorted by any head', async () => {
    const user = await openDashboard(TAB)
    const bySource = await card('Results by source')
    const heads = (table: Card) => textsOf(table.getAllByRole('rowheader'))
    expect(heads(bySource)).toEqual(['google', 'Direct', 'bing', 'All leads'])
    expect(rowsOf(bySource.getByRole('table')).map((cells) => cells.join(' '))).toEqual([
      '20 12 50%10 20%4 20%4 50%6 3',
      '10 8 60%6 30%3 0%0 – 0',
      '1 0 1 of 1 1 of 1 0 of 1 – 0',
    ])
    const sum = bySource.getByText('All leads').closest('tr')
    expect(textsOf(sum?.querySelectorAll('td') ?? [])).toEqual([
      '31',
      '20',
      '38.7%12',
      '25.8%8',
      '12.9%4',
      '70%14',
      '3',
    ])
    // One of one is no rate, and comes last in both directions.
    for (const order of [
      ['Direct', 'google', 'bing'],
      ['google', 'Direct', 'bing'],
    ]) {
      await user.click(bySource.getByRole('button', { name: 'Booked' }))
      expect(heads(bySource)).toEqual([...order, 'All leads'])
    }
    expect(bySource.getByRole('columnheader', { name: 'Booked' }).getAttribute('aria-sort')).toBe('ascending')
    await user.click(bySource.getByRole('button', { name: 'Provider' }))
    const byProvider = await card('Results by provider')
    expect(hrefs(byProvider)).toEqual([`leads&provider_id=8&${PERIOD}`, `leads&unmatched=true&${PERIOD}`])
    await user.click(byProvider.getByRole('button', { name: 'Campaign' }))
    ;(await card('Results by campaign')).getByText('No leads with a campaign in this period.')
  })
})

describe('the delivery', () => {
  it('is a page of its own, with what failed and a link to it', async () => {
    const user = await openDashboard(TAB)
    await user.click(await screen.findByRole('tab', { name: 'Delivery' }))
    await screen.findByText('Emails delivered')
    expect(tiles()).toEqual([
      'Matched with a provider90%3 unmatched',
      'Held for review11 held',
      'Emails delivered92.6%2 failed0 under way',
      'Leads in the CRM100%0 failed0 under way',
    ])
    expect(hrefs(within(document.querySelector('main dl') as HTMLElement))).toEqual([
      ...[`leads&unmatched=true&${PERIOD}`, `leads&held=true&${PERIOD}`, `leads&email_status=failed&${PERIOD}`],
    ])
    await waitFor(() => expect(window.location.search).toBe('?tab=overview&show=delivery'))
  })

  it('has a chart and a table of the leads of each day, the last one first', async () => {
    const user = await openDashboard(DELIVERY)
    const chart = await card('Leads per day')
    chart.getByText('27 matched')
    await user.click(chart.getByRole('button', { name: 'Show as table' }))
    chart.getByRole('button', { name: 'Show as chart' })
    expect(textsOf(chart.getAllByRole('rowheader'))).toEqual(['Nov 2, 2026', 'Nov 1, 2026'])
    expect(rowsOf(chart.getByRole('table')).map((cells) => cells.join())).toEqual(['30,26,3,1', '1,1,0,0'])
  })

  it('says where a provider is missing, in words and in a list', async () => {
    await openDashboard(DELIVERY)
    const missing = await card('Where to recruit')
    missing.getByText(
      'Leads with no provider in reach came from 2 zip codes. A provider near Boise, ID would have covered most of them: 2 leads; the nearest provider is 1,234 miles away.',
    )
    missing.getByText('83702, nearest provider 1,234 miles away; of these 1 was matched by hand, 183 miles')
    missing.getByText('Zip code 99901')
  })
})

it('the period keeps both days when they are filled in at once', async () => {
  const asked = answer('GET /api/overview', overview())
  await openDashboard(TAB)
  await screen.findByText('Answered in time')
  // One render for both.
  act(() => {
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-09-13' } })
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-10-03' } })
  })
  await waitFor(() => expect(asked.at(-1)?.query).toEqual({ from: '2026-09-13', to: '2026-10-03' }))
  await waitFor(() => expect(window.location.search).toBe('?tab=overview&from=2026-09-13&to=2026-10-03'))
})
