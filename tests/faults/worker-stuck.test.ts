import { expect, it } from 'vitest'
import { JOBS } from '../../core/deliveries/jobs.ts'
import { submitMany } from '../support/deliveries.ts'
import { describeOnRedis, startSite } from '../support/site.ts'
import { waitFor } from '../support/wait.ts'

const FAST_CLOCK = new URL('../support/fast-clock.mjs', import.meta.url).href

describeOnRedis('A worker that leaves jobs waiting for too long', () => {
  it('ends with the code that asks its supervisor for a new start', async () => {
    const site = await startSite()
    site.crm.answer('hang')
    const api = await site.startApi()
    const worker = await site.startWorker({ NODE_OPTIONS: `--import=${FAST_CLOCK}` })
    // More than it takes up at once.
    await submitMany(api, JOBS['sync-crm'].concurrency + 30)
    await waitFor('every call that it makes at once to hang', () => site.crm.events.length === 10)

    expect(await worker.ended).toEqual({ code: 75, signal: null })
    expect(worker.output()).toContain('worker does not start jobs')
  })
})
