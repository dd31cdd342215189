import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Export } from '../../core/contract/exports.ts'
import { answer, heldAnswer, refusal } from './api.ts'
import { FakeEventSource } from './event-source.ts'
import { rowOf, storeLeads } from './leads-page.ts'
import { emptyDashboard, findToast, openDashboard } from './page.tsx'
import { lead } from './samples.ts'

let downloads: (string | null)[]
beforeEach(() => {
  // A day before the exports expire: what is said of that moment names the day.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-24T20:04:00Z') })
  emptyDashboard()
  downloads = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    downloads.push(this.getAttribute('href'))
  })
  return () => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  }
})

/** An export as the API tells of it. It changes when the test says so. */
function storeExport(changed: Partial<Export> = {}) {
  const expires_at = '2026-11-25T20:04:00.000Z'
  const query = { sort: '-created_at' }
  let exports: Export[] = [
    { id: crypto.randomUUID(), state: 'running', done: 0, total: 48_210, query, expires_at, ...changed },
  ]
  const [{ id }] = exports as [Export]
  answer('GET /api/exports', () => ({ exports }))
  return {
    id,
    file: `/api/exports/${id}/file`,
    become(next: Partial<Export> | null) {
      exports = next ? exports.map((each) => ({ ...each, ...next })) : []
      FakeEventSource.announce({ exports: [id] })
    },
  }
}

/** Opens the list of as many leads, of which two are shown. */
async function openLeads(total: number, path?: string) {
  storeLeads(lead(1), lead(2))
  answer('GET /api/leads', { leads: [lead(1), lead(2)], total })
  const user = await openDashboard(path)
  await rowOf('Jordan Avery1')
  return user
}

const notice = () => within(screen.getByRole('region', { name: 'Export' }))

describe('an export of more leads than are downloaded at once', () => {
  it('is prepared, shows its progress, and is downloaded by the page that asked', async () => {
    const user = await openLeads(10_001, '/admin?q=avery&sort=name')
    const starts = answer('POST /api/exports', () => {
      stored = storeExport()
      return { id: stored.id }
    })
    let stored: ReturnType<typeof storeExport> | undefined
    await user.click(await screen.findByRole('button', { name: 'Export Leads CSV' }))
    await screen.findByText('Preparing 48,210 leads… 0%')
    expect(starts.map(({ body }) => body)).toEqual([{ q: 'avery', sort: 'name' }])

    stored?.become({ done: 16_900 })
    await screen.findByText('Preparing 48,210 leads… 35%')
    expect(notice().getByRole('progressbar')).toMatchObject({ value: 16_900, max: 48_210 })
    expect(downloads).toEqual([])
    stored?.become({ state: 'done', done: 48_210 })
    await waitFor(() => expect(downloads).toEqual([stored?.file]))
    stored?.become({})
    await screen.findByText(/^Export of 48,210 leads: ready until Nov 25, 3:04 PM E/)
    expect(downloads).toHaveLength(1)
  })

  it('is downloaded also when it is ready before the answer to its start', async () => {
    const user = await openLeads(10_001)
    const stored = storeExport({ done: 48_210, state: 'done' })
    const held = heldAnswer({ id: stored.id })
    answer('POST /api/exports', held.answer)
    await user.click(await screen.findByRole('button', { name: 'Export Leads CSV' }))
    stored.become({})
    await screen.findByText(/^Export of 48,210 leads/)
    held.release()
    await waitFor(() => expect(downloads).toEqual([stored.file]))
  })

  it('says why it does not start', async () => {
    const user = await openLeads(10_001)
    const error = 'You have 3 exports already. Delete one of them, then export again.'
    answer('POST /api/exports', () => refusal(429, { error, code: 'rate_limited' }))
    await user.click(screen.getByRole('button', { name: 'Export Leads CSV' }))
    await findToast('Failed to export leads', error)
  })
})

it('an export of fewer leads is a download, as a link', async () => {
  await openLeads(10_000)
  expect(screen.getByRole('link', { name: 'Export Leads CSV' }).getAttribute('href')).toBe(
    '/api/leads.csv?sort=-created_at',
  )
  expect(screen.queryByRole('region', { name: 'Export' })).toBeNull()
})

describe('an export that this page has not asked for', () => {
  it('is shown after a reload and in another tab, and can be cancelled', async () => {
    const stored = storeExport({ done: 24_105, query: { sort: 'name', held: true } })
    const user = await openLeads(2)
    await screen.findByText('Preparing 48,210 leads, as filtered… 50%')
    const removals = answer('DELETE /api/exports/{id}', () => {
      stored.become(null)
      return { success: true }
    })
    await user.click(notice().getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Export' })).toBeNull())
    expect(removals.map(({ params }) => params)).toEqual([{ id: stored.id }])
  })

  it('is offered until it expires, and not downloaded by itself', async () => {
    const stored = storeExport({ state: 'done', done: 48_210 })
    const user = await openLeads(2)
    const removals = answer('DELETE /api/exports/{id}', { success: true })
    await user.click(notice().getByRole('button', { name: 'Download' }))
    await waitFor(() => expect(downloads).toEqual([stored.file]))
    await user.click(notice().getByRole('button', { name: 'Delete file' }))
    await waitFor(() => expect(removals).toHaveLength(1))
  })

  it('can be tried again with its filter when it failed', async () => {
    const query = { sort: 'zip_code', q: 'avery', unmatched: true }
    const stored = storeExport({ state: 'failed', query })
    const user = await openLeads(2)
    const starts = answer('POST /api/exports', { id: crypto.randomUUID() })
    const removals = answer('DELETE /api/exports/{id}', { success: true })
    expect(screen.getByRole('alert').textContent).toBe(
      'Failed to export 48,210 leads, as filtered: something went wrong on our side.',
    )
    await user.click(notice().getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(removals.map(({ params }) => params)).toEqual([{ id: stored.id }]))
    expect(starts.map(({ body }) => body)).toEqual([query])
  })

  it('says that it was deleted for the privacy of a person', async () => {
    storeExport({ state: 'erased', query: null })
    await openLeads(2)
    expect(screen.getByRole('alert').textContent).toBe(
      'This export was deleted because a lead that may be in it was permanently deleted. Export again.',
    )
    expect(notice().queryByRole('button', { name: 'Try again' })).toBeNull()
  })
})

it('is not asked for by people who may not export', async () => {
  emptyDashboard({ role: 'agent' })
  const lists = answer('GET /api/exports', { exports: [] })
  await openLeads(2)
  expect(lists).toEqual([])
})
