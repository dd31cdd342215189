import { describe, expect, it } from 'vitest'
import { JOB_NAMES } from '../../core/deliveries/jobs.ts'
import { ledger, submit } from '../support/deliveries.ts'
import { createStaff, staffHeaders } from '../support/factories.ts'
import { type ApiProcess, describeOnRedis, type Site, startSite } from '../support/site.ts'
import { waitFor } from '../support/wait.ts'

type Board = {
  queues: {
    name: string
    displayName: string
    description: string
    readOnlyMode: boolean
    isPaused: boolean
    counts: Record<string, number>
    jobs: { id: string; name: string; data: Record<string, unknown> }[]
  }[]
}

async function viewer({ db }: Site): Promise<{ cookie: string }> {
  return staffHeaders(db, (await createStaff(db, { role: 'viewer' })).id)
}

async function readBoard(api: ApiProcess, staff: { cookie: string }, queue = 'send-email'): Promise<Board> {
  const { body } = await api.call(
    'GET',
    `/admin/queues/api/queues?activeQueue=${queue}&status=waiting`,
    undefined,
    staff,
  )
  return body
}

describe('The queue pages', () => {
  it('show each queue in words of ours, and of each job the id of its row; nobody can change anything', async () => {
    const site = await startSite()
    const api = await site.startApi()
    const staff = await viewer(site)
    await submit(api)
    const { queues } = await waitFor('the jobs to be in the queue', async () => {
      const board = await readBoard(api, staff)
      return board.queues.reduce((sum, { counts }) => sum + Number(counts.waiting), 0) === 3 && board
    })

    expect(queues.map(({ name, displayName, counts }) => ({ name, displayName, waiting: counts.waiting }))).toEqual([
      { name: 'match-lead', displayName: 'Matching', waiting: 0 },
      { name: 'send-email', displayName: 'Emails', waiting: 2 },
      { name: 'sync-crm', displayName: 'CRM calls', waiting: 1 },
      { name: 'bulk', displayName: 'Bulk actions', waiting: 0 },
      { name: 'send-alert', displayName: 'Alerts', waiting: 0 },
      { name: 'sync-providers', displayName: 'Provider syncs', waiting: 0 },
      { name: 'purge', displayName: 'Purges', waiting: 0 },
    ])
    expect(queues.every(({ description }) => description.endsWith('.'))).toBe(true)
    const mails = (await ledger(site.db)).filter(({ name }) => name === 'send-email')
    const shown = queues.find(({ name }) => name === 'send-email')?.jobs ?? []
    expect(shown.map(({ data }) => data).toSorted(byJobId)).toEqual(
      mails.map(({ id }) => ({ jobId: id })).toSorted(byJobId),
    )

    expect(queues.every(({ readOnlyMode }) => readOnlyMode)).toBe(true)
    const manager = await staffHeaders(site.db)
    for (const path of [
      `send-email/${shown[0]?.id}/clean`,
      'send-email/empty',
      'send-email/pause',
      'send-email/obliterate',
    ]) {
      const { status } = await api.call('PUT', `/admin/queues/api/queues/${path}`, {}, manager)
      expect({ path, isRefused: status >= 400 }).toEqual({ path, isRefused: true })
    }
    const after = (await readBoard(api, manager)).queues.find(({ name }) => name === 'send-email')
    expect(after).toMatchObject({ isPaused: false, counts: { waiting: 2 } })
  })
})

describeOnRedis('The queue pages', () => {
  it('say soon that the queue is away, and recover with it', async () => {
    const site = await startSite()
    const api = await site.startApi()
    const staff = await viewer(site)
    await waitFor('the pages', async () => (await readBoard(api, staff)).queues?.length === JOB_NAMES.length)

    await site.redis.stop()
    const { status, body } = await api.call('GET', '/admin/queues/api/queues', undefined, staff)
    expect({ status, body }).toMatchObject({ status: 500, body: { error: expect.anything() } })
    expect((await api.call('GET', '/admin/queues', undefined, staff)).status).toBe(200)

    await site.redis.start()
    await waitFor('the pages again', async () => (await readBoard(api, staff)).queues?.length === JOB_NAMES.length)
  })
})

function byJobId(a: Record<string, unknown>, b: Record<string, unknown>): number {
  return String(a.jobId).localeCompare(String(b.jobId))
}
