import { describe, expect, it } from 'vitest'
import { MINUTE } from '../../../core/contract/time.ts'
import { createLead, createProvider } from '../../support/factories.ts'
import { clinicPost } from '../../support/wordpress-server.ts'
import { useSyncSite } from './sync.ts'

const site = useSyncSite()
const many = (count: number, from = 1) => Array.from({ length: count }, (_, index) => clinicPost(from + index))

describe('a sync', () => {
  it('makes a provider of each post, on however many pages they are', async () => {
    site.wordpress.posts.push(...many(250))
    const run = await site.sync()
    expect(run).toMatchObject({
      state: 'done',
      error: null,
      pages_done: 3,
      pages_total: 3,
      counts: { seen: 250, created: 250 },
    })
    expect(await site.providers()).toHaveLength(250)
    expect((await site.providers())[6]).toMatchObject({
      wordpress_id: 7,
      name: 'Dr. Number 7',
      practice_name: 'Clinic 7',
      zip_code: '78701',
      status: 't',
      latitude: 30.27,
      longitude: -97.74,
      email: 'clinic7@clinics.example',
      website: 'www.clinic7.example',
      url: `${site.wordpress.url}/providers/7/`,
      accepts_free_consultation: true,
      accepts_financing: false,
    })
    expect(site.wordpress.mostAtOnce()).toBeLessThanOrEqual(4)
  })

  it('writes what has changed, and says what', async () => {
    site.wordpress.posts.push(...many(3))
    await site.sync()
    site.wordpress.posts[1] = clinicPost(2, {}, { phone: '(512) 555-0199' })
    const run = await site.sync()
    expect(run.counts).toMatchObject({ updated: 1, unchanged: 2, created: 0 })
    expect(run.changes).toEqual([
      {
        kind: 'update',
        wordpress_id: 2,
        provider_id: (await site.providers())[1].id,
        name: 'Dr. Number 2',
        zipCode: '78701',
        reason: null,
        fields: [{ field: 'phone', from: '(512) 555-0100', to: '(512) 555-0199' }],
        recipient: 'clinic2@clinics.example',
      },
    ])
  })

  it('writes no row where nothing has changed', async () => {
    site.wordpress.posts.push(...many(5), clinicPost(9, { status: 'publish' }, { active: '0' }))
    await site.sync()
    const before = await site.versions()
    expect((await site.sync()).counts).toMatchObject({ seen: 6, unchanged: 6, updated: 0 })
    expect(await site.versions()).toEqual(before)
  })

  it('lets two providers change domains, and refuses one that another has', async () => {
    site.wordpress.posts.push(
      clinicPost(1, {}, { domain: 'one.example' }),
      clinicPost(2, {}, { domain: 'two.example' }),
    )
    await site.sync()
    site.wordpress.posts[0] = clinicPost(1, {}, { domain: 'two.example' })
    site.wordpress.posts[1] = clinicPost(2, {}, { domain: 'one.example' })
    const refused = await site.sync()
    expect(refused.error).toBe(
      '2 providers would lose or change the domain. Nothing was changed: a manager must approve it first.',
    )
    expect((await site.sync({ approves: refused.id })).counts.updated).toBe(2)
    expect((await site.providers()).map(({ domain }) => domain)).toEqual(['two.example', 'one.example'])

    await createProvider(site.db, { domain: 'Staff.example' })
    site.wordpress.posts[0] = clinicPost(1, {}, { domain: 'staff.example' })
    site.wordpress.posts.push(clinicPost(3, {}, { domain: 'one.example' }))
    const run = await site.sync()
    expect(run.skipped).toEqual([
      { wordpress_id: 1, title: 'Dr. Number 1', reason: 'The domain staff.example belongs to another provider.' },
      { wordpress_id: 3, title: 'Dr. Number 3', reason: 'The domain one.example belongs to another provider.' },
    ])
    expect(run).toMatchObject({ state: 'done', counts: { skipped: 2, unchanged: 1 } })
  })
})

it.each([
  ['answers', async () => new Promise((resolve) => setTimeout(resolve, 150))],
  ['answers nothing', () => new Promise(() => {})],
])('a site that is slow and %s is given up after a while', async (_what, pause) => {
  site.wordpress.posts.push(...many(8))
  site.wordpress.intercept(async (_page, answer) => {
    await pause()
    return answer
  })
  const pages = { size: 1, atOnce: 1 }
  const deadline = 0.01 * MINUTE
  expect(await site.sync({ pages, deadline })).toMatchObject({
    state: 'failed',
    error: 'The posts could not be read within 0.01 minutes. Nothing was changed.',
  })
  expect(await site.providers()).toEqual([])
})

it('a dry run says what a sync would do, and does none of it', async () => {
  site.wordpress.posts.push(...many(2))
  await site.sync()
  await createLead(site.db)
  site.wordpress.posts[0] = clinicPost(1, {}, { phone: 'new' })
  site.wordpress.posts[1] = clinicPost(2, {}, { active: false })
  site.wordpress.posts.push(clinicPost(3))
  const before = await site.versions()
  const run = await site.sync({ dryRun: true })
  expect(run).toMatchObject({ state: 'done', dry_run: true, leads_queued: 0 })
  expect(run.counts).toMatchObject({ created: 1, updated: 1, deactivated: 1 })
  expect(run.changes.map(({ kind }) => kind)).toEqual(['update', 'deactivate', 'create'])
  expect(await site.versions()).toEqual(before)
  expect((await site.sync()).changes.map(({ kind }) => kind)).toEqual(['update', 'deactivate', 'create'])
})

const active = async () => (await site.providers()).filter(({ status }) => status === 't').length

describe('many deactivations at once', () => {
  const deactivate = (count: number) => {
    for (let index = 0; index < count; index++)
      site.wordpress.posts[index] = clinicPost(index + 1, {}, { active: false })
  }

  it('are done up to the limit, and one more needs approval', async () => {
    const [count, allowed] = [10, 3]
    site.wordpress.posts.push(...many(count))
    await site.sync()
    deactivate(allowed)
    expect(await site.sync()).toMatchObject({
      state: 'done',
      approval_reasons: [],
      counts: { deactivated: allowed },
    })
    await site.db('providers').update({ status: 't' })
    deactivate(allowed + 1)
    site.wordpress.posts.push(clinicPost(count + 1))
    const before = await site.versions()
    const refused = await site.sync()
    expect(refused).toMatchObject({
      state: 'needs_approval',
      approval_reasons: [{ kind: 'deactivate', count: allowed + 1 }],
      can_be_approved: true,
      counts: { deactivated: allowed + 1, created: 1 },
      error: `${allowed + 1} providers would be deactivated at once, which is more than ${allowed}. Nothing was changed: a manager must approve it first.`,
    })
    expect(refused.changes.filter(({ kind }) => kind === 'deactivate')).toHaveLength(allowed + 1)
    expect(await site.versions()).toEqual(before)
  })

  it('are done once they are approved, but not others with them', async () => {
    site.wordpress.posts.push(...many(20))
    await site.sync()
    deactivate(5)
    const refused = await site.sync()
    deactivate(10)
    const other = await site.sync({ approves: refused.id })
    expect(other).toMatchObject({ state: 'needs_approval', approves: refused.id, can_be_approved: true })
    expect(await active()).toBe(20)
    const done = await site.sync({ approves: other.id })
    expect(done).toMatchObject({ state: 'done', counts: { deactivated: 10 }, can_be_approved: false })
    expect(await active()).toBe(10)
  })

  it('are made where they are allowed beforehand', async () => {
    site.wordpress.posts.push(...many(20))
    await site.sync()
    deactivate(20)
    expect(await site.sync({ approves: 'all' })).toMatchObject({ state: 'done', counts: { deactivated: 20 } })
  })
})
