import { describe, expect, it } from 'vitest'
import { assignProvider, choose } from '../../../../core/leads/assign-provider.ts'
import { deleteLead } from '../../../../core/leads/change-lead.ts'
import type { Wanted } from '../../../../core/leads/rules/matching.ts'
import { findCandidates } from '../../../../core/leads/stores/candidates.ts'
import { only } from '../../../../core/platform/db.ts'
import { changeRules } from '../../../../core/providers/change-provider.ts'
import type { RulesChange } from '../../../../core/providers/contract/provider-rules.ts'
import * as providerRules from '../../../../core/providers/stores/provider-rules.ts'
import { useDatabase } from '../../../support/database.ts'
import { createLead, createProvider } from '../../../support/factories.ts'

const database = useDatabase()

const STAFF = { actor: 'staff' }
const IN_AUSTIN = [
  { latitude: 30.27, longitude: -97.74 },
  { latitude: 30.37, longitude: -97.74 },
  { latitude: 30.57, longitude: -97.74 },
] as const
const clinic = async (place: (typeof IN_AUSTIN)[number], rules: RulesChange = {}) => {
  const { id } = await createProvider(database.db, place)
  await changeRules(database.db, id, rules, STAFF)
  return id
}
const match = (wanted: Partial<Wanted> = {}) => choose(database.db, { zip: '78702', ...wanted }, 100)

describe('the candidates under rules', () => {
  it('are the nearest ones with their rules, their backups, the preferred ones and those with the zip as extra', async () => {
    const [one, two, three] = IN_AUSTIN
    const backup = await clinic(three)
    const paused = await clinic(one, { is_paused: true, backup_provider_id: backup })
    const preferred = await clinic(two, { priority: 1, radius_miles: 20 })
    const { id: far } = await createProvider(database.db, { zip_code: '10001' })
    await changeRules(database.db, far, { extra_zips: ['78702'], daily_cap: 5 }, STAFF)

    const [found] = await findCandidates(database.db, [{ zip: '78702' }])
    const rules = new Map(found?.nearest.map((each) => [each.id, each.rules]))
    expect([...rules.keys()].toSorted((a, b) => a - b)).toEqual(
      [backup, paused, preferred, far].toSorted((a, b) => a - b),
    )
    expect(rules.get(paused)).toMatchObject({ isPaused: true, pausedUntil: null, backupId: backup })
    expect(rules.get(preferred)).toMatchObject({ priority: 1, radiusMiles: 20 })
    expect(rules.get(far)).toMatchObject({ hasExtraZip: true, caps: [{ period: 'day', used: 0, cap: 5 }] })
    expect(found?.backups?.map(({ id }) => id)).toEqual([backup])
  })

  it('leave out those that must not get the lead, unless one is chosen', async () => {
    const [one, two, three] = IN_AUSTIN
    const backup = await clinic(three)
    const paused = await clinic(one, { is_paused: true, backup_provider_id: backup })
    const next = await clinic(two)
    expect((await match()).providerId).toBe(backup)
    expect((await match({ except: [backup] })).providerId).toBe(next)
    expect((await match({ except: [backup, next] })).providerId).toBeNull()
    expect((await match({ chosenId: next, except: [next, paused] })).providerId).toBe(next)
  })

  it('are as many as it takes to find one with room', async () => {
    const near = await database.db('providers').insert(
      Array.from({ length: 45 }, (_, n) => ({
        ...{ name: `Dr. ${n}`, email: `c${n}@clinics.example`, zip_code: '78702' },
        ...{ latitude: 30.27 + n / 1000, longitude: -97.74 },
      })),
      'id',
    )
    await database
      .db('provider_rules')
      .insert(near.slice(0, 44).map(({ id }) => ({ provider_id: id, is_paused: true, updated_by: 'staff' })))
    expect((await match()).providerId).toBe(near[44]?.id)
    expect((await match()).skipped).toHaveLength(3)
  })

  it('follow a priority that changes', async () => {
    const [one, two] = IN_AUSTIN
    const nearest = await clinic(one)
    const other = await clinic(two, { priority: 1 })
    expect((await match()).providerId).toBe(other)
    await changeRules(database.db, other, { priority: 0 }, STAFF)
    expect((await match()).providerId).toBe(nearest)
  })
})

it('a pause ends by itself', async () => {
  const id = await clinic(IN_AUSTIN[0], {
    is_paused: true,
    paused_until: new Date(Date.now() + 60_000).toISOString(),
  })
  expect((await match()).providerId).toBeNull()
  await database.db('provider_rules').update({ paused_until: new Date(Date.now() - 1) })
  expect((await match()).providerId).toBe(id)
  expect((await providerRules.find(database.db, id)).rules).toMatchObject({ is_paused: false, paused_until: null })
})

describe('a cap', () => {
  const used = async (id: number) => (await providerRules.find(database.db, id)).used

  it('counts the leads of the day, the week and the month in the time zone of the network', async () => {
    const id = await clinic(IN_AUSTIN[0], { daily_cap: 2, weekly_cap: 3, monthly_cap: 4 })
    const first = await createLead(database.db, { providerId: id })
    expect(await used(id)).toEqual({ day: 1, week: 1, month: 1 })

    const zone = only(await database.db('network').select('time_zone')).time_zone
    await database.db.raw(
      `update answer_clocks set started_at = start_of_day((now() at time zone ?)::date, ?) - interval '1 second'
       where lead_id = ?`,
      [zone, zone, first],
    )
    expect((await used(id)).day).toBe(0)
    await database.db('answer_clocks').update({ started_at: database.db.raw(`now() - interval '32 days'`) })
    expect(await used(id)).toEqual({ day: 0, week: 0, month: 0 })
  })

  it('counts no held lead, keeps the place of a deleted one, and gives back that of one which moves on', async () => {
    const [one, two] = IN_AUSTIN
    const id = await clinic(one, { daily_cap: 2 })
    const other = await clinic(two)
    await createLead(database.db, { providerId: id, heldReason: 'honeypot' })
    const deleted = await createLead(database.db, { providerId: id })
    await deleteLead(database.db, deleted, STAFF)
    const moved = await createLead(database.db, { providerId: id })
    expect((await used(id)).day).toBe(2)
    expect(await match()).toMatchObject({
      providerId: other,
      skipped: [{ id, obstacle: { reason: 'full', period: 'day', used: 2, cap: 2 } }],
    })

    await assignProvider(database.db, moved, other, STAFF)
    expect((await used(id)).day).toBe(1)
    expect((await match()).providerId).toBe(id)
  })

  it('does not stop staff, who may choose a full clinic', async () => {
    const id = await clinic(IN_AUSTIN[0], { daily_cap: 1 })
    await createLead(database.db, { providerId: id })
    const lead = await createLead(database.db)
    expect(await assignProvider(database.db, lead, id, STAFF)).toMatchObject({ provider_id: id, match_skipped: null })
    expect((await used(id)).day).toBe(2)
  })
})
