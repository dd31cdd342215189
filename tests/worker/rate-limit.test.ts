import { afterEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { SECOND } from '../../core/contract/time.ts'
import { SettingsError } from '../../core/settings/read-settings.ts'
import { DeliveryError } from '../../worker/delivery-error.ts'
import { createHubspotSender } from '../../worker/senders/hubspot.ts'
import { createRateLimit, type RateLimit } from '../../worker/senders/rate-limit.ts'
import { asTheyAre, leadEvent } from '../support/crm-events.ts'
import { HUBSPOT_TOKEN, startHubspot } from '../support/hubspot-server.ts'

const redisUrl = inject('redisUrl')
const open: RateLimit[] = []
let limits = 0

/** One limit for as many workers as wanted, each with a connection of its own. */
function workers(count: number, { calls = 22, url = redisUrl ?? undefined } = {}): RateLimit[] {
  limits += 1
  const name = `test-${process.pid}-${limits}`
  const create = () => createRateLimit({ REDIS_URL: url }, { name, calls, seconds: 1 }, { commandTimeout: 300 })
  const made = Array.from({ length: count }, create)
  open.push(...made)
  return made
}
afterEach(() => {
  for (const limit of open.splice(0)) limit.close()
})

/** The most of these times (in milliseconds) within any `span`. */
function mostWithin(times: number[], span: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.max(...sorted.map((from) => sorted.filter((time) => time >= from && time < from + span).length))
}

describe.skipIf(!redisUrl)('a rate that three workers share', () => {
  it('is kept by all of them together, in any stretch of time, and nearly used up', async () => {
    const taken: number[] = []
    const takeAll = async (limit: RateLimit) => {
      for (let call = 0; call < 8; call++) {
        await limit.take()
        taken.push(performance.now())
      }
    }
    const started = performance.now()
    await Promise.all(workers(3).map(takeAll))

    expect(taken).toHaveLength(24)
    // The answer of Redis takes a moment to arrive.
    expect(mostWithin(taken, SECOND - 50)).toBeLessThanOrEqual(22)
    expect(performance.now() - started).toBeGreaterThan(1.5 * SECOND)
  })

  it('is paused for all workers when one of them must wait', async () => {
    const [first, second] = workers(2, { calls: 1000 }) as [RateLimit, RateLimit]
    await first.take()
    await first.pause(SECOND)
    const started = performance.now()
    await second.take()
    expect(performance.now() - started).toBeGreaterThan(0.75 * SECOND)
  })

  it('hands a lead back to the ledger when the pause is long, and says how long', async () => {
    const [first, second] = workers(2) as [RateLimit, RateLimit]
    await first.pause(600 * SECOND)
    const error = await second.take().then(
      () => undefined,
      (reason: DeliveryError) => reason,
    )
    expect(error).toBeInstanceOf(DeliveryError)
    expect(error?.retry).toBe('later')
    expect(error?.retryAfter).toBeGreaterThan(590 * SECOND)
  })

  it('is paused for the longest time when several must wait at once', async () => {
    const asked = [2, 600, 60, 3].map((seconds) => seconds * SECOND)
    for (let round = 0; round < 20; round++) {
      const all = workers(asked.length)
      // Each has its connection by then, so that none is ahead.
      await Promise.all(all.map((limit) => limit.take()))
      await Promise.all(all.map((limit, turn) => limit.pause(asked[turn] ?? 0)))
      await expect(all[0]?.take()).rejects.toMatchObject({ retryAfter: expect.closeTo(600 * SECOND, -4) })
    }
  })
})

describe('a rate', () => {
  it('is not exceeded because Redis is away: the lead is tried again', async () => {
    const [limit] = workers(1, { url: 'redis://127.0.0.1:1' }) as [RateLimit]
    await expect(limit.take()).rejects.toMatchObject({ name: 'DeliveryError', retry: 'later' })
  })

  it('is not paused while Redis is away, and HubSpot’s answer still reaches the ledger', async () => {
    const [away] = workers(1, { url: 'redis://127.0.0.1:1' }) as [RateLimit]
    const hubspot = await startHubspot()
    onTestFinished(() => hubspot.close())
    hubspot.answer(() => ({ status: 429, body: { message: 'Too much.' } }))
    const url = `${hubspot.url}/crm/v3/objects/contacts`
    const limit = { ...away, take: async () => {} }
    const sender = createHubspotSender({ url, token: HUBSPOT_TOKEN, mapping: [], limit, erasure: 'request' })
    await expect(sender.send(leadEvent(), asTheyAre)).rejects.toMatchObject({ status: 429, retry: 'later' })
  })

  it.each([
    [0, 1],
    [10, 10],
  ])('of %i calls in %i seconds is refused at the start: nothing would ever be sent', (calls, seconds) => {
    expect(() => createRateLimit({ REDIS_URL: undefined }, { name: 'slow', calls, seconds })).toThrow(SettingsError)
  })

  it('is kept by a single worker without Redis', async () => {
    limits += 1
    const limit = createRateLimit({ REDIS_URL: undefined }, { name: `alone-${limits}`, calls: 10, seconds: 1 })
    const started = performance.now()
    for (let call = 0; call < 6; call++) await limit.take()
    expect(performance.now() - started).toBeGreaterThan(0.5 * SECOND)
  })
})
