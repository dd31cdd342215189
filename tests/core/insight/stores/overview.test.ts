import { describe, expect, it } from 'vitest'
import type { FailureCause, JobName, JobState } from '../../../../core/deliveries/contract/jobs.ts'
import { retryAll } from '../../../../core/deliveries/retry-deliveries.ts'
import { Overview } from '../../../../core/insight/contract/overview.ts'
import * as overview from '../../../../core/insight/stores/reports.ts'
import { assignProvider } from '../../../../core/leads/assign-provider.ts'
import * as leads from '../../../../core/leads/stores/leads.ts'
import { useDatabase } from '../../../support/database.ts'
import { createLead, createProvider } from '../../../support/factories.ts'

const database = useDatabase()

const NEW_YORK = 'America/New_York'
const PERIOD = { from: '2026-03-01', to: '2026-03-03' }
const read = async (period = PERIOD, timeZone = NEW_YORK) => {
  const answer = await overview.read(database.db, { ...period, timeZone })
  expect(Overview.parse(answer)).toEqual(answer)
  return answer
}

type Options = Parameters<typeof createLead>[1] & { at?: string }

/** A lead of that time. */
async function leadAt({ at = '2026-03-02T12:00:00Z', ...options }: Options = {}): Promise<number> {
  const id = await createLead(database.db, options)
  await database.db('leads').where({ id }).update({ created_at: at })
  return id
}

/** A lead of that time whose matching found nobody. */
async function unreached(options: Options = {}): Promise<number> {
  const id = await leadAt(options)
  await database.db.transaction((trx) => leads.noteUnreached(trx, id))
  return id
}

const provider = async (columns = {}) => (await createProvider(database.db, columns)).id

type Settling = { name: JobName; purpose?: string; state?: JobState; at?: string; cause?: FailureCause }

/** Ends the jobs of that kind, as the worker would have. */
async function settle(id: number, { name, purpose, state = 'done', at, cause }: Settling): Promise<void> {
  await database
    .db('jobs')
    .where({ subject_kind: 'lead', subject_id: id, name, ...(purpose && { purpose }) })
    .update({
      state,
      enqueued_at: new Date(0),
      finished_at: ['done', 'failed', 'cancelled'].includes(state) ? (at ?? new Date(0)) : null,
      last_cause: cause ?? null,
    })
}

describe('leads per day', () => {
  it('has every day of the network, from the first moment of the first to the last of the last', async () => {
    const providerId = await provider()
    await leadAt({ at: '2026-02-28T23:59:59.999-05:00' })
    await leadAt({ at: '2026-03-01T00:00:00-05:00' })
    await leadAt({ at: '2026-03-01T00:00:00-05:00', providerId })
    await leadAt({ at: '2026-03-03T23:59:59.999-05:00', providerId })
    await leadAt({ at: '2026-03-03T23:59:59.999-05:00', providerId, heldReason: 'honeypot' })
    await leadAt({ at: '2026-03-04T00:00:00-05:00', providerId })

    const { from, to, days, totals } = await read()
    expect({ from, to }).toEqual(PERIOD)
    expect(days).toEqual([
      { day: '2026-03-01', received: 2, matched: 1, unmatched: 1, held: 0 },
      { day: '2026-03-02', received: 0, matched: 0, unmatched: 0, held: 0 },
      { day: '2026-03-03', received: 2, matched: 1, unmatched: 0, held: 1 },
    ])
    expect(totals).toEqual({ received: 4, matched: 2, unmatched: 1, held: 1, matchedShare: 2 / 3 })
  })

  it('has days of 23 and of 25 hours', async () => {
    await leadAt({ at: '2026-03-08T04:59:59Z' })
    await leadAt({ at: '2026-03-08T05:00:00Z' })
    await leadAt({ at: '2026-03-09T03:59:59Z' })
    await leadAt({ at: '2026-03-09T04:00:00Z' })
    const spring = await read({ from: '2026-03-08', to: '2026-03-09' })
    expect(spring.days.map(({ received }) => received)).toEqual([2, 1])

    await leadAt({ at: '2026-11-01T04:00:00Z' })
    await leadAt({ at: '2026-11-02T04:59:59Z' })
    const fall = await read({ from: '2026-11-01', to: '2026-11-01' })
    expect(fall.totals.received).toBe(2)
    expect((await read({ from: '2026-11-01', to: '2026-11-01' }, 'UTC')).totals.received).toBe(1)
  })
})

it('deliveries count leads by the state of all their newest jobs of a kind', async () => {
  const providerId = await provider()
  const [delivered, half, failed] = [
    await leadAt({ providerId }),
    await leadAt({ providerId }),
    await leadAt({ providerId }),
  ]
  await leadAt({ at: '2026-03-09T00:00:00Z', providerId })
  for (const name of ['send-email', 'sync-crm'] as const) await settle(delivered, { name })
  await settle(half, { name: 'send-email', purpose: 'provider' })
  await settle(failed, { name: 'send-email', purpose: 'provider', state: 'failed', cause: 'refused' })
  await settle(failed, { name: 'sync-crm', state: 'cancelled' })
  // Only the team was told of it.
  await settle(await leadAt({ heldReason: 'honeypot' }), { name: 'send-email' })

  expect((await read()).deliveries).toEqual({
    email: { success: 1, pending: 1, failed: 1 },
    crm: { success: 1, pending: 1, failed: 0 },
  })
  // The CRM has the first one, whatever becomes of its second copy.
  await retryAll(database.db, `lead:${delivered}`, 'sync-crm', { actor: 'staff' })
  await database
    .db('jobs')
    .where({ name: 'sync-crm', generation: 2 })
    .update({
      state: 'failed',
      last_cause: 'refused',
      finished_at: new Date(0),
    })
  expect((await read()).deliveries.crm).toEqual({ success: 1, pending: 1, failed: 0 })
  await retryAll(database.db, `lead:${failed}`, 'send-email', { actor: 'staff' })
  expect((await read()).deliveries.email).toEqual({ success: 1, pending: 2, failed: 0 })
})

describe('coverage', () => {
  it('names the zips whose leads nobody could take, and how far the nearest active clinic is', async () => {
    await provider({ zip_code: '99501', status: 'f' })
    const providerId = await provider({ zip_code: '78701' })
    for (const zip_code of ['99501', '10001', '10001', '00000']) await unreached({ form: { zip_code } })
    await leadAt({ form: { zip_code: '60601' }, providerId })
    // A newer clinic has got it by itself.
    await unreached({ form: { zip_code: '60601' }, providerId })
    await leadAt({ form: { zip_code: '60601' }, heldReason: 'too_fast' })

    const { zips, totalZips } = (await read()).coverage
    expect(totalZips).toBe(3)
    expect(zips.map(({ zip, leads }) => [zip, leads])).toEqual([
      ['10001', 2],
      ['00000', 1],
      ['99501', 1],
    ])
    expect(zips[0]).toMatchObject({ city: 'New York', state: 'NY' })
    expect(zips[0]?.nearestMiles).toBeGreaterThan(1400)
    expect(zips[1]).toMatchObject({ city: null, nearestMiles: null })
    expect(zips[2]?.nearestMiles).toBeGreaterThan(3000)
  })

  it('counts who had nobody in reach, also once staff have matched them by hand', async () => {
    const [near, far] = [await provider({ zip_code: '78701' }), await provider({ zip_code: '80202' })]
    const [first, second] = [await unreached(), await unreached()]
    await leadAt()
    await assignProvider(database.db, first, far, { actor: 'staff' })
    await assignProvider(database.db, second, near, { actor: 'staff' })
    expect((await read()).coverage.zips).toMatchObject([
      { zip: '78702', leads: 2, matchedByHand: 2, matchedMiles: expect.closeTo(770, -2) },
    ])
  })
})
