import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Candidate,
  type Candidates,
  chooseProvider,
  chooseProviders,
  obstacleOf,
  type RulesNow,
  withRepeat,
} from '../../../../core/leads/rules/matching.ts'

const NONE: RulesNow = {
  isPaused: false,
  pausedUntil: null,
  caps: [],
  radiusMiles: null,
  hasExtraZip: false,
  isZipExcluded: false,
  backupId: null,
  priority: 0,
}
const near = (id: number, miles: number | null, rules: Partial<RulesNow> = {}) => ({
  ...{ id, name: `Clinic ${id}`, miles, leadCount: 0 },
  rules: { ...NONE, ...rules },
})
const full = (used = 10) => ({ caps: [{ period: 'day' as const, used, cap: 10 }] })
const choose = (nearest: Candidate[], more: Partial<Candidates> = {}) =>
  chooseProvider({ nearest, ...more, radiusMiles: 100 })

describe('a provider with rules', () => {
  it('is skipped while it is paused, with the end of its pause', () => {
    const until = '2026-12-01T05:00:00.000Z'
    expect(choose([near(1, 2, { isPaused: true, pausedUntil: until }), near(2, 12)])).toEqual({
      ...{ providerId: 2, kind: 'nearest', miles: 12 },
      skipped: [{ id: 1, name: 'Clinic 1', miles: 2, isChosen: false, obstacle: { reason: 'paused', until } }],
    })
  })

  it.each(['day', 'week', 'month'] as const)('is skipped when its %s is full, with the figures', (period) => {
    const caps = [{ period, used: 10, cap: 10 }]
    const match = choose([near(1, 2, { caps }), near(2, 12)])
    expect(match.providerId).toBe(2)
    expect(match.skipped?.[0]?.obstacle).toEqual({ reason: 'full', period, used: 10, cap: 10 })
  })

  it('takes its last place, under the lock of the caps', () => {
    expect(choose([near(1, 2, full(9)), near(2, 12)])).toEqual({
      providerId: 1,
      kind: 'nearest',
      miles: 2,
      isCapped: true,
    })
  })

  it('is skipped when it excludes the zip, or is beyond its own radius', () => {
    expect(choose([near(1, 2, { isZipExcluded: true }), near(2, 12)])).toMatchObject({
      providerId: 2,
      skipped: [{ obstacle: { reason: 'excluded' } }],
    })
    const match = choose([near(1, 30, { radiusMiles: 20 }), near(2, 40)])
    expect(match).toMatchObject({ providerId: 2, skipped: [{ obstacle: { reason: 'too_far', radiusMiles: 20 } }] })
  })

  it('takes an extra zip at any distance, also without a place on the map', () => {
    expect(choose([near(1, 900, { hasExtraZip: true })]).providerId).toBe(1)
    expect(choose([near(1, null, { hasExtraZip: true })])).toMatchObject({ providerId: 1, miles: null })
    expect(choose([near(1, 900, { hasExtraZip: true, isPaused: true })]).providerId).toBeNull()
    expect(choose([near(1, null, { hasExtraZip: true }), near(2, 12)]).providerId).toBe(2)
  })

  it('comes before nearer ones with priority 1, within the radius only', () => {
    expect(choose([near(1, 2), near(2, 90, { priority: 1 })])).toMatchObject({ providerId: 2, miles: 90 })
    expect(choose([near(1, 2), near(2, 101, { priority: 1 })])).toEqual({ providerId: 1, kind: 'nearest', miles: 2 })
  })

  it('gets a lead with priority -1 only when no other takes it', () => {
    const last = near(1, 2, { priority: -1 })
    expect(choose([last, near(2, 90)]).providerId).toBe(2)
    expect(choose([last, near(2, 90, { isPaused: true })]).providerId).toBe(1)
  })
})

describe('a backup', () => {
  const backups = [near(8, 1), near(9, 80)]

  it.each([
    ['paused', { isPaused: true }],
    ['full', full()],
  ])('of a %s provider comes before the next nearest', (_, rules) => {
    expect(choose([near(1, 2, { ...rules, backupId: 9 }), near(2, 12)], { backups })).toMatchObject({
      ...{ providerId: 9, kind: 'nearest', miles: 80 },
      skipped: [{ id: 1 }],
    })
  })

  it('is not asked when its provider excludes the zip, or when it is out of reach or takes nothing itself', () => {
    expect(choose([near(1, 2, { isZipExcluded: true, backupId: 9 }), near(2, 12)], { backups }).providerId).toBe(2)
    const one = near(1, 2, { isPaused: true, backupId: 9 })
    for (const backup of [near(9, 101), near(9, 80, full()), near(9, 80, { isPaused: true }), near(9, null)]) {
      expect(choose([one, near(2, 12)], { backups: [backup] }).providerId).toBe(2)
    }
  })
})

describe('the choice of the visitor', () => {
  it('counts at any distance, unless that provider is paused, full or excludes the zip', () => {
    const chosen = near(7, 2500, { radiusMiles: 10 })
    expect(choose([near(1, 2)], { chosen })).toEqual({ providerId: 7, kind: 'chosen', miles: 2500 })
    for (const rules of [{ isPaused: true }, full(), { isZipExcluded: true }]) {
      expect(choose([near(1, 2)], { chosen: near(7, 2500, rules) })).toMatchObject({
        ...{ providerId: 1, kind: 'nearest' },
        skipped: [{ id: 7, isChosen: true }],
      })
    }
  })

  it('goes to the backup first, and to nobody when nobody takes it', () => {
    const chosen = near(7, 3, { isPaused: true, backupId: 9 })
    expect(choose([near(1, 2)], { chosen, backups: [near(9, 50)] }).providerId).toBe(9)
    expect(choose([near(1, 2, full())], { chosen })).toMatchObject({
      ...{ providerId: null, nearestMiles: 2 },
      skipped: [{ id: 7 }, { id: 1 }],
    })
  })
})

it('names three skipped providers at most, those that may have room again first', () => {
  const skipped = choose([near(1, 1, { isZipExcluded: true }), ...[2, 3, 4].map((id) => near(id, id, full()))]).skipped
  expect(skipped?.map(({ id }) => id)).toEqual([2, 3, 4])
})

it('gives each place once among leads that are matched together', () => {
  const found = Array.from({ length: 5 }, () => ({ chosen: null, nearest: [near(1, 2, full(7)), near(2, 12)] }))
  const matches = chooseProviders(found, { radiusMiles: 100 })
  expect(matches.map(({ providerId }) => providerId)).toEqual([1, 1, 1, 2, 2])
  expect(matches[4]?.skipped?.[0]?.obstacle).toMatchObject({ used: 10, cap: 10 })
})

const anyRules = fc.record({
  isPaused: fc.boolean(),
  pausedUntil: fc.constant(null),
  caps: fc.array(
    fc.record({ period: fc.constant('week' as const), used: fc.nat(3), cap: fc.integer({ min: 1, max: 3 }) }),
  ),
  radiusMiles: fc.option(fc.integer({ min: 1, max: 150 })),
  hasExtraZip: fc.boolean(),
  isZipExcluded: fc.boolean(),
  backupId: fc.option(fc.integer({ min: 1, max: 8 })),
  priority: fc.constantFrom(-1, 0, 1),
})
const places = fc.array(fc.record({ miles: fc.option(fc.integer({ min: 0, max: 200 })), rules: fc.option(anyRules) }), {
  maxLength: 8,
})
const candidatesIn = (list: { miles: number | null; rules: RulesNow | null }[]) =>
  list.map((place, index) => ({ ...place, id: index + 1, name: '', leadCount: 0 }))

it('never chooses a provider that is paused, full or out of reach, or that excludes the zip, and chooses one if it can', () => {
  fc.assert(
    fc.property(places, fc.nat(8), (list, chosenId) => {
      const all = candidatesIn(list)
      const chosen = all.find(({ id }) => id === chosenId) ?? null
      const match = chooseProvider({ chosen, nearest: all, backups: all, radiusMiles: 100 })
      const takes = all.filter(
        (each) => obstacleOf(each, { radiusMiles: 100 }, each === chosen ? 'chosen' : 'nearest') === null,
      )
      if (match.providerId === null) expect(takes).toEqual([])
      else expect(takes.map(({ id }) => id)).toContain(match.providerId)
    }),
  )
})

it('equals the choice of the nearest when there are no rules', () => {
  const noRules = places.map((list) => list.map(({ miles }) => ({ miles, rules: null })))
  fc.assert(
    fc.property(noRules, (list) => {
      const inReach = candidatesIn(list).filter(({ miles }) => miles !== null && miles <= 100)
      const best = inReach.toSorted((a, b) => Number(a.miles) - Number(b.miles) || a.id - b.id)[0]
      const match = chooseProvider({ nearest: candidatesIn(list), radiusMiles: 100 })
      expect(match.providerId).toBe(best?.id ?? null)
      expect(match.skipped).toBeUndefined()
    }),
  )
})

describe('a provider that has an earlier request of the person', () => {
  const again = { ...near(7, 2500), leadId: 41 }

  it('gets the next one at any distance, also when it is full, and the usual choice is known', () => {
    const usual = { again: { leadId: 41, usualId: 1 } }
    expect(choose([near(1, 2)], { again })).toEqual({ providerId: 7, kind: 'again', miles: 2500, ...usual })
    const isFull = { ...near(7, 2500, full()), leadId: 41 }
    expect(choose([near(1, 2)], { again: isFull })).toEqual({ providerId: 7, kind: 'again', miles: 2500, ...usual })
    expect(choose([], { again })).toMatchObject({ providerId: 7, again: { leadId: 41, usualId: null } })
  })

  it('is the usual choice as well when it is the nearest', () => {
    expect(choose([near(7, 2500, { hasExtraZip: true })], { again })).toMatchObject({
      kind: 'again',
      again: { usualId: 7 },
    })
  })

  it.each([
    ['is paused', { isPaused: true }],
    ['excludes the zip', { isZipExcluded: true }],
  ])('does not get it when it %s, and the match says so', (_, rules) => {
    const match = choose([near(1, 2)], { again: { ...near(7, 2500, rules), leadId: 41 } })
    expect(match).toMatchObject({
      providerId: 1,
      kind: 'nearest',
      skipped: [{ id: 7, isAgain: true, isChosen: false }],
    })
    expect(match).not.toHaveProperty('again')
  })

  it('comes after the choice of the visitor', () => {
    expect(choose([], { chosen: near(5, 30), again })).toMatchObject({ providerId: 5, kind: 'chosen' })
    expect(choose([], { chosen: near(5, 30, { isPaused: true }), again })).toMatchObject({
      providerId: 7,
      kind: 'again',
    })
    expect(choose([near(1, 2)], { chosen: near(7, 30, { isPaused: true }), again }).skipped).toHaveLength(1)
  })
})

describe('the candidates of a person who has asked before', () => {
  const found = { chosen: near(1, 2), known: [near(8, 9), near(7, 3)], nearest: [near(1, 2), near(2, 3)] }

  it('have the provider of the earlier request, if it is known, and those that declined one only if chosen', () => {
    const backups = [near(1, 2), near(3, 4)]
    expect(withRepeat({ ...found, backups }, { again: { providerId: 7, leadId: 41 }, except: [1] })).toEqual({
      chosen: near(1, 2),
      again: { ...near(7, 3), leadId: 41 },
      nearest: [near(2, 3)],
      backups: [near(3, 4)],
    })
    expect(withRepeat(found, { again: { providerId: 6, leadId: 41 } })).toMatchObject({ again: null })
  })

  it('are all others without an earlier request', () => {
    const { chosen, nearest } = found
    expect(withRepeat({ chosen, nearest }, {})).toEqual({ chosen, again: null, nearest })
    expect(withRepeat(found, { again: null })).toMatchObject({ again: null, nearest })
  })
})
