import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import * as dueJobs from '../../core/deliveries/stores/attempts.ts'
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
import { found } from '../support/found.ts'
import { seededRandom } from '../support/random.ts'
import { startSite } from '../support/site.ts'
import { waitFor } from '../support/wait.ts'

describe('Two API processes and two workers at once', () => {
  it('deliver 100 leads, and nothing twice, however often the sweep hands back what is under way', async () => {
    const random = seededRandom(2)
    const site = await startSite()
    site.smtp.answer(slowMail(() => 30 * random()))
    site.crm.answer(slowCrm(() => 30 * random()))
    // All at once: they also meet when the queue is set up for the first time.
    const [one, two] = await Promise.all([site.startApi(), site.startApi(), site.startWorker(), site.startWorker()])

    const sweeping = setInterval(() => dueJobs.sweep(site.db, 0).catch(() => {}), 300)
    await Promise.all([submitMany(one, 50), submitMany(two, 50)])
    await waitUntilSettled(site.db).finally(() => clearInterval(sweeping))

    expect(await site.db('leads').pluck('id')).toHaveLength(100)
    expect(await compareDeliveries(site)).toEqual(EXACTLY_ONCE)
  })

  it('do not start again what the sweep hands back while it is under way', async () => {
    const site = await startSite()
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
      expect(await dueJobs.sweep(site.db, 0)).toBe(12)
      await waitFor('the relay to add them again', async () => {
        return (await ledger(site.db)).every(({ state }) => state === 'enqueued')
      })
    }
    open()
    await waitUntilSettled(site.db)
    expect(await compareDeliveries(site)).toEqual(EXACTLY_ONCE)
  })
})

it('50 identical forms at the same time with one idempotency key or with a key each: one lead, one mail to the clinic, one to the visitor, one CRM event', async () => {
  const site = await startSite()
  const [one, two] = await Promise.all([site.startApi(), site.startApi(), site.startWorker()])
  const { email: clinic } = found(await site.db('providers').first())

  for (const keyOf of [() => 'the-same-key', () => randomUUID()]) {
    const form = leadForm()
    const keys = Array.from({ length: 50 }, keyOf)
    const sent = keys.map((key, index) => submit(index % 2 ? one : two, form, key))
    const answers = await Promise.all(sent)
    await waitUntilSettled(site.db)

    const stored = await site.db('leads').where('email', form.email).select('id', 'reference')
    const ids = stored.map(({ id }) => id)
    expect(ids).toHaveLength(1)
    for (const { status, body } of answers) expect([status, body.providerId]).toEqual([201, site.providerId])
    // With the same key it is the same receipt; with another one it does not tell that the person was here before.
    const receipts = new Set(answers.map(({ body }) => body.id))
    expect(receipts).toContain(Number(stored[0]?.reference))
    expect(receipts.size).toBe(new Set(keys).size)
    expect(await site.db('consents').whereIn('lead_id', ids)).toHaveLength(1)
    const recipients = site.smtp.mails.splice(0).map((mail) => mail.recipients[0])
    expect(recipients.toSorted()).toEqual([form.email, clinic].toSorted())
    expect(site.crm.events.splice(0).map(({ data }) => data.lead.id)).toEqual(ids)
  }
})
