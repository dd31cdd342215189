import { describe, expect, it } from 'vitest'
import { MINUTE } from '../../../core/time.ts'
import { createLead, createProvider } from '../../support/factories.ts'
import { clinicPost } from '../../support/wordpress-server.ts'
import { useSyncSite } from './sync.ts'

const site = useSyncSite()
const many = (count: number, from = 1) => Array.from({ length: count }, (_, index) => clinicPost(from + index))
const active = async () => (await site.providers()).filter(({ status }) => status === 't').length
/** Versions of rows: one that was written is another. */
const versions = async () => {
  const { rows } = await site.db.raw('select id, xmin::text, ctid::text from providers order by id')
  return rows
}

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
      },
    ])
  })

  it('writes no row where nothing has changed', async () => {
    site.wordpress.posts.push(...many(5), clinicPost(9, { status: 'publish' }, { active: '0' }))
    await site.sync()
    const before = await versions()
    expect((await site.sync()).counts).toMatchObject({ seen: 6, unchanged: 6, updated: 0 })
    expect(await versions()).toEqual(before)
  })

  it('leaves providers alone that did not come from WordPress', async () => {
    const { id } = await createProvider(site.db)
    site.wordpress.posts.push(clinicPost(1))
    for (let runs = 0; runs < 4; runs++) await site.sync()
    expect(await site.db('providers').where({ id }).first()).toMatchObject({ status: 't', missed_syncs: 0 })
  })

  it('keeps what a post does not have, and clears what it has empty', async () => {
    site.wordpress.posts.push(clinicPost(1, {}, { domain: 'one.example' }))
    await site.sync()
    await site.db('providers').update({ bing_ads_id: 'kept' })
    site.wordpress.posts[0] = clinicPost(1, {}, { domain: '' })
    await site.sync()
    expect(await site.providers()).toMatchObject([{ domain: null, bing_ads_id: 'kept' }])
  })

  it('lets two providers change domains, and refuses one that another has', async () => {
    site.wordpress.posts.push(
      clinicPost(1, {}, { domain: 'one.example' }),
      clinicPost(2, {}, { domain: 'two.example' }),
    )
    await site.sync()
    site.wordpress.posts[0] = clinicPost(1, {}, { domain: 'two.example' })
    site.wordpress.posts[1] = clinicPost(2, {}, { domain: 'one.example' })
    expect((await site.sync()).counts.updated).toBe(2)
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

  it('counts a provider without coordinates from its zip, and gives it none', async () => {
    site.wordpress.posts.push(clinicPost(1, {}, { latitude: '', longitude: null }))
    await site.sync()
    const [row] = await site
      .db('providers')
      .select('latitude', 'longitude', site.db.raw('location is not null as placed'))
    expect(row).toEqual({ latitude: null, longitude: null, placed: true })
  })
})

describe('a site that is slow', () => {
  it.each([
    ['answers', async () => new Promise((resolve) => setTimeout(resolve, 150))],
    ['answers nothing', () => new Promise(() => {})],
  ])('and %s is given up after a while', async (_what, pause) => {
    site.wordpress.posts.push(...many(8))
    site.wordpress.intercept(async (_page, answer) => {
      await pause()
      return answer
    })
    const settings = { WORDPRESS_PAGE_SIZE: '1', WORDPRESS_CONCURRENCY: '1' }
    const deadline = 0.01 * MINUTE
    expect(await site.sync({ settings, deadline })).toMatchObject({
      state: 'failed',
      error: 'The posts could not be read within 0.01 minutes. Nothing was changed.',
    })
    expect(await site.providers()).toEqual([])
  })
})

describe('a post that cannot be used', () => {
  it('is skipped and named with the reason, and stops nobody else', async () => {
    site.wordpress.posts.push(
      clinicPost(1, {}, { email: 'a@b.example, c@d.example' }),
      clinicPost(2, { title: '' }),
      clinicPost(3, { acf: [] }),
      clinicPost(4, {}, { zip_code: 'Texas' }),
      clinicPost(5, {}, { latitude: 'north' }),
      clinicPost(6),
      clinicPost(3_000_000_000),
    )
    const run = await site.sync()
    expect(run).toMatchObject({ state: 'done', counts: { seen: 7, created: 1, skipped: 6 } })
    expect(Object.fromEntries(run.skipped.map(({ wordpress_id, reason }) => [String(wordpress_id), reason]))).toEqual({
      1: 'email (acf.email) must be one e-mail address.',
      2: 'It has no name.',
      3: 'It has no zip code. It has no e-mail address.',
      4: 'zipCode (acf.zip_code) must be a US zip code of five digits.',
      5: 'latitude (acf.latitude) must be a number from -90 to 90.',
      null: 'It has no id that could be used.',
    })
  })

  it('leaves its provider as it is, unless it says that it is inactive', async () => {
    site.wordpress.posts.push(clinicPost(1), clinicPost(2))
    await site.sync()
    site.wordpress.posts[0] = clinicPost(1, {}, { email: 'nonsense', phone: 'new' })
    site.wordpress.posts[1] = clinicPost(2, {}, { email: 'nonsense', phone: 'new', active: 'no' })
    const run = await site.sync()
    expect(run.counts).toMatchObject({ skipped: 2, deactivated: 1, updated: 0 })
    expect(await site.providers()).toMatchObject([
      { status: 't', phone: '(512) 555-0100' },
      { status: 'f', phone: '(512) 555-0100' },
    ])
  })
})

describe('a provider', () => {
  it('is deactivated at once when its post says so, and active again when that does', async () => {
    site.wordpress.posts.push(...many(2))
    await site.sync()
    site.wordpress.posts[0] = clinicPost(1, {}, { active: 0 })
    const off = await site.sync()
    expect(off.changes).toMatchObject([{ kind: 'deactivate', wordpress_id: 1, reason: 'inactive' }])
    expect(await active()).toBe(1)
    site.wordpress.posts[0] = clinicPost(1)
    expect((await site.sync()).counts.reactivated).toBe(1)
    expect(await active()).toBe(2)
  })

  it('is deactivated after it was missing in three runs, not before', async () => {
    site.wordpress.posts.push(...many(2))
    const seen = await site.sync()
    site.wordpress.posts.pop()
    for (const missed of [1, 2]) {
      expect((await site.sync()).counts).toMatchObject({ missing: 1, deactivated: 0 })
      expect((await site.providers())[1]).toMatchObject({ status: 't', missed_syncs: missed })
    }
    expect((await site.providers())[1].last_seen_at.toISOString()).toBe(seen.started_at)
    const third = await site.sync()
    expect(third.changes).toMatchObject([{ kind: 'deactivate', wordpress_id: 2, reason: 'missing' }])
    expect(await active()).toBe(1)
    const before = await versions()
    await site.sync()
    expect(await versions()).toEqual(before)
  })

  it('counts from the beginning when it was seen again in between', async () => {
    site.wordpress.posts.push(...many(2))
    await site.sync()
    const gone = site.wordpress.posts.pop()
    await site.sync()
    await site.sync()
    if (gone) site.wordpress.posts.push(gone)
    await site.sync()
    site.wordpress.posts.pop()
    await site.sync()
    expect((await site.providers())[1]).toMatchObject({ status: 't', missed_syncs: 1 })
  })

  it('is not taken for missing when its post slips between two pages', async () => {
    site.wordpress.posts.push(...many(8))
    const settings = { WORDPRESS_PAGE_SIZE: '4', WORDPRESS_CONCURRENCY: '1' }
    await site.sync({ settings })
    // While the first page is on its way its first post is taken back, and a new one is published at the end.
    site.wordpress.intercept((page, answer) => {
      if (page === 1) site.wordpress.posts.push(clinicPost((site.wordpress.posts.at(-1)?.id ?? 0) + 1))
      if (page === 1) site.wordpress.posts.shift()
      return answer
    })
    for (const slips of [5, 6, 7]) {
      expect(await site.sync({ settings })).toMatchObject({ state: 'done', counts: { seen: 8, unreadable: 0 } })
      expect((await site.providers()).find(({ wordpress_id }) => wordpress_id === slips)).toMatchObject({
        status: 't',
        missed_syncs: 0,
      })
    }
  })

  it('is not taken for missing while its post is there but may not be read', async () => {
    site.wordpress.posts.push(...many(130))
    await site.sync()
    const [hidden, removed] = [site.wordpress.posts[3], site.wordpress.posts[4]]
    if (hidden) hidden.isUnreadable = true
    site.wordpress.posts.splice(4, 1)
    for (let runs = 0; runs < 3; runs++) expect((await site.sync()).counts.unreadable).toBe(1)
    const inactive = (await site.providers()).filter(({ status }) => status === 'f')
    expect(inactive.map(({ wordpress_id }) => wordpress_id)).toEqual([removed?.id])
  })
})

describe('many deactivations at once', () => {
  const deactivate = (count: number) => {
    for (let index = 0; index < count; index++)
      site.wordpress.posts[index] = clinicPost(index + 1, {}, { active: false })
  }

  it.each([
    [10, 3],
    [50, 5],
  ])('of %i providers: %i are deactivated, one more needs approval', async (count, allowed) => {
    site.wordpress.posts.push(...many(count))
    await site.sync()
    deactivate(allowed)
    expect(await site.sync()).toMatchObject({
      state: 'done',
      is_mass_deactivation: false,
      counts: { deactivated: allowed },
    })
    await site.db('providers').update({ status: 't' })
    deactivate(allowed + 1)
    site.wordpress.posts.push(clinicPost(count + 1))
    const before = await versions()
    const refused = await site.sync()
    expect(refused).toMatchObject({
      state: 'needs_approval',
      is_mass_deactivation: true,
      can_be_approved: true,
      counts: { deactivated: allowed + 1, created: 1 },
      error: `${allowed + 1} providers would be deactivated at once, which is more than ${allowed}. Nothing was changed: a manager has to approve it first.`,
    })
    expect(refused.changes.filter(({ kind }) => kind === 'deactivate')).toHaveLength(allowed + 1)
    expect(await versions()).toEqual(before)
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

  it('are listed, however many, and so much of the rest as there is room', async () => {
    site.wordpress.posts.push(...many(520))
    await site.sync()
    deactivate(510)
    site.wordpress.posts[515] = clinicPost(516, {}, { phone: 'new' })
    const { changes, counts } = await site.sync()
    expect(counts).toMatchObject({ deactivated: 510, updated: 1 })
    expect(changes.map(({ kind }) => kind)).toEqual(Array(510).fill('deactivate'))
  })

  it('are done for whoever allows them beforehand', async () => {
    site.wordpress.posts.push(...many(20))
    await site.sync()
    deactivate(20)
    expect(await site.sync({ approves: 'all' })).toMatchObject({ state: 'done', counts: { deactivated: 20 } })
  })
})

describe('a dry run', () => {
  it('says what a sync would do, and does none of it', async () => {
    site.wordpress.posts.push(...many(2))
    await site.sync()
    await createLead(site.db)
    site.wordpress.posts[0] = clinicPost(1, {}, { phone: 'new' })
    site.wordpress.posts[1] = clinicPost(2, {}, { active: false })
    site.wordpress.posts.push(clinicPost(3))
    const before = await versions()
    const run = await site.sync({ dryRun: true })
    expect(run).toMatchObject({ state: 'done', dry_run: true, leads_queued: 0 })
    expect(run.counts).toMatchObject({ created: 1, updated: 1, deactivated: 1 })
    expect(run.changes.map(({ kind }) => kind)).toEqual(['deactivate', 'create', 'update'])
    expect(await versions()).toEqual(before)
    expect((await site.sync()).changes.map(({ kind }) => kind)).toEqual(['deactivate', 'create', 'update'])
  })
})

describe('leads that wait', () => {
  const jobs = (leadId: number) => site.db('jobs').where({ lead_id: leadId, name: 'match-lead' }).orderBy('generation')

  it('are matched again when there are new providers, but those that are held are not', async () => {
    const waiting = await createLead(site.db)
    const held = await createLead(site.db, { heldReason: 'honeypot' })
    const { id: providerId } = await createProvider(site.db)
    const matched = await createLead(site.db, { providerId })
    await site.db('jobs').where('lead_id', waiting).update({ state: 'done', finished_at: site.db.fn.now() })
    site.wordpress.posts.push(clinicPost(1))
    const run = await site.sync()
    expect(run).toMatchObject({ leads_queued: 1, leads_matched: 0 })
    expect(await jobs(waiting)).toMatchObject([{ state: 'done' }, { state: 'waiting', generation: 2, sync_id: run.id }])
    expect(await jobs(held)).toEqual([])
    expect(await jobs(matched)).toEqual([])
  })

  /** As a worker does, moments later, that finds nobody. */
  const settle = () =>
    site.db('jobs').where({ state: 'waiting' }).update({ state: 'done', finished_at: site.db.fn.now() })

  it('are looked at once, however many runs there are and whatever else changes', async () => {
    const waiting = await createLead(site.db)
    site.wordpress.posts.push(clinicPost(1))
    expect((await site.sync()).leads_queued).toBe(1)
    expect((await jobs(waiting)).map(({ state }) => state)).toEqual(['cancelled', 'waiting'])
    expect((await site.sync()).leads_queued).toBe(0)
    await settle()
    expect((await site.sync()).leads_queued).toBe(0)
    site.wordpress.posts[0] = clinicPost(1, {}, { phone: '(512) 555-0111' })
    site.wordpress.posts.push(clinicPost(2, {}, { active: false }))
    expect(await site.sync()).toMatchObject({ counts: { updated: 1, created: 1 }, leads_queued: 0 })
  })

  it.each([
    ['has moved', {}, { latitude: '30.5', longitude: '-97.8' }],
    ['has another zip', { latitude: '', longitude: '' }, { latitude: '', longitude: '', zip_code: '02116' }],
    ['is active again', { active: false }, {}],
  ])('are looked at again when a provider %s', async (_what, before, after) => {
    await createLead(site.db)
    site.wordpress.posts.push(clinicPost(1, {}, before), clinicPost(2))
    await site.sync()
    await settle()
    site.wordpress.posts[0] = clinicPost(1, {}, after)
    expect((await site.sync()).leads_queued).toBe(1)
    await settle()
    expect((await site.sync()).leads_queued).toBe(0)
  })

  it('are not looked at by every run while there is no provider', async () => {
    await createLead(site.db)
    expect((await site.sync()).leads_queued).toBe(0)
  })

  it('are looked at again when they came at the moment of a change', async () => {
    site.wordpress.posts.push(clinicPost(1))
    await site.sync()
    // Its own try may have looked before the change was there to be seen.
    await createLead(site.db)
    await settle()
    expect((await site.sync()).leads_queued).toBe(1)
    await settle()
    expect((await site.sync()).leads_queued).toBe(0)
  })

  it('are looked at when a provider was added by other means since their last try', async () => {
    const anHourAgo = site.db.raw(`now() - interval '1 hour'`)
    const waiting = await createLead(site.db)
    await site
      .db('jobs')
      .where('lead_id', waiting)
      .update({ state: 'done', created_at: anHourAgo, finished_at: anHourAgo })
    await createProvider(site.db)
    expect((await site.sync()).leads_queued).toBe(1)
  })
})
