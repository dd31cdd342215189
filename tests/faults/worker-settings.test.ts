import { describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../local/ports.ts'
import { compareDeliveries, EXACTLY_ONCE, submit, waitUntilSettled } from '../support/deliveries.ts'
import { CRM_SECRET, rawEnv } from '../support/env.ts'
import { launchProcess } from '../support/processes.ts'
import { startSite } from '../support/site.ts'

const NEW_SECRET = `whsec_${Buffer.from('another secret of 32 bytes length').toString('base64')}`

describe('A worker whose settings are refused', () => {
  it.each([
    ['HUBSPOT_TOKEN', { CRM_KIND: 'hubspot' }],
    ['SMTP_PASSWORD', { SMTP_PASSWORD: 'a password' }],
  ])('says which (%s) and ends, though it was to serve measurements', async (name, settings) => {
    const worker = launchProcess('worker', rawEnv({ METRICS_PORT: String(await freePort()), ...settings }))
    onTestFinished(() => void worker.kill('SIGKILL'))

    expect(await worker.ended).toEqual({ code: 1, signal: null })
    expect(worker.output()).toContain(name)
  })
})

describe('While the secrets of the CRM are changed', () => {
  it('a CRM takes the leads before and after it has changed its own', async () => {
    const site = await startSite()
    const api = await site.startApi()
    for (const [secret, old] of [
      [NEW_SECRET, CRM_SECRET],
      [CRM_SECRET, NEW_SECRET],
    ] as const) {
      const worker = await site.startWorker({ CRM_WEBHOOK_SECRET: `${secret} ${old}` })
      await submit(api)
      await waitUntilSettled(site.db)
      await worker.kill('SIGKILL')
    }

    expect(await compareDeliveries(site)).toEqual(EXACTLY_ONCE)
    expect(site.crm.rejected).toEqual([])
    expect(site.crm.signatures).toEqual(Array(2).fill(expect.stringMatching(/^v1,\S+ v1,\S+$/)))
  })
})
