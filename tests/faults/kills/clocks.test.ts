import { describe, expect, it } from 'vitest'
import { countRows } from '../../../core/platform/db.ts'
import { createLead, createProvider } from '../../support/factories.ts'
import { type Site, startSite } from '../../support/site.ts'
import { waitFor } from '../../support/wait.ts'

const SECOND = 1000
/** Clocks advance every 5 s, and a busy machine takes ten steps a second. */
const ADVANCED = { within: 90 * SECOND }
const LEADS = 60

describe('Clocks whose worker is killed in every step', () => {
  it('take each step of each lead once, and pass it on once', async () => {
    const site = await startSite()
    const next = await createProvider(site.db, { zip_code: '78702' })
    for (let n = 0; n < LEADS; n++) await createLead(site.db, { providerId: site.providerId })
    await site.db('jobs').update({ state: 'done', finished_at: new Date() })
    // Nobody has answered for so long that every step is due.
    await site.db('answer_clocks').update({ started_at: site.db.raw(`now() - interval '20 days'`) })

    const { db } = site
    const told = () => countRows(db('jobs').where({ purpose: 'late_team' }))
    const passedOn = () => countRows(db('audit_log').where({ action: 'pass-on' }))
    // The times of all are worked out in one transaction before.
    for (const count of [told, passedOn]) await killInTheMiddle(site, count)

    await site.startWorker({ PASS_ON: 'auto' })
    await waitFor('all leads to be passed on', async () => (await passedOn()) === LEADS, ADVANCED)
    await waitFor(
      'their new clocks',
      async () => (await countRows(db('answer_clocks').where({ step: 'remind' }))) === LEADS,
    )
    expect(await db('leads').whereNot({ provider_id: next.id }).pluck('id')).toEqual([])
    expect(await countRows(db('answer_clocks').whereNot({ provider_id: next.id }))).toBe(0)

    expect(await countRows(db('audit_log').where({ action: 'pass-on' }))).toBe(LEADS)
    // Each clinic, the visitor, the CRM and the team are told once of each lead. A reminder would have come with the notice
    // that the answer is late.
    const jobs = await db('jobs').select('subject_id', 'name', 'purpose')
    const perLead = new Map<unknown, string[]>()
    for (const { subject_id, name, purpose } of jobs) {
      perLead.set(subject_id, [...(perLead.get(subject_id) ?? []), `${name} ${purpose}`].toSorted())
    }
    expect(perLead.size).toBe(LEADS)
    for (const told of perLead.values()) {
      expect(told).toEqual([
        ...['late_team', 'new_clinic', 'passed_on', 'provider', 'provider', 'visitor', 'visitor_question'].map(
          (purpose) => `send-email ${purpose}`,
        ),
        ...['sync-crm created', 'sync-crm matched'],
      ])
    }
  })

  /** Kills a worker as soon as it has taken a step for some leads, and not yet for all. */
  async function killInTheMiddle(site: Site, count: () => Promise<number>): Promise<void> {
    const worker = await site.startWorker({ PASS_ON: 'auto' })
    await waitFor('some steps before the kill', async () => (await count()) > 5, ADVANCED)
    await worker.kill('SIGKILL')
    expect(await count()).toBeLessThan(LEADS)
  }
})
