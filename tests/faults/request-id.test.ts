import { expect, it } from 'vitest'
import { submit, waitUntilSettled } from '../support/deliveries.ts'
import { idOf, leadForm } from '../support/factories.ts'
import { startSite } from '../support/site.ts'

it('The id of a request is in the line of each job that it made, also of those that a job made, and no other', async () => {
  const site = await startSite()
  const [api, worker] = await Promise.all([site.startApi(), site.startWorker()])
  const linesOf = (leadId: number) =>
    worker
      .output()
      .split('\n')
      .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
      .filter((line) => line.msg === 'job' && line.leadId === leadId)
  const requestOf = ({ headers }: Awaited<ReturnType<typeof submit>>) => headers.get('x-request-id')

  const first = await submit(api)
  // Nobody is near this one, which a job finds out.
  await site.db('providers').update({ status: 'f' })
  const second = await submit(api, leadForm({ email: 'second@visitors.example' }))
  await waitUntilSettled(site.db)
  const [firstId, secondId] = [await idOf(site.db, first.body), await idOf(site.db, second.body)]
  const retry = await api.call('POST', `/api/leads/${firstId}/retry-email`, {}, await api.signIn())
  await waitUntilSettled(site.db)
  // A line is read a moment after the job has ended.
  await expect.poll(() => linesOf(firstId).length).toBeGreaterThan(3)

  const [firstLines, secondLines] = [linesOf(firstId), linesOf(secondId)]
  expect(firstLines.slice(0, 3).map(({ requestId }) => requestId)).toEqual(Array(3).fill(requestOf(first)))
  expect(firstLines.slice(3).map(({ purpose, requestId }) => [purpose, requestId])).toContainEqual([
    'provider',
    requestOf(retry),
  ])
  expect(firstLines.slice(3).every(({ requestId }) => requestId === requestOf(retry))).toBe(true)

  const made = secondLines.map(({ job, purpose }) => `${job} ${purpose}`)
  expect(made).toEqual(expect.arrayContaining(['match-lead nearest', 'send-email team', 'send-email visitor']))
  expect(new Set(secondLines.map(({ requestId }) => requestId))).toEqual(new Set([requestOf(second)]))
})
