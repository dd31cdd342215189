import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FUNNEL_STAGES, Funnel, type FunnelStage } from '../../../../core/insight/contract/overview.ts'
import * as funnel from '../../../../core/insight/stores/funnel.ts'
import { OutcomeKind } from '../../../../core/leads/contract/outcomes.ts'
import { recordOutcome } from '../../../../core/leads/record-outcome.ts'
import { STAGE_OF_OUTCOME } from '../../../../core/leads/rules/outcomes.ts'
import { useDatabase } from '../../../support/database.ts'
import { createLead, createProvider } from '../../../support/factories.ts'

const database = useDatabase()

const PERIOD = { from: '2026-03-08', to: '2026-03-14' }
const NOW = '2026-03-10T15:00:00Z'
const BEFORE = '2026-03-03T15:00:00Z'

const read = async (period = PERIOD) => {
  const answer = await funnel.read(database.db, { ...period, timeZone: 'America/New_York' })
  expect(Funnel.parse(answer)).toEqual(answer)
  return answer
}

type Made = Parameters<typeof createLead>[1] & { at?: string; isDelivered?: boolean; outcome?: OutcomeKind }

/** A lead of that time, as far as told. */
async function lead({ at = NOW, isDelivered = false, outcome, ...options }: Made = {}): Promise<number> {
  const id = await createLead(database.db, options)
  await database
    .db('leads')
    .where({ id })
    .update({ created_at: at, matched_at: options.providerId ? at : null })
  if (isDelivered) {
    const done = { state: 'done' as const, finished_at: new Date(Date.parse(at) + 4000) }
    await database
      .db('jobs')
      .where({ subject_kind: 'lead', subject_id: id, name: 'send-email', purpose: 'provider' })
      .update(done)
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
const rowsOf = ({ groups }: Funnel, dimension: keyof Funnel['groups']) =>
  groups[dimension].map(({ name, stages, before }) => [name, stages.received, before.received])

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

    const { leads, outcomes, before } = await read()
    expect(before).toEqual({ from: '2026-03-01', to: '2026-03-07' })
    expect(Object.values(leads.now)).toEqual([6, 4, 3, 2, 2, 1])
    expect(Object.values(leads.before)).toEqual([1, 1, 1, 1, 0, 0])
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
          const counts = Object.values((await read()).leads.now)
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

  it('count a person once, by the furthest of their leads', async () => {
    const providerId = await provider()
    await lead({ form: { email: 'ada@visitors.example' } })
    await lead({ form: { email: 'ADA@visitors.example', zip_code: '78703' }, providerId, outcome: 'booked' })
    await lead()
    const { people } = await read()
    expect(Object.values(people.now)).toEqual([2, 1, 1, 1, 1, 0])
  })
})

it('groups are clinics, sources, campaigns and states, the most leads first', async () => {
  const [few, many] = [await provider({ practice_name: 'Few' }), await provider({ practice_name: 'Many' })]
  await lead({ providerId: few, ...touch({ utm_source: ' Google', utm_campaign: 'Fall' }) })
  for (const at of [NOW, NOW, BEFORE]) {
    await lead({ at, providerId: many, form: { zip_code: '10001', attribution: { last: { network: 'microsoft' } } } })
  }
  await lead(touch({ utm_source: 'google', utm_campaign: 'fall' }))
  await lead(touch({ referrer: 'https://www.review.example/clinics' }))

  const answer = await read()
  expect(rowsOf(answer, 'clinic')).toEqual([
    ['Many', 2, 1],
    [null, 2, 0],
    ['Few', 1, 0],
  ])
  expect(rowsOf(answer, 'source')).toEqual([
    ['microsoft', 2, 1],
    ['google', 2, 0],
    ['review.example', 1, 0],
  ])
  expect(answer.groups.campaign).toMatchObject([{ name: 'fall', source: 'google', stages: { received: 2 } }])
  expect(rowsOf(answer, 'state')).toEqual([
    ['TX', 3, 0],
    ['NY', 2, 1],
  ])
  expect(answer.totalGroups).toEqual({ clinic: 3, source: 3, campaign: 1, state: 2 })
})

it('answers have a median and the share in time, of those that are answered or past their time', async () => {
  const providerId = await provider()
  for (const minutes of [10, 20, 90, null]) await clock(await lead({ providerId }), minutes)
  // Not worked out yet.
  await lead({ providerId })
  await clock(await lead({ providerId, at: BEFORE }), 30, BEFORE)

  const { answers } = await read()
  expect(answers.now).toEqual({ answered: 3, medianMs: 20 * 60_000, inTime: 2, due: 4 })
  expect(answers.before).toEqual({ answered: 1, medianMs: 30 * 60_000, inTime: 1, due: 1 })
})

it('clinics that need attention are those with late answers, silence, refused emails and a declining share', async () => {
  const [late, silent, refused, declining, fine] = [
    await provider(),
    await provider(),
    await provider(),
    await provider(),
    await provider(),
  ]
  await clock(await lead({ providerId: late }), null)
  for (let count = 0; count < 5; count++) await clock(await lead({ providerId: silent }), null)
  const failed = { state: 'failed' as const, last_cause: 'unknown_mailbox' as const, finished_at: new Date() }
  const bounced = await lead({ providerId: refused })
  await database.db('jobs').where({ subject_kind: 'lead', subject_id: bounced, purpose: 'provider' }).update(failed)
  for (let count = 0; count < 10; count++) {
    await lead({ providerId: declining, at: BEFORE, outcome: 'booked' })
    await lead({ providerId: declining, outcome: 'reached' })
  }
  await clock(await lead({ providerId: fine, outcome: 'reached' }), 5)

  const { attention, totalAttention } = await read()
  expect(totalAttention).toBe(4)
  expect(Object.fromEntries(attention.map(({ providerId, reasons }) => [providerId, reasons]))).toEqual({
    [late]: [{ kind: 'late', leads: 1 }],
    [silent]: [
      { kind: 'silent', leads: 5 },
      { kind: 'late', leads: 5 },
    ],
    [refused]: [{ kind: 'refused', leads: 1 }],
    [declining]: [{ kind: 'declining', share: 0, before: 1 }],
  })
})
