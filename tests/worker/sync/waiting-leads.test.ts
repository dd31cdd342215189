import { describe, expect, it } from 'vitest'
import { assignProvider } from '../../../core/commands/leads/assign-provider.ts'
import * as leadLists from '../../../core/stores/lead-lists.ts'
import * as syncRuns from '../../../core/stores/sync-runs.ts'
import { createLead, createProvider } from '../../support/factories.ts'
import { found } from '../../support/found.ts'
import { clinicPost } from '../../support/wordpress-server.ts'
import { useSyncSite } from './sync.ts'

const site = useSyncSite()

/** Makes a lead that came so many days ago. */
async function oldLead(days: number, options?: Parameters<typeof createLead>[1]): Promise<number> {
  const id = await createLead(site.db, options)
  const before = site.db.raw(`now() - ? * interval '1 day'`, [days])
  await site.db('leads').where({ id }).update({ created_at: before })
  await site.db('jobs').where({ lead_id: id }).update({ state: 'done', created_at: before, finished_at: before })
  return id
}

describe('leads that wait for more than MATCH_WAITING_DAYS', () => {
  const generations = (leadId: number) =>
    site.db('jobs').where({ lead_id: leadId, name: 'match-lead' }).orderBy('generation').pluck('generation')

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

  it('follow the settings, and are none of a dry run', async () => {
    await oldLead(9)
    site.wordpress.posts.push(clinicPost(1))
    const settings = { MATCH_WAITING_DAYS: '8' }
    expect(await site.sync({ dryRun: true, settings })).toMatchObject({ old_leads: 0, old_leads_before: null })
    expect(await site.sync({ settings })).toMatchObject({ leads_queued: 0, old_leads: 1 })
    expect(await site.sync({ settings: { ...settings, MATCH_RADIUS_MILES: '0.001' } })).toMatchObject({ old_leads: 0 })
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
