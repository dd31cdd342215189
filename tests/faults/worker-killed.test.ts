import { expect, it } from 'vitest'
import * as jobs from '../../core/stores/jobs.ts'
import { CONNECTIONS } from '../../worker/senders/mailer.ts'
import { compareDeliveries, EXACTLY_ONCE, ledger, submitMany, waitUntilSettled } from '../support/deliveries.ts'
import { killWorkers } from '../support/kills.ts'
import { describeOnEachBackend, startSite } from '../support/site.ts'
import { waitFor } from '../support/wait.ts'

const SECOND = 1000
/** Each falls in the middle of the work. `npm run bench -- kills` does it as often as you like. */
const KILLS = 5
const LEADS = 100
/** More than BullMQ forgives unless told to (1). */
const CRASHES = 2

describeOnEachBackend('A worker that is killed again and again', (backend) => {
  it('in the middle of its work: all is delivered, and only what was accepted but not recorded comes twice', async () => {
    const site = await startSite({ backend })
    const api = await site.startApi()
    const size = { leads: LEADS, kills: KILLS, within: 60 * SECOND }
    const { leads, interruptions, losses, repeatedMails, unrecordedMails } = await killWorkers(site, api, size)

    expect({ leads, interruptions, losses }).toEqual({ leads: LEADS, interruptions: KILLS, losses: [] })
    expect(repeatedMails).toEqual(unrecordedMails)
  })

  it('at the same jobs: another takes over within 20 seconds, none fails, and each attempt is in the ledger', async () => {
    const site = await startSite({ backend })
    const api = await site.startApi()
    let worker = await site.startWorker()
    let hung = 0
    site.smtp.answer((_recipient, stage) => {
      if (stage === 'data') hung += 1
      return 'hang'
    })
    // Two e-mails for each lead: as many as it sends at once.
    const mails = CONNECTIONS
    await submitMany(api, mails / 2)
    for (let crash = 1; crash <= CRASHES; crash++) {
      // A job is taken over once its lock of 10 s has run out and the next look for such jobs, every 5 s, has found it.
      await waitFor(`attempt ${crash} at every e-mail`, () => hung >= crash * mails, { within: 20 * SECOND })
      const successor = await site.startWorker()
      await worker.kill('SIGKILL')
      worker = successor
    }
    const mailJobs = (await ledger(site.db)).filter(({ name }) => name === 'send-email')
    expect(mailJobs.map(({ state, attempts }) => ({ state, attempts }))).toEqual(
      Array(mails).fill({ state: 'enqueued', attempts: 0 }),
    )

    site.smtp.answer('accept')
    await waitUntilSettled(site.db, { within: 20 * SECOND })
    expect(worker.isRunning()).toBe(true)
    expect(await compareDeliveries(site)).toEqual(EXACTLY_ONCE)
    const [lead] = await site.db('leads')
    const [mail] = (await jobs.list(site.db, { leadId: lead?.id ?? 0 })).filter(({ name }) => name === 'send-email')
    expect(mail?.attempts).toBe(1)
    expect(mail?.attempt_log.map(({ outcome }) => outcome)).toEqual([...Array(CRASHES).fill('interrupted'), 'done'])
  })
})
