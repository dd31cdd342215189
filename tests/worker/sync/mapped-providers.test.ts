import { describe, expect, it } from 'vitest'
import { createLead } from '../../support/factories.ts'
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

it('a post that cannot be used is skipped and named with the reason, and stops nobody else', async () => {
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
    null: 'It has no usable id.',
  })
})

describe('a provider', () => {
  it('keeps our rules, and has the clocks of its open requests worked out again when it has changed', async () => {
    site.wordpress.posts.push(clinicPost(1), clinicPost(2))
    await site.sync()
    const [moved, other] = await site.providers()
    const rules = { provider_id: moved.id, updated_by: 'staff', daily_cap: 3, priority: 1, extra_zips: ['78701'] }
    await site.db('provider_rules').insert(rules)
    for (const { id } of [moved, other]) await createLead(site.db, { providerId: id })
    const stored = await site.db('provider_rules').first()

    site.wordpress.posts[0] = clinicPost(1, {}, { address: '9 Harbor Road, Portland, OR', zip_code: '97201' })
    expect((await site.sync({ approves: 'all' })).counts.updated).toBe(1)
    expect(await site.db('provider_rules').first()).toEqual(stored)
    const [changed] = await site.providers()
    expect(changed).toMatchObject({ zip_code: '97201', match_priority: 1 })
    const clocks = await site.db('answer_clocks').orderBy('lead_id').select('provider_id', 'is_stale')
    expect(clocks).toEqual([
      { provider_id: moved.id, is_stale: true },
      { provider_id: other.id, is_stale: false },
    ])
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

  it('is not taken for missing when its post slips between two pages', async () => {
    site.wordpress.posts.push(...many(8))
    const settings = { WORDPRESS_PAGE_SIZE: '4', WORDPRESS_CONCURRENCY: '1' }
    await site.sync({ settings })
    for (const slips of [5, 6, 7]) {
      // While the first page is on its way its first post is taken back, and a new one is published at the end.
      let hasSlipped = false
      site.wordpress.intercept((page, answer) => {
        if (page !== 1 || hasSlipped) return answer
        hasSlipped = true
        site.wordpress.posts.push(clinicPost((site.wordpress.posts.at(-1)?.id ?? 0) + 1))
        site.wordpress.posts.shift()
        return answer
      })
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
