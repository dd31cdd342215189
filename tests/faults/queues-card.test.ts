import { expect, it } from 'vitest'
import { submit } from '../support/deliveries.ts'
import { signedInStaff } from '../support/factories.ts'
import { startSite } from '../support/site.ts'
import { waitFor } from '../support/wait.ts'

it('Health has what each queue holds, and since when the oldest waits', async () => {
  const site = await startSite()
  const api = await site.startApi()
  const { headers: viewer } = await signedInStaff(site.db, { role: 'viewer' })
  await submit(api)
  const queues = await waitFor('the jobs to be in their queues', async () => {
    const { body } = await api.call('GET', '/api/integrations', undefined, viewer)
    const queues = body.queue.queues as { waiting: number }[] | null
    return queues?.reduce((sum, { waiting }) => sum + waiting, 0) === 3 && queues
  })
  const NONE = { waiting: 0, active: 0, delayed: 0, failed: 0, oldest_waiting_at: null, is_paused: false }
  const since = expect.stringMatching(/^\d{4}-.+Z$/)
  expect(queues).toEqual([
    { ...NONE, name: 'match-lead' },
    { ...NONE, name: 'send-email', waiting: 2, oldest_waiting_at: since },
    { ...NONE, name: 'sync-crm', waiting: 1, oldest_waiting_at: since },
    ...['bulk', 'send-alert', 'sync-providers', 'purge'].map((name) => ({ ...NONE, name })),
  ])
})
