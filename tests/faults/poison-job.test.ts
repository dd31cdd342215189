import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { MINUTE, SECOND } from '../../core/contract/time.ts'
import { submit, submitMany, waitUntilSettled } from '../support/deliveries.ts'
import { jobsOf, leadForm } from '../support/factories.ts'
import type { TestProcess } from '../support/processes.ts'
import { type Site, startSite } from '../support/site.ts'
import { waitFor } from '../support/wait.ts'

const POISON = 'poison@visitors.example'

/** Starts a worker, and another one whenever it has ended, as a supervisor does. */
function superviseWorker(site: Site) {
  let isOver = false
  let worker: TestProcess | undefined
  let ends = 0
  const run = async () => {
    while (!isOver) {
      worker = site.launchWorker()
      await worker.ended
      if (!isOver) ends += 1
    }
  }
  const running = run()
  onTestFinished(async () => {
    isOver = true
    await worker?.kill('SIGKILL')
    await running
  })
  return { ends: () => ends, kill: () => void process.kill(worker?.pid ?? 0, 'SIGKILL') }
}

it(
  'A job that ends each worker that attempts it runs alone from the third time, fails at the fifth with the reason, and nothing beside it is sent twice',
  async () => {
    const site = await startSite()
    const supervised = superviseWorker(site)
    let poisoned = 0
    site.smtp.answer(async (recipient, stage) => {
      if (stage !== 'data') return 'accept'
      if (recipient !== POISON) {
        // In the middle of it when the worker would end beside it.
        await sleep(SECOND / 5)
        return 'accept'
      }
      poisoned += 1
      supervised.kill()
      return 'hang'
    })
    const api = await site.startApi()
    expect((await submit(api, leadForm({ email: POISON }))).status).toBe(201)
    await waitFor('two workers to end', () => supervised.ends() >= 2, { within: MINUTE })

    const sending = (async () => {
      for (let n = 0; n < 40; n++) {
        await submitMany(api, 1)
        await sleep(SECOND)
      }
    })()
    const poison = () => site.db('jobs').where({ purpose: 'visitor', subject_kind: 'lead', subject_id: 1 }).first()
    await waitFor('the job to fail', async () => (await poison())?.state === 'failed', { within: 2 * MINUTE })
    await sending
    await waitUntilSettled(site.db)

    expect([poisoned, supervised.ends()]).toEqual([4, 4])
    expect(await poison()).toMatchObject({
      last_cause: 'our_side',
      last_error: 'Every worker that tried this has ended in the middle of it.',
    })
    // What came after two workers had ended: beside those two, the first lead's other email could be sent again.
    const first = await jobsOf(site.db, 1).pluck('id')
    const sent = site.smtp.mails.map(({ messageId = '' }) => messageId)
    const later = sent.filter((messageId) => !first.some((id) => messageId.includes(id)))
    expect(later).toHaveLength(80)
    expect(new Set(later).size).toBe(80)
  },
  4 * MINUTE,
)
