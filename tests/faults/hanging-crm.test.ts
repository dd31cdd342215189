import { expect, it } from 'vitest'
import { ledger, retryNow, submit, submitMany, waitUntilSettled } from '../support/deliveries.ts'
import { type ApiProcess, type Site, startSite } from '../support/site.ts'
import { waitFor } from '../support/wait.ts'

const SECOND = 1000

it('A CRM that hangs with all the calls that it can get adds less than a second to an email, as a difference between medians', async () => {
  const site = await startSite()
  const api = await site.startApi()
  await site.startWorker()
  const without = await medianMailTime(site, api)
  await waitUntilSettled(site.db)

  site.crm.answer('hang')
  site.crm.events.length = 0
  await submitMany(api, 10)
  await waitFor('ten calls to hang', () => site.crm.events.length === 10)
  await waitFor('their mails', async () =>
    (await ledger(site.db)).every(({ name, state }) => name !== 'send-email' || state === 'done'),
  )
  const beside = await medianMailTime(site, api)
  expect(beside - without).toBeLessThan(SECOND)
})

it('Calls that a CRM leaves hanging are given up after 15 seconds, and made again with those that had to wait for them', async () => {
  const site = await startSite()
  site.crm.answer('hang')
  const api = await site.startApi()
  await site.startWorker()
  await submitMany(api, 20)
  await waitFor('ten calls to hang', () => site.crm.events.length === 10)

  site.crm.answer({ status: 200 })
  await waitFor(
    'ten given up and ten done',
    async () => {
      const calls = (await ledger(site.db)).filter(({ name }) => name === 'sync-crm')
      return (
        calls.filter(({ state }) => state === 'waiting').length === 10 &&
        calls.filter(({ state }) => state === 'done').length === 10
      )
    },
    { within: 40 * SECOND },
  )
  const [givenUp] = (await ledger(site.db)).filter(({ state }) => state === 'waiting')
  expect(givenUp?.last_error).toContain('did not answer within 15 seconds')
  await retryNow(site.db)
  await waitUntilSettled(site.db)
  expect(new Set(site.crm.events.map(({ data }) => data.lead.id)).size).toBe(20)
})

/** Milliseconds from a form to the last of its mails, of nine leads one after the other. */
async function medianMailTime({ smtp }: Site, api: ApiProcess): Promise<number> {
  const times: number[] = []
  for (let lead = 0; lead < 9; lead++) {
    const begun = performance.now()
    const before = smtp.mails.length
    await submit(api)
    await waitFor('its mails', () => smtp.mails.length === before + 2)
    times.push(performance.now() - begun)
  }
  return times.toSorted((a, b) => a - b)[4] as number
}
