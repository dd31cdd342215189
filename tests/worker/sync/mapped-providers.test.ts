import { describe, expect, it } from 'vitest'
import { assignProvider } from '../../../core/leads/assign-provider.ts'
import * as leadLists from '../../../core/leads/stores/lead-lists.ts'
import * as syncRuns from '../../../core/sync/stores/sync-runs.ts'
import { createLead, createProvider, deliverAll, jobsOf } from '../../support/factories.ts'
import { found } from '../../support/found.ts'
import { clinicPost } from '../../support/wordpress-server.ts'
import { useSyncSite } from './sync.ts'

const site = useSyncSite()
const many = (count: number, from = 1) => Array.from({ length: count }, (_, index) => clinicPost(from + index))
const _active = async () => (await site.providers()).filter(({ status }) => status === 't').length

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

  it('is not taken for missing when its post slips between two pages', async () => {
    site.wordpress.posts.push(...many(8))
    const pages = { size: 4, atOnce: 1 }
    await site.sync({ pages })
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
      expect(await site.sync({ pages })).toMatchObject({ state: 'done', counts: { seen: 8, unreadable: 0 } })
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

async function oldLead(days: number, options?: Parameters<typeof createLead>[1]): Promise<number> {
  const id = await createLead(site.db, options)
  const before = site.db.raw(`now() - ? * interval '1 day'`, [days])
  await site.db('leads').where({ id }).update({ created_at: before })
  await jobsOf(site.db, id).update({ state: 'done', created_at: before, finished_at: before })
  return id
}

describe('leads that wait for more than 30 days', () => {
  const generations = (leadId: number) =>
    jobsOf(site.db, leadId, { name: 'match-lead' }).orderBy('generation').pluck('generation')

  it('are not matched by a sync: staff are asked about those that a clinic is in reach of', async () => {
    const [old, young] = [await oldLead(31), await oldLead(29)]
    await oldLead(31, { form: { zip_code: '99501' } })
    await oldLead(31, { heldReason: 'honeypot' })
    site.wordpress.posts.push(clinicPost(1))
    const run = await site.sync()

    expect(run).toMatchObject({ leads_queued: 1, old_leads: 1, old_leads_before: expect.any(String) })
    expect([await generations(young), await generations(old)]).toEqual([[1, 2], [1]])
    const asked = { asked_by_sync: run.id, timeZone: 'UTC' }
    expect(await leadLists.ids(site.db, asked, 10)).toEqual([old])
    // As long as nobody has matched it.
    expect(await site.sync()).toMatchObject({ leads_queued: 0, old_leads: 1 })
    const { id: providerId } = found(await site.db('providers').first('id'))
    await assignProvider(site.db, old, providerId, { actor: 'staff' })
    expect(await leadLists.count(site.db, asked)).toBe(0)
    expect(await syncRuns.get(site.db, run.id)).toMatchObject({ old_leads: 0 })
  })

  it('are none of a dry run, nor out of reach', async () => {
    await oldLead(31)
    site.wordpress.posts.push(clinicPost(1))
    expect(await site.sync({ dryRun: true })).toMatchObject({ old_leads: 0, old_leads_before: null })
    expect(await site.sync()).toMatchObject({ leads_queued: 0, old_leads: 1 })
    expect(await site.sync({ settings: { MATCH_RADIUS_MILES: '0.001' } })).toMatchObject({ old_leads: 0 })
  })
})

describe('leads that wait', () => {
  const jobs = (leadId: number) => jobsOf(site.db, leadId, { name: 'match-lead' }).orderBy('generation')

  it('are matched again when there are new providers, but those that are held are not', async () => {
    const waiting = await createLead(site.db)
    const held = await createLead(site.db, { heldReason: 'honeypot' })
    const { id: providerId } = await createProvider(site.db)
    const matched = await createLead(site.db, { providerId })
    await deliverAll(site.db, waiting)
    site.wordpress.posts.push(clinicPost(1))
    const run = await site.sync()
    expect(run).toMatchObject({ leads_queued: 1, leads_matched: 0 })
    expect(await jobs(waiting)).toMatchObject([
      { state: 'done' },
      { state: 'waiting', generation: 2, payload: { syncId: run.id } },
    ])
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
    await jobsOf(site.db, waiting).update({ state: 'done', created_at: anHourAgo, finished_at: anHourAgo })
    await createProvider(site.db)
    expect((await site.sync()).leads_queued).toBe(1)
  })
})
