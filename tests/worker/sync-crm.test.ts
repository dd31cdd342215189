import { describe, expect, it } from 'vitest'
import * as sentMessages from '../../core/deliveries/stores/sent-messages.ts'
import { deleteLead } from '../../core/leads/change-lead.ts'
import type { Logger } from '../../core/platform/log.ts'
import { useCrmJobs } from '../support/crm-jobs.ts'
import { HUBSPOT_TOKEN } from '../support/hubspot-server.ts'
import { attempt } from '../support/lead-jobs.ts'

const STAFF = { actor: 'staff' }

const crm = useCrmJobs()
const { run, matchedLeads, jobOf, jobIds, lead } = crm
const attempts = (jobId: string) => crm.db('job_attempts').where({ job_id: jobId })

describe('leads that are sent to the CRM together', () => {
  it('each have their own outcome, attempt, id at the CRM and copy of what was sent', async () => {
    const [good, bad, later] = (await matchedLeads(3)) as [number, number, number]
    const { email: badEmail } = await lead(bad)
    const { email: laterEmail } = await lead(later)
    crm.hubspot.refuse(({ id }) => {
      if (id === badEmail) return { category: 'VALIDATION_ERROR', message: `${badEmail} is invalid` }
      return id === laterEmail ? { category: 'INTERNAL_ERROR', message: 'Try again' } : undefined
    })
    expect(await run(await jobIds([good, bad, later]))).toEqual({ jobs: expect.arrayContaining([good, bad, later]) })

    const done = await jobOf(good)
    expect(done).toMatchObject({ state: 'done', attempts: 1, result: { status: 200 } })
    expect(await attempts(done.id)).toMatchObject([{ outcome: 'done', status: 200, error: null }])
    expect(await jobOf(bad)).toMatchObject({ state: 'failed', attempts: 1, result: { status: 207 } })
    expect((await jobOf(bad)).last_detail).toContain('is invalid')
    expect(await jobOf(later)).toMatchObject({ state: 'waiting', attempts: 1 })
    const rows = [await lead(good), await lead(bad), await lead(later)]
    expect(rows.map((row) => row.crm_sync_status)).toEqual(['success', 'failed', 'pending'])
    expect(rows[0].crm_external_id).toBe(crm.hubspot.contacts.get(rows[0].email)?.id)

    const sent = crm.hubspot.calls.flat()
    for (const { id, email } of rows) {
      const copy = await sentMessages.findPayload(crm.db, { leadId: id, jobId: (await jobOf(id)).id })
      expect(copy?.payload).toMatchObject({ ...sent.find((input) => input.id === email), idProperty: 'email' })
      expect(JSON.stringify(copy)).not.toContain(HUBSPOT_TOKEN)
    }
  })

  it('leave out what is settled, deleted or gone', async () => {
    const [sent, done, deleted] = (await matchedLeads(3)) as [number, number, number]
    const [sentJob, doneJob, deletedJob] = (await jobIds([sent, done, deleted])) as [string, string, string]
    await run([doneJob])
    await deleteLead(crm.db, deleted, STAFF)
    crm.hubspot.reset()
    const changes = await run([sentJob, doneJob, deletedJob, '00000000-0000-4000-8000-000000000000'])

    expect(changes).toEqual({ jobs: [sent] })
    expect(crm.hubspot.calls).toHaveLength(1)
    expect(await jobOf(deleted)).toMatchObject({ state: 'cancelled', attempts: 0 })

    crm.hubspot.reset()
    expect(await run([sentJob, doneJob])).toEqual({})
    expect(crm.hubspot.calls).toEqual([])
  })

  it('leave neither the visitor nor our token in the log, whatever the CRM says', async () => {
    const ids = await matchedLeads(1)
    const [{ email }] = await Promise.all(ids.map(lead))
    const lines: string[] = []
    const keep = (fields: object) => void lines.push(JSON.stringify(fields))
    const log = { info: keep, warn: keep } as unknown as Logger
    const said = { message: `${email} and Bearer ${HUBSPOT_TOKEN} are bad`, category: 'VALIDATION_ERROR' }

    for (const status of [400, 401, 500]) {
      crm.hubspot.answer(() => ({ status, body: said }))
      await attempt(await jobIds(ids), crm.services, log)
      await crm.db('jobs').update({ state: 'waiting', finished_at: null })
    }
    crm.hubspot.answer(undefined)
    crm.hubspot.refuse(() => said)
    await attempt(await jobIds(ids), crm.services, log)

    expect(lines).toHaveLength(4)
    for (const secret of [email, HUBSPOT_TOKEN]) expect(lines.join()).not.toContain(secret)
    const ledger = await crm.db('jobs').where('name', 'sync-crm')
    expect(JSON.stringify(ledger)).not.toContain(HUBSPOT_TOKEN)
  })
})
