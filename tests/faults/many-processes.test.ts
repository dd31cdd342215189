import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import * as jobs from '../../core/stores/jobs.ts'
import {
  compareDeliveries,
  EXACTLY_ONCE,
  ledger,
  slowCrm,
  slowMail,
  submit,
  submitMany,
  waitUntilSettled,
} from '../support/deliveries.ts'
import { leadForm } from '../support/factories.ts'
import { seededRandom } from '../support/random.ts'
import { describeOnBestBackend, describeOnEachBackend, startSite } from '../support/site.ts'
import { waitFor } from '../support/wait.ts'

describeOnEachBackend('Two API processes and two workers at once', (backend) => {
  it('deliver 200 leads, and nothing twice, however often the sweep hands back what is under way', async () => {
    const random = seededRandom(2)
    const site = await startSite({ backend })
    site.smtp.answer(slowMail(() => 30 * random()))
    site.crm.answer(slowCrm(() => 30 * random()))
    // All at once: they also meet when the queue is set up for the first time.
    const [one, two] = await Promise.all([site.startApi(), site.startApi(), site.startWorker(), site.startWorker()])

    const sweeping = setInterval(() => jobs.sweep(site.db, 0).catch(() => {}), 1000)
    await Promise.all([submitMany(one, 100), submitMany(two, 100)])
    await waitUntilSettled(site.db).finally(() => clearInterval(sweeping))

    expect(await site.db('leads').pluck('id')).toHaveLength(200)
    expect(await compareDeliveries(site)).toEqual(EXACTLY_ONCE)
  })

  it('do not start again what the sweep hands back while it is under way', async () => {
    const site = await startSite({ backend })
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    site.smtp.answer((_recipient, stage) => (stage === 'data' ? gate : Promise.resolve()).then(() => 'accept'))
    site.crm.answer(() => gate.then(() => ({ status: 200 })))
    const [api] = await Promise.all([site.startApi(), site.startWorker(), site.startWorker()])
    await submitMany(api, 4)
    // Both workers have hands free: a job that was added a second time would be started at once.
    await waitFor('all to be under way', () => site.crm.events.length >= 4)
    for (let sweeps = 1; sweeps <= 2; sweeps++) {
      expect(await jobs.sweep(site.db, 0)).toBe(12)
      await waitFor('the relay to add them again', async () => {
        return (await ledger(site.db)).every(({ state }) => state === 'enqueued')
      })
    }
    open()
    await waitUntilSettled(site.db)
    expect(await compareDeliveries(site)).toEqual(EXACTLY_ONCE)
  })
})

describeOnBestBackend('50 identical forms at the same time', (backend) => {
  it.each([
    { what: 'with one idempotency key', key: () => 'the-same-key' },
    { what: 'with a key each', key: () => randomUUID() },
  ])('$what: one lead, one mail to the clinic, one to the visitor, one CRM event', async ({ key }) => {
    const site = await startSite({ backend })
    const [one, two] = await Promise.all([site.startApi(), site.startApi(), site.startWorker()])
    const form = leadForm()

    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => submit(index % 2 ? one : two, form, key())),
    )
    await waitUntilSettled(site.db)

    const [id] = await site.db('leads').pluck('id')
    expect(new Set(answers.map(({ status, body }) => JSON.stringify({ status, body })))).toEqual(
      new Set([JSON.stringify({ status: 201, body: { id, providerId: site.providerId } })]),
    )
    expect(await site.db('leads').pluck('id')).toEqual([id])
    expect(await site.db('consents').pluck('lead_id')).toEqual([id])
    expect(site.smtp.mails.map(({ recipients }) => recipients[0]).toSorted()).toEqual(
      [form.email, (await site.db('providers').first()).email].toSorted(),
    )
    expect(site.crm.events).toHaveLength(1)
    expect(await compareDeliveries(site)).toEqual(EXACTLY_ONCE)
  })
})
