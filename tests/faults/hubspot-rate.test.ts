import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { createCrmSender } from '../../worker/senders/crm.ts'
import { asTheyAre, leadEvent } from '../support/crm-events.ts'
import { testEnv } from '../support/env.ts'
import { HUBSPOT_TOKEN, startHubspot } from '../support/hubspot-server.ts'

const redisUrl = inject('redisUrl')

describe.skipIf(!redisUrl)('the rate of calls to HubSpot that three workers share', () => {
  it('is never too much for a HubSpot that counts strictly, and no lead has to come again', async () => {
    const hubspot = await startHubspot({ callsPer10Seconds: 33 })
    onTestFinished(() => hubspot.close())
    const settings = { CRM_KIND: 'hubspot', HUBSPOT_TOKEN, HUBSPOT_BASE_URL: hubspot.url, HUBSPOT_RATE: '33' }
    const senders = [1, 2, 3].map(() => createCrmSender(testEnv({ ...settings, REDIS_URL: String(redisUrl) })))
    const answers = await Promise.all(
      senders.map(async (sender, worker) => {
        const taken: unknown[] = []
        for (let call = 0; call < 14; call++)
          taken.push(...((await sender?.send([leadEvent(worker * 100 + call)], asTheyAre)) ?? []))
        sender?.close?.()
        return taken
      }),
    )

    expect(hubspot.rejected).toEqual([])
    expect(hubspot.calls).toHaveLength(42)
    expect(answers.flat().filter((answer) => answer instanceof Error)).toEqual([])
  }, 60_000)
})
