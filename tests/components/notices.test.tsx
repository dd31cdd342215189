import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { NetworkPause } from '../../core/providers/contract/provider-rules.ts'
import type { NewEmail } from '../../core/providers/contract/providers.ts'
import { answer } from './api.ts'
import { emptyDashboard, NO_ATTENTION, openDashboard } from './page.tsx'
import { provider, providerRecord, settings } from './samples.ts'

const TAB = '/admin?tab=providers'
beforeEach(() => emptyDashboard())

describe('on every tab, the dashboard', () => {
  const IGNORED = { proxy_ignored: true }
  const PROXY = 'All visitors share one IP address'
  const textOf = async (title: string) => (await screen.findByText(title)).parentElement?.textContent

  it('warns managers of a proxy that is ignored', async () => {
    answer('GET /api/settings', settings(IGNORED))
    await openDashboard(TAB)
    expect(await textOf(PROXY)).toContain('Set TRUST_PROXY_HOPS to the number of proxies in front of Leadwell')
  })

  it.each(['/admin', TAB])('says on %s what cannot wait, how much more of it there is, and where', async (path) => {
    const stop = { kind: 'stop', title: 'Quill Clinic', words: 'Had to confirm by Nov 21, 2026', more: 1 } as const
    const notices = [{ ...stop, search: '?tab=leads&lead=7', open: 'See the lead' }]
    answer('GET /api/attention', { ...NO_ATTENTION, notices })
    await openDashboard(path)
    expect(await textOf('Stop not confirmed')).toContain('Quill Clinic: Had to confirm by Nov 21, 2026. And 1 more.')
    expect(screen.getByRole('link', { name: 'See the lead' }).getAttribute('href')).toContain('lead=7')
  })

  it.each([
    ['viewers, who cannot change it', 'viewer', IGNORED],
    ['managers where all is well', 'manager', {}],
  ] as const)('says nothing to %s', async (_, role, state) => {
    emptyDashboard({ role })
    answer('GET /api/settings', settings(state))
    answer('GET /api/providers', [provider(1, { name: 'Dr. Rosa Quill', wordpress_id: 4711 })])
    await openDashboard(TAB)
    // The link to WordPress needs the settings: they are there.
    await screen.findByRole('link', { name: 'Edit Dr. Rosa Quill in WordPress' })
    expect(screen.queryByText(PROXY)).toBeNull()
  })
})

describe('the pauses of the network', () => {
  const PAUSE: NetworkPause = {
    ...{ id: 3, starts_at: '2026-11-26T05:00:00.000Z', ends_at: '2026-11-28T05:00:00.000Z' },
    ...{ reason: 'Thanksgiving', created_by: 'staff' },
  }
  const holidays = [{ starts_at: '2026-12-25T05:00:00.000Z', ends_at: '2026-12-26T05:00:00.000Z', reason: 'Christmas' }]
  async function openCard(...pauses: NetworkPause[]) {
    answer('GET /api/network-pauses', { pauses, holidays })
    const user = await openDashboard(TAB)
    const card = within(await screen.findByRole('region', { name: 'Pauses of the network' }))
    await card.findByText(pauses.length > 0 ? 'Thanksgiving' : 'No pause is planned.', { selector: 'p, p *' })
    return { user, card }
  }

  it('are listed, and ended', async () => {
    const { user, card } = await openCard(PAUSE)
    const calls = answer('DELETE /api/network-pauses/{id}', { success: true })
    await user.click(card.getByRole('button', { name: /(End now|Cancel) Thanksgiving/ }))
    await waitFor(() => expect(calls).toMatchObject([{ params: { id: 3 } }]))
  })

  it('are added, once nothing is missing', async () => {
    const { user, card } = await openCard()
    const calls = answer('POST /api/network-pauses', PAUSE)
    await user.click(card.getByRole('button', { name: 'Pause the network' }))
    expect(await card.findAllByText('Choose a day and a time')).toHaveLength(2)
    const [from, to] = ['2026-11-26T00:00', '2026-11-28T00:00']
    await user.type(card.getByLabelText('From'), from)
    await user.type(card.getByLabelText('To'), to)
    await user.type(card.getByLabelText('Reason'), 'Thanksgiving')
    await user.click(card.getByRole('button', { name: 'Pause the network' }))
    await waitFor(() => expect(calls).toHaveLength(1))
    const { id, created_by, ...body } = PAUSE
    expect(calls[0]?.body).toEqual(body)
  })

  it('are added for a federal holiday in one click', async () => {
    const { user, card } = await openCard()
    const calls = answer('POST /api/network-pauses', PAUSE)
    await user.click(card.getByRole('button', { name: 'Pause on + Christmas, Dec 25, 2026' }))
    await waitFor(() => expect(calls[0]?.body).toEqual(holidays[0]))
  })

  it('are only shown to viewers', async () => {
    emptyDashboard({ role: 'viewer' })
    const { card } = await openCard(PAUSE)
    expect(card.queryByRole('button')).toBeNull()
  })
})

describe('a new address of a clinic', () => {
  const waiting = { email: 'new@quill.example', since: '2026-11-20T15:00:00.000Z', sync_id: 7, is_declined: false }
  const new_email: NewEmail = { ...waiting, asked: 'sent', error: null }

  it.each([
    ['manager', 'confirm', 'Confirm new address'],
    ['manager', 'keep', 'Keep old address'],
    ['viewer', undefined, undefined],
  ] as const)('is in its record, and decided about by managers alone: %s, %s', async (role, decision, name) => {
    emptyDashboard({ role })
    const quill = provider(1, { name: 'Dr. Rosa Quill', email: 'old@quill.example', new_email })
    answer('GET /api/providers/{providerId}/record', providerRecord(1, { provider: quill }))
    const calls = answer('POST /api/providers/{providerId}/new-email', { success: true })
    const user = await openDashboard(`${TAB}&provider=1`)
    await screen.findByText('old@quill.example was asked by email.')
    screen.getByText('new@quill.example')
    if (!name) return expect(screen.queryByRole('button', { name: /address$/ })).toBeNull()
    await user.click(screen.getByRole('button', { name }))
    await screen.findByText('Email address updated')
    expect(calls.map(({ body }) => body)).toEqual([{ email: 'new@quill.example', decision }])
  })
})
