import { describe, expect, it } from 'vitest'
import { SyncCounts } from '../../../../core/sync/contract/sync.ts'
import type { SensitiveChange } from '../../../../core/sync/rules/sync-approval.ts'
import { MISSED_SYNCS, planSync, standingOf, unactivatedBy } from '../../../../core/sync/rules/sync-plan.ts'
import type { PostedProvider } from '../../../../core/sync/rules/wordpress-mapping.ts'
import { FIELDS, inactive, post, provider, reading } from '../../../support/sync-plan.ts'

const NO_COUNTS = Object.fromEntries(SyncCounts.keyof().options.map((name) => [name, 0]))

const gone = (...ids: number[]) => reading([], { removed: new Set(ids.map((id) => id * 10)) })
const IN_AUSTIN = { name: 'Dr. Ines Calloway', zipCode: '78701' }

describe('a reading without a change', () => {
  it('is a plan of nothing', () => {
    expect(planSync([provider(1)], reading([post(1)]))).toEqual({
      creations: [],
      updates: [],
      missed: [],
      newEmails: [],
      sensitive: [],
      allowedChanges: 3,
      changes: [],
      skipped: [],
      counts: { ...NO_COUNTS, seen: 1, unchanged: 1 },
    })
  })

  it('leaves providers alone that are neither read nor gone', () => {
    expect(planSync([provider(1)], reading([], { unreadable: 1 })).counts).toEqual({ ...NO_COUNTS, unreadable: 1 })
  })
})

describe('a new post', () => {
  it('creates a provider, with the usual values of fields that it does not have', () => {
    const { name, zipCode, email } = FIELDS
    const plan = planSync([], reading([post(5, {}, { fields: { name, zipCode, email } })]))
    const nothing = Object.fromEntries(Object.keys(FIELDS).map((field) => [field, null]))
    expect(plan.creations).toEqual([
      {
        wordpressId: 50,
        isActive: true,
        isHidden: false,
        fields: { ...nothing, name, zipCode, email, accepts_free_consultation: false, accepts_financing: false },
      },
    ])
    expect(plan.changes).toEqual([
      {
        kind: 'create',
        wordpress_id: 50,
        provider_id: null,
        ...IN_AUSTIN,
        reason: null,
        fields: [{ field: 'email', from: null, to: email }],
      },
    ])
    expect(plan.counts).toEqual({ ...NO_COUNTS, seen: 1, created: 1 })
  })

  it('creates a provider that is inactive when it says so', () => {
    expect(planSync([], reading([inactive(5)])).creations).toMatchObject([{ isActive: false }])
  })
})

describe('a post that has changed', () => {
  it('updates the whole row of its provider, and the change lists each field', () => {
    const plan = planSync([provider(1)], reading([post(1, { phone: null, accepts_financing: true })]))
    expect(plan.updates).toEqual([
      {
        id: 1,
        isActive: true,
        isHidden: false,
        missedSyncs: 0,
        fields: { ...FIELDS, phone: null, accepts_financing: true },
      },
    ])
    expect(plan.changes).toEqual([
      {
        kind: 'update',
        wordpress_id: 10,
        provider_id: 1,
        ...IN_AUSTIN,
        reason: null,
        fields: [
          { field: 'phone', from: '(512) 555-0199', to: null },
          { field: 'accepts_financing', from: false, to: true },
        ],
      },
    ])
    expect(plan.newEmails).toEqual([])
    expect(plan.counts).toEqual({ ...NO_COUNTS, seen: 1, updated: 1 })
  })

  it('keeps a field that it does not have', () => {
    const plan = planSync([provider(1)], reading([post(1, {}, { fields: { phone: '1' } })]))
    expect(plan.updates[0]?.fields).toEqual({ ...FIELDS, phone: '1' })
  })

  it('deactivates its provider at once when it says so', () => {
    const plan = planSync([provider(1)], reading([inactive(1)]))
    expect(plan.updates).toEqual([{ id: 1, isActive: false, isHidden: false, missedSyncs: 0, fields: FIELDS }])
    expect(plan.sensitive).toEqual([{ kind: 'deactivate', id: 1, to: null }])
    expect(plan.changes).toEqual([
      { kind: 'deactivate', wordpress_id: 10, provider_id: 1, ...IN_AUSTIN, reason: 'inactive', fields: [] },
    ])
    expect(plan.counts).toEqual({ ...NO_COUNTS, seen: 1, deactivated: 1 })
  })

  it('activates its provider again, whose fields may change as well', () => {
    const plan = planSync([provider(1, { isActive: false })], reading([post(1, { phone: '1' })]))
    expect(plan.updates).toMatchObject([{ id: 1, isActive: true }])
    expect(plan.sensitive.map(({ kind }) => kind)).toEqual(['phone', 'reactivate'])
    expect(plan.changes).toMatchObject([{ kind: 'reactivate', reason: null, fields: [{ field: 'phone' }] }])
    expect(plan.counts).toEqual({ ...NO_COUNTS, seen: 1, reactivated: 1 })
  })
})

describe('a post that is not published', () => {
  const draft = (id: number) => post(id, {}, { isActive: false, isHidden: true })

  it('hides its provider, new or known, active or not', () => {
    const plan = planSync([provider(1), provider(2, { isActive: false })], reading([draft(1), draft(2), draft(3)]))
    expect(plan.updates).toMatchObject([
      { id: 1, isActive: false, isHidden: true },
      { id: 2, isActive: false, isHidden: true },
    ])
    expect(plan.creations).toMatchObject([{ wordpressId: 30, isActive: false, isHidden: true }])
    expect(plan.changes).toContainEqual(expect.objectContaining({ kind: 'deactivate', fields: [] }))
    const ofSecond = plan.changes.find(({ provider_id }) => provider_id === 2)
    expect(ofSecond).toMatchObject({ kind: 'update', fields: [{ field: 'hidden', from: false, to: true }] })
  })

  it('hides it also where it is unusable', () => {
    const plan = planSync([provider(1)], reading([{ ...draft(1), problems: ['It is odd.'] }]))
    expect(plan.updates).toMatchObject([{ id: 1, isActive: false, isHidden: true }])
  })

  it('hides an inactive provider by the third run that misses it', () => {
    const missedBy = (missedSyncs: number) => planSync([provider(1, { isActive: false, missedSyncs })], gone(1))
    expect(missedBy(1)).toMatchObject({ missed: [{ id: 1, missedSyncs: 2 }], counts: { missing: 0 } })
    expect(missedBy(2)).toMatchObject({ updates: [{ id: 1, isHidden: true }], counts: { updated: 1, deactivated: 0 } })
    const hidden = { field: 'hidden', from: false, to: true }
    expect(missedBy(2).changes).toMatchObject([{ kind: 'update', reason: null, fields: [hidden] }])
  })

  it('shows it again once it is published', () => {
    const known = provider(1, { isActive: false, isHidden: true })
    expect(planSync([known], reading([inactive(1)])).updates).toMatchObject([{ isActive: false, isHidden: false }])
  })
})

describe('the changes', () => {
  it('are in the order of their danger: addresses, domains, phones, then deactivated, reactivated, created, updated', () => {
    const known = [
      provider(1),
      provider(2, { isActive: false }),
      ...[4, 5, 6, 7].map((id) => provider(id)),
      provider(8, { domain: 'a.example' }),
    ]
    const posts = [
      post(1, { image_url: 'https://clinics.example/new.jpg' }),
      post(2),
      post(3),
      inactive(4),
      post(6, { phone: '1' }),
      post(7, { email: 'all@thief.example' }),
      post(8, { domain: 'b.example' }),
    ]
    const plan = planSync(known, reading(posts, { removed: new Set([50]) }))
    expect(plan.changes.map(({ kind, provider_id }) => `${kind} ${provider_id}`)).toEqual([
      'update 7',
      'update 8',
      'update 6',
      'deactivate 4',
      'reactivate 2',
      'create null',
      'update 1',
    ])
  })

  it('have an empty name or zip of a provider that has none', () => {
    const nameless = provider(1, { name: null, zipCode: null, missedSyncs: MISSED_SYNCS - 1 })
    expect(planSync([nameless], gone(1)).changes).toMatchObject([{ name: '', zipCode: '' }])
  })
})

describe('a provider whose post is gone', () => {
  it('stays in the first two runs that miss it, which are counted', () => {
    for (const missedSyncs of [0, 1]) {
      const plan = planSync([provider(1, { missedSyncs })], gone(1))
      expect(plan).toMatchObject({ updates: [], sensitive: [], changes: [] })
      expect(plan.missed).toEqual([{ id: 1, missedSyncs: missedSyncs + 1 }])
      expect(plan.counts).toEqual({ ...NO_COUNTS, missing: 1 })
    }
  })

  it('is deactivated by the third run that misses it', () => {
    const plan = planSync([provider(1, { missedSyncs: 2 })], gone(1))
    expect(plan.updates).toEqual([{ id: 1, isActive: false, isHidden: true, missedSyncs: 3, fields: FIELDS }])
    expect(plan).toMatchObject({ missed: [], sensitive: [{ kind: 'deactivate', id: 1 }] })
    expect(plan.changes).toEqual([
      { kind: 'deactivate', wordpress_id: 10, provider_id: 1, ...IN_AUSTIN, reason: 'missing', fields: [] },
    ])
    expect(plan.counts).toEqual({ ...NO_COUNTS, deactivated: 1 })
  })

  it('is left alone when it is inactive and hidden', () => {
    const plan = planSync([provider(1, { isActive: false, isHidden: true, missedSyncs: 2 })], gone(1))
    expect(plan).toMatchObject({ updates: [], missed: [], changes: [], counts: NO_COUNTS })
  })

  it('counts from the beginning once it is seen again, which is no change that anybody sees', () => {
    const plan = planSync([provider(1, { missedSyncs: 2 })], reading([post(1)]))
    expect(plan.updates).toEqual([{ id: 1, isActive: true, isHidden: false, missedSyncs: 0, fields: FIELDS }])
    expect(plan).toMatchObject({ changes: [], counts: { ...NO_COUNTS, seen: 1, unchanged: 1 } })
  })
})

describe('a post that cannot be used', () => {
  it('is skipped, with its problems', () => {
    const plan = planSync([], reading([post(1, {}, { problems: ['One.', 'Two.'] })]))
    expect(plan.skipped).toEqual([{ wordpress_id: 10, title: 'Post 1', reason: 'One. Two.' }])
    expect(plan).toMatchObject({ creations: [], changes: [], counts: { ...NO_COUNTS, seen: 1, skipped: 1 } })
  })

  it('is skipped when it lacks what a provider needs, unless there are worse problems', () => {
    const empty = { name: null, zipCode: null, email: null }
    const reasons = (posts: PostedProvider[]) => planSync([], reading(posts)).skipped.map(({ reason }) => reason)
    expect(
      reasons([
        post(1, { name: null }),
        post(2, { zipCode: null }),
        post(3, {}, { fields: { name: 'x', zipCode: '78701' } }),
        post(4, empty),
        post(5, empty, { problems: ['One.'] }),
      ]),
    ).toEqual([
      'It has no name.',
      'It has no zip code.',
      'It has no email address.',
      'It has no name. It has no zip code. It has no email address.',
      'One.',
    ])
  })

  it('leaves its provider as it is', () => {
    const plan = planSync([provider(1)], reading([post(1, { phone: '1' }, { problems: ['One.'] })]))
    expect(plan).toMatchObject({ updates: [], changes: [], counts: { ...NO_COUNTS, seen: 1, skipped: 1 } })
  })

  it('does not activate its provider', () => {
    const plan = planSync([provider(1, { isActive: false })], reading([post(1, {}, { problems: ['One.'] })]))
    expect(plan).toMatchObject({ updates: [], changes: [] })
  })

  it('deactivates its provider when it says that it is inactive, and changes nothing else', () => {
    const plan = planSync([provider(1)], reading([post(1, { phone: '1' }, { isActive: false, problems: ['One.'] })]))
    expect(plan.updates).toEqual([{ id: 1, isActive: false, isHidden: false, missedSyncs: 0, fields: FIELDS }])
    expect(plan.counts).toEqual({ ...NO_COUNTS, seen: 1, skipped: 1, deactivated: 1 })
  })

  it('is listed before others when not even its id is known', () => {
    const unusable = [{ wordpress_id: null, title: '', reason: 'It has no id.' }]
    const plan = planSync([], reading([post(1, { name: null })], { unusable }))
    expect(plan.skipped.map(({ reason }) => reason)).toEqual(['It has no id.', 'It has no name.'])
    expect(plan.counts).toEqual({ ...NO_COUNTS, seen: 2, skipped: 2 })
    expect(unusable).toHaveLength(1)
  })
})

describe('the activation of a provider', () => {
  it('is left to a manager for new and inactive ones, but for approved ones and the first sync of a network', () => {
    const waiting = [2, 4].map((id) => provider(id, { activation: 'waiting' }))
    const known = [provider(1), provider(3, { activation: 'never' }), ...waiting]
    const approval = (kind: SensitiveChange['kind'], id: number) => ({ kind, id, to: null })
    const approved = [approval('create', 60), approval('reactivate', 4), approval('email', 50), approval('create', 3)]
    const plan = planSync(known, reading([post(5), post(6)]))
    expect(unactivatedBy(plan, known, approved)).toEqual({ posts: new Set([50]), ids: new Set([3, 2]) })
    expect(unactivatedBy(plan, [], [])).toEqual({ posts: new Set(), ids: new Set() })
  })

  it.each([
    [{ isActive: true, isHidden: false }, true, { status: 't', hidden: false, activation: 'activated' }],
    [{ isActive: false, isHidden: true }, true, { status: 'f', hidden: true, activation: 'activated' }],
    [{ isActive: true, isHidden: false }, false, { status: 'f', hidden: true, activation: 'waiting' }],
    [{ isActive: false, isHidden: true }, false, { status: 'f', hidden: true, activation: 'never' }],
    [{ isActive: false, isHidden: false }, false, { status: 'f', hidden: false, activation: 'never' }],
  ])('of %j, activated: %s, is held as %j', (status, isActivated, standing) => {
    expect(standingOf(status, { isActivated })).toEqual(standing)
  })
})
