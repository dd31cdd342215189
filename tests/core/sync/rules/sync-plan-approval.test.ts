import { describe, expect, it } from 'vitest'
import type { ApprovalReason } from '../../../../core/sync/contract/sync.ts'
import {
  allowedChanges,
  reasonsFor,
  refusalOf,
  type SensitiveChange,
  withoutApproved,
} from '../../../../core/sync/rules/sync-approval.ts'
import { planSync } from '../../../../core/sync/rules/sync-plan.ts'
import { inactive, post, provider, reading } from '../../../support/sync-plan.ts'

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => provider(index + 1, { website: 'https://clinics.example' }))
const CENTERS = new Map([
  ['78701', { latitude: 30.27, longitude: -97.74 }],
  ['78702', { latitude: 30.26, longitude: -97.71 }],
  ['10007', { latitude: 40.71, longitude: -74.01 }],
])
/** The reasons of a run in which the posts of so many of ten providers are changed. */
const reasonsOf = (count: number, change: Parameters<typeof post>[1], known = many(10)) => {
  const posts = known.map(({ id }) => post(id, { website: 'https://clinics.example', ...(id <= count ? change : {}) }))
  const { sensitive, allowedChanges } = planSync(known, reading(posts), [], 'localhost', CENTERS)
  return reasonsFor(sensitive, allowedChanges)
}

describe('how many changes of a kind need no approval', () => {
  it.each([
    [0, 3],
    [30, 3],
    [39, 3],
    [40, 4],
    [1000, 100],
  ])('of %i active providers: %i', (active, allowed) => expect(allowedChanges(active)).toBe(allowed))

  it('counts active providers only', () => {
    const known = [...many(59), provider(60, { isActive: false })]
    expect(planSync(known, reading([])).allowedChanges).toBe(5)
  })
})

describe('a run needs approval', () => {
  it('that deactivates one more, gone or inactive', () => {
    const known = many(10).map((one) => ({ ...one, missedSyncs: 2 }))
    const run = (...gone: number[]) => {
      const plan = planSync(known, reading([inactive(1), inactive(2)], { removed: new Set(gone) }))
      return reasonsFor(plan.sensitive, plan.allowedChanges)
    }
    expect(run(30)).toEqual([])
    expect(run(30, 40)).toEqual([{ kind: 'deactivate', count: 4 }])
  })

  it.each([
    ['email', { email: 'all@thief.example' }],
    ['phone', { phone: '(900) 555-0100' }],
  ])('that changes one %s more', (kind, change) => {
    expect(reasonsOf(3, change)).toEqual([])
    expect(reasonsOf(4, change)).toEqual([{ kind, count: 4 }])
  })

  it.each([
    ['place', { latitude: 30.36, longitude: -97.74 }],
    ['place', { latitude: null, longitude: null, zipCode: '10007' }],
    ['place', { latitude: null, longitude: null, zipCode: '00000' }],
    ['place', { zipCode: '10007', latitude: 40.71, longitude: -74.01 }],
    ['website', { website: 'https://thief.example/' }],
    ['website', { website: 'https://clinics.example@thief.example/' }],
    ['website', { website: 'https://clinics.www.example/' }],
    ['address', { address: '1 Thief Street' }],
    ['name', { practiceName: 'Thief & Sons' }],
    ['name', { name: 'Dr. T. Hief' }],
  ])('that changes one %s more: %j', (kind, change) => {
    expect(reasonsOf(3, change)).toEqual([])
    expect(reasonsOf(4, change)).toEqual([{ kind, count: 4 }])
  })

  it('that changes one more of a kind than are left of the day', () => {
    const earlier = (count: number) =>
      Array.from({ length: count }, (_, id): SensitiveChange => ({ kind: 'create', id, to: null }))
    const one: SensitiveChange[] = [{ kind: 'create', id: 9, to: null }]
    expect(reasonsFor(one, 3, earlier(2))).toEqual([])
    expect(reasonsFor(one, 3, earlier(3))).toEqual([{ kind: 'create', count: 1, earlier: 3 }])
    expect(reasonsFor([], 3, earlier(9))).toEqual([])
  })

  it('that changes one domain, or takes it away so that another may have it', () => {
    const known = many(10).map((one) => ({ ...one, domain: `clinic${one.id}.example` }))
    const run = (domain: string | null) => {
      const plan = planSync(known, reading([post(1, { domain })]))
      return reasonsFor(plan.sensitive, plan.allowedChanges)
    }
    expect(run('clinic1.example')).toEqual([])
    expect(run('CLINIC1.example')).toEqual([])
    expect(run('thief.example')).toEqual([{ kind: 'domain', count: 1 }])
    expect(run(null)).toEqual([{ kind: 'domain', count: 1 }])
  })

  it('that reactivates one more', () => {
    const known = many(10).map((one) => ({ ...one, isActive: one.id > 4 }))
    expect(reasonsOf(0, {}, known)).toEqual([{ kind: 'reactivate', count: 4 }])
    expect(reasonsOf(0, {}, known.slice(1))).toEqual([])
  })

  it('that creates one more, unless it is the first of an empty network', () => {
    const created = (count: number) => Array.from({ length: count }, (_, index) => post(100 + index))
    const run = (known: ReturnType<typeof many>, count: number) => {
      const plan = planSync(known, reading([...known.map(({ id }) => post(id)), ...created(count)]))
      return reasonsFor(plan.sensitive, plan.allowedChanges)
    }
    expect(run(many(10), 3)).toEqual([])
    expect(run(many(10), 4)).toEqual([{ kind: 'create', count: 4 }])
    expect(run([], 500)).toEqual([])
  })
})

describe('another spelling', () => {
  it.each([
    [{ email: 'Clinic@Clinics.example' }],
    [{ phone: '512-555-0199' }],
    [{ phone: '+1 512 555 0199' }],
    [{ phone: null }],
    [{ website: null }],
    [{ website: 'http://www.clinics.example/contact' }],
    [{ website: 'www.clinics.example/?from=https://thief.example' }],
    [{ address: null }],
    [{ address: '1, MAIN  Street.' }],
    [{ practiceName: null }],
    [{ latitude: null, longitude: null, zipCode: '78701-1234' }],
    [{ name: 'DR INÉS  CALLOWAY' }],
    [{ practiceName: 'Calloway-Clinic' }],
    [{ latitude: 30.31, longitude: -97.74 }],
    [{ zipCode: '78702' }],
    [{ latitude: null, longitude: null }],
  ])('%j of the same is no sensitive change', (change) => expect(reasonsOf(10, change)).toEqual([]))

  it('is none either where an address goes back to the one that mail goes to', () => {
    const known = many(10).map((one) => ({ ...one, email: 'all@thief.example' }))
    expect(reasonsOf(0, {}, known)).toEqual([])
    const { sensitive } = planSync([{ ...provider(1), email: 'all@thief.example' }], reading([post(1, { phone: '1' })]))
    expect(sensitive).toEqual([{ kind: 'phone', id: 1, to: '1' }])
  })

  it('is a change where there was no value, but for a domain', () => {
    const known = [provider(1, { phone: null, practiceName: null, domain: '' })]
    const { sensitive } = planSync(known, reading([post(1, { domain: 'clinic1.example' })]))
    expect(sensitive.map(({ kind }) => kind)).toEqual(['phone', 'name'])
  })
})

describe('an approval', () => {
  const change = (id: number, to: string): SensitiveChange => ({ kind: 'email', id, to })

  it('is for the very changes that were listed', () => {
    const approved = [1, 2, 3, 4].map((id) => change(id, 'new@clinic.example'))
    expect(withoutApproved(approved, approved)).toEqual([])
    const others = [...approved.slice(1), change(1, 'all@thief.example')]
    expect(withoutApproved(others, approved)).toEqual([change(1, 'all@thief.example')])
  })

  it('is for the new values, and for all fields of a new provider', () => {
    const posts = [post(1, { email: 'new@clinic.example', name: 'Jo Li', practiceName: 'Li' }), post(2)]
    const { sensitive, creations } = planSync([provider(1)], reading(posts))
    expect(sensitive).toEqual([
      { kind: 'email', id: 1, to: 'new@clinic.example' },
      { kind: 'name', id: 1, to: '["Jo Li","Li"]' },
      { kind: 'create', id: 20, to: JSON.stringify(creations[0]?.fields) },
    ])
  })

  it.each<[ApprovalReason['kind'], string]>([
    ['email', '1 email address would change at once'],
    ['domain', '1 provider would lose or change the domain.'],
    ['place', '1 provider would move more than 5 miles at once'],
    ['phone', '1 phone number would change at once'],
    ['website', '1 website would change at once'],
    ['address', '1 street address would change at once'],
    ['name', '1 name would change at once'],
    ['deactivate', '1 provider would be deactivated at once'],
    ['reactivate', '1 provider would be reactivated at once'],
    ['create', '1 provider would be created at once'],
  ])('is asked for in words: %s', (kind, words) => {
    const more = kind === 'domain' ? '' : ', which is more than 0.'
    expect(refusalOf([{ kind, count: 1 }], 0)).toBe(
      `${words}${more} Nothing was changed: a manager must approve it first.`,
    )
  })

  it('is asked for the changes within a day, each kind in the plural', () => {
    const sentence = (kind: ApprovalReason['kind']) => refusalOf([{ kind, count: 2, earlier: 3 }], 4).split(' would')[0]
    expect(refusalOf([{ kind: 'website', count: 2, earlier: 3 }], 4)).toMatch(
      /^2 websites would change after 3 within a day, which is more than 4\./,
    )
    expect([sentence('email'), sentence('address')]).toEqual(['2 email addresses', '2 street addresses'])
  })

  it('is asked for with the most dangerous reason first', () => {
    const reasons = reasonsOf(4, { email: 'all@thief.example', phone: '1' })
    expect(refusalOf(reasons, 3)).toBe(
      '4 email addresses would change at once, which is more than 3. 4 phone numbers would change at once, which is more than 3. Nothing was changed: a manager must approve it first.',
    )
  })
})
