import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DeliveryStatus } from '../../../../core/deliveries/contract/jobs.ts'
import { type Figures, FUNNEL_STAGES, type FunnelStage, Overview } from '../../../../core/insight/contract/overview.ts'
import * as overview from '../../../../core/insight/stores/overview.ts'
import { assignProvider } from '../../../../core/leads/assign-provider.ts'
import { OutcomeKind } from '../../../../core/leads/contract/outcomes.ts'
import { recordOutcome } from '../../../../core/leads/record-outcome.ts'
import { STAGE_OF_OUTCOME } from '../../../../core/leads/rules/outcomes.ts'
import * as leads from '../../../../core/leads/stores/leads.ts'
import { useDatabase } from '../../../support/database.ts'
import { createLead, createProvider, jobsOf } from '../../../support/factories.ts'

const database = useDatabase()

const WEEK = { from: '2026-03-08', to: '2026-03-14' }
const NOW = '2026-03-10T15:00:00Z'
const BEFORE = '2026-03-03T15:00:00Z'

const read = async (period = WEEK, timeZone = 'America/New_York') => {
  const answer = await overview.read(database.db, { ...period, timeZone })
  expect(Overview.parse(answer)).toEqual(answer)
  return answer
}

type Made = Parameters<typeof createLead>[1] & { at?: string; isDelivered?: boolean; outcome?: OutcomeKind }

/** A lead of that time, that has come so far. */
async function lead({ at = NOW, isDelivered = false, outcome, ...options }: Made = {}): Promise<number> {
  const id = await createLead(database.db, options)
  await database
    .db('leads')
    .where({ id })
    .update({ created_at: at, matched_at: options.providerId ? at : null })
  if (isDelivered) {
    const done = { state: 'done' as const, finished_at: new Date(Date.parse(at) + 4000) }
    await jobsOf(database.db, id, { name: 'send-email', purpose: 'provider' }).update(done)
  }
  if (outcome) await recordOutcome(database.db, id, { kind: outcome, source: 'staff', actor: 'staff' })
  return id
}

/** The answer of a clinic after that many minutes, of sixty that it has. Null: not yet. */
async function clock(id: number, minutes: number | null, at = NOW): Promise<void> {
  const after = (count: number) => new Date(Date.parse(at) + count * 60_000)
  await database
    .db('answer_clocks')
    .where('lead_id', id)
    .update({ started_at: at, due_at: after(60), answered_at: minutes === null ? null : after(minutes) })
}

const provider = async (columns = {}) => (await createProvider(database.db, columns)).id
const touch = (last: Record<string, string>) => ({ form: { attribution: { last } } })
const rowsOf = ({ groups }: Overview, dimension: keyof Overview['groups']) =>
  groups[dimension].map(({ name, now, before }) => [name, now.received, before.received])
const stagesOf = (figures: Figures) => FUNNEL_STAGES.map((stage) => figures[stage])

describe('stages', () => {
  it('count each lead for all stages up to its own, and the period before beside it', async () => {
    const providerId = await provider()
    await lead()
    await lead({ providerId })
    await lead({ providerId, isDelivered: true })
    // The clinic has the request, whatever its mail server says.
    await lead({ providerId, outcome: 'declined' })
    await lead({ providerId, isDelivered: true, outcome: 'no_show' })
    await lead({ providerId, isDelivered: true, outcome: 'treated' })
    await lead({ providerId, at: BEFORE, isDelivered: true, outcome: 'reached' })
    await lead({ at: '2026-02-28T15:00:00Z' })

    const { totals, outcomes, before } = await read()
    expect(before).toEqual({ from: '2026-03-01', to: '2026-03-07' })
    expect(stagesOf(totals.now)).toEqual([6, 4, 3, 2, 2, 1])
    expect(stagesOf(totals.before)).toEqual([1, 1, 1, 1, 0, 0])
    expect(outcomes).toMatchObject({ declined: 1, no_show: 1, treated: 1, reached: 0 })
  })

  it('never grow, whatever the outcomes, and are those of the rule', async () => {
    const providerId = await provider()
    const anyLead = fc.record({
      outcome: fc.option(fc.constantFrom(...OutcomeKind.options), { nil: undefined }),
      isDelivered: fc.boolean(),
    })
    await fc.assert(
      fc
        .asyncProperty(fc.array(anyLead, { maxLength: 6 }), async (all) => {
          for (const each of all) await lead({ providerId, ...each })
          const counts = stagesOf((await read()).totals.now)
          const last = all.map(
            ({ outcome, isDelivered }): FunnelStage =>
              outcome ? STAGE_OF_OUTCOME[outcome] : isDelivered ? 'delivered' : 'received',
          )
          expect(counts).toEqual(
            FUNNEL_STAGES.map((_, index) => last.filter((stage) => FUNNEL_STAGES.indexOf(stage) >= index).length),
          )
          expect(counts).toEqual(counts.toSorted((a, b) => b - a))
        })
        .afterEach(async () => {
          await database.db('leads').delete()
          await database.db('answer_clocks').delete()
        }),
      { numRuns: 12 },
    )
  })
})

it('groups are providers, sources, campaigns and states, the most leads first', async () => {
  const [few, many] = [await provider({ practice_name: 'Few' }), await provider({ practice_name: 'Many' })]
  await lead({ providerId: few, ...touch({ utm_source: ' Google', utm_campaign: 'Fall' }) })
  for (const at of [NOW, NOW, BEFORE]) {
    await lead({ at, providerId: many, form: { zip_code: '10001', attribution: { last: { network: 'microsoft' } } } })
  }
  await lead(touch({ utm_source: 'google', utm_campaign: 'fall' }))
  await lead(touch({ referrer: 'https://www.review.example/clinics' }))

  const answer = await read()
  expect(rowsOf(answer, 'provider')).toEqual([
    ['Many', 2, 1],
    [null, 2, 0],
    ['Few', 1, 0],
  ])
  expect(rowsOf(answer, 'source')).toEqual([
    ['microsoft', 2, 1],
    ['google', 2, 0],
    ['review.example', 1, 0],
  ])
  expect(answer.groups.campaign).toMatchObject([{ name: 'fall', source: 'google', now: { received: 2 } }])
  expect(rowsOf(answer, 'state')).toEqual([
    ['TX', 3, 0],
    ['NY', 2, 1],
  ])
  expect(answer.totalGroups).toEqual({ provider: 3, source: 3, campaign: 1, state: 2 })
})

it('answers have a median and the share in time, of those that are answered or past their time', async () => {
  const providerId = await provider()
  for (const minutes of [10, 20, 90, null]) await clock(await lead({ providerId }), minutes)
  // Not worked out yet.
  await lead({ providerId })
  await clock(await lead({ providerId, at: BEFORE }), 30, BEFORE)

  const { totals, answerTime, groups } = await read()
  expect(totals).toMatchObject({ now: { inTime: 2, due: 4 }, before: { inTime: 1, due: 1 } })
  expect(groups.provider).toMatchObject([{ providerId, now: { inTime: 2, due: 4 }, before: { inTime: 1, due: 1 } }])
  expect(answerTime).toEqual({ now: 20 * 60_000, before: 30 * 60_000 })
})

/** A lead of that time whose matching found nobody. */
async function unreached(options: Made = {}): Promise<number> {
  const id = await lead(options)
  await database.db.transaction((trx) => leads.noteUnreached(trx, id))
  return id
}

const DAYS = { from: '2026-03-01', to: '2026-03-03' }

describe('leads per day', () => {
  it('has every day of the network, from the first moment of the first to the last of the last', async () => {
    const providerId = await provider()
    await lead({ at: '2026-02-28T23:59:59.999-05:00' })
    await lead({ at: '2026-03-01T00:00:00-05:00' })
    await lead({ at: '2026-03-01T00:00:00-05:00', providerId })
    await lead({ at: '2026-03-03T23:59:59.999-05:00', providerId })
    await lead({ at: '2026-03-03T23:59:59.999-05:00', providerId, heldReason: 'honeypot' })
    await lead({ at: '2026-03-04T00:00:00-05:00', providerId })

    const { days, totals } = await read(DAYS)
    expect(days).toEqual([
      { day: '2026-03-01', received: 2, matched: 1, unmatched: 1, held: 0 },
      { day: '2026-03-02', received: 0, matched: 0, unmatched: 0, held: 0 },
      { day: '2026-03-03', received: 2, matched: 1, unmatched: 0, held: 1 },
    ])
    expect(totals.now).toMatchObject({ received: 4, unmatched: 1, held: 1 })
    expect(totals.before).toMatchObject({ received: 1, unmatched: 1, held: 0 })
  })

  it('has days of 23 and of 25 hours', async () => {
    await lead({ at: '2026-03-08T04:59:59Z' })
    await lead({ at: '2026-03-08T05:00:00Z' })
    await lead({ at: '2026-03-09T03:59:59Z' })
    await lead({ at: '2026-03-09T04:00:00Z' })
    const spring = await read({ from: '2026-03-08', to: '2026-03-09' })
    expect(spring.days.map(({ received }) => received)).toEqual([2, 1])

    await lead({ at: '2026-11-01T04:00:00Z' })
    await lead({ at: '2026-11-02T04:59:59Z' })
    const fall = await read({ from: '2026-11-01', to: '2026-11-01' })
    expect(fall.totals.now.received).toBe(2)
    expect((await read({ from: '2026-11-01', to: '2026-11-01' }, 'UTC')).totals.now.received).toBe(1)
  })
})

it('deliveries count the leads of the period by the states that the list filters by', async () => {
  const made = async (email_status: DeliveryStatus, crm_sync_status: DeliveryStatus, of: Made = {}) =>
    database
      .db('leads')
      .where('id', await lead(of))
      .update({ email_status, crm_sync_status })
  await made('success', 'success')
  await made('pending', 'success')
  await made('failed', 'pending')
  await made('pending', 'pending', { heldReason: 'honeypot' })
  await made('failed', 'failed', { at: '2026-03-15T12:00:00Z' })
  expect((await read()).deliveries).toEqual({
    email: { success: 1, pending: 1, failed: 1 },
    crm: { success: 2, pending: 1, failed: 0 },
  })
})

describe('coverage', () => {
  it('names the zips whose leads nobody could take, and how far the nearest active clinic is', async () => {
    await provider({ zip_code: '99501', status: 'f' })
    const providerId = await provider({ zip_code: '78701' })
    for (const zip_code of ['99501', '10001', '10001', '00000']) await unreached({ form: { zip_code } })
    await lead({ form: { zip_code: '60601' }, providerId })
    // A newer clinic has got it by itself.
    await unreached({ form: { zip_code: '60601' }, providerId })
    await lead({ form: { zip_code: '60601' }, heldReason: 'too_fast' })

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
    await lead()
    await assignProvider(database.db, first, far, { actor: 'staff' })
    await assignProvider(database.db, second, near, { actor: 'staff' })
    expect((await read()).coverage.zips).toMatchObject([
      { zip: '78702', leads: 2, matchedByHand: 2, matchedMiles: expect.closeTo(770, -2) },
    ])
  })
})
