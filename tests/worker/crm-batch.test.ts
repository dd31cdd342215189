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

describe('a batch of leads', () => {
  it('is one call to the CRM, and each lead has its own outcome, attempt and id', async () => {
    const ids = await matchedLeads(5)
    const jobs = await jobIds(ids)
    expect(await run(jobs)).toEqual({ jobs: expect.arrayContaining(ids) })

    expect(crm.hubspot.calls.map((inputs) => inputs.length)).toEqual([5])
    for (const id of ids) {
      const { email, ...row } = await lead(id)
      expect(row).toMatchObject({
        crm_sync_status: 'success',
        crm_external_id: crm.hubspot.contacts.get(email)?.id,
      })
      const job = await jobOf(id)
      expect(job).toMatchObject({ state: 'done', attempts: 1, result: { status: 200 } })
      expect(await attempts(job.id)).toMatchObject([{ outcome: 'done', status: 200, error: null }])
    }
  })

  it('that is taken in part is done for some and not for others', async () => {
    const [good, bad, later] = (await matchedLeads(3)) as [number, number, number]
    const { email: badEmail } = await lead(bad)
    const { email: laterEmail } = await lead(later)
    crm.hubspot.refuse(({ id }) => {
      if (id === badEmail) return { category: 'VALIDATION_ERROR', message: `${badEmail} is invalid` }
      return id === laterEmail ? { category: 'INTERNAL_ERROR', message: 'Try again' } : undefined
    })
    await run(await jobIds([good, bad, later]))

    expect(await jobOf(good)).toMatchObject({ state: 'done', attempts: 1 })
    expect(await jobOf(bad)).toMatchObject({ state: 'failed', attempts: 1, result: { status: 207 } })
    expect(await jobOf(later)).toMatchObject({ state: 'waiting', attempts: 1 })
    expect((await jobOf(bad)).last_detail).toContain('is invalid')
    expect([await lead(good), await lead(bad), await lead(later)].map((row) => row.crm_sync_status)).toEqual([
      'success',
      'failed',
      'pending',
    ])
  })

  it('keeps for each lead what was sent about it, taken or not, and no token', async () => {
    const [good, bad] = (await matchedLeads(2)) as [number, number]
    const { email: badEmail } = await lead(bad)
    crm.hubspot.refuse(({ id }) =>
      id === badEmail ? { category: 'VALIDATION_ERROR', message: 'Email is invalid' } : undefined,
    )
    await run(await jobIds([good, bad]))
    const sent = crm.hubspot.calls.flat()
    for (const id of [good, bad]) {
      const { email } = await lead(id)
      const copy = await sentMessages.findPayload(crm.db, { leadId: id, jobId: (await jobOf(id)).id })
      expect(copy?.payload).toMatchObject({ ...sent.find((input) => input.id === email), idProperty: 'email' })
      expect(JSON.stringify(copy)).not.toContain(HUBSPOT_TOKEN)
    }
  })

  it('leaves out what is settled, held, deleted or gone', async () => {
    const [told, done, deleted] = (await matchedLeads(3)) as [number, number, number]
    const [toldJob, doneJob, deletedJob] = (await jobIds([told, done, deleted])) as [string, string, string]
    await run([doneJob])
    await deleteLead(crm.db, deleted, STAFF)
    crm.hubspot.reset()
    const changes = await run([toldJob, doneJob, deletedJob, '00000000-0000-4000-8000-000000000000'])

    expect(changes).toEqual({ jobs: [told] })
    expect(crm.hubspot.calls.map((inputs) => inputs.length)).toEqual([1])
    expect(await jobOf(deleted)).toMatchObject({ state: 'cancelled', attempts: 0 })

    crm.hubspot.reset()
    expect(await run([toldJob, doneJob])).toEqual({})
    expect(crm.hubspot.calls).toEqual([])
  })

  it('leaves neither the visitor nor our token in the log, whatever the CRM says', async () => {
    const ids = await matchedLeads(2)
    const [{ email }, other] = await Promise.all(ids.map(lead))
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

    expect(lines).toHaveLength(8)
    for (const secret of [email, other.email, HUBSPOT_TOKEN]) expect(lines.join()).not.toContain(secret)
    const ledger = await crm.db('jobs').where('name', 'sync-crm')
    expect(JSON.stringify(ledger)).not.toContain(HUBSPOT_TOKEN)
  })
})
