import { describe, expect, it } from 'vitest'
import type { SendingId } from '../../core/conditions/contract/integrations.ts'
import { HOUR, MINUTE } from '../../core/contract/time.ts'
import { pauseSending, resumeSending, watchSending } from '../../core/deliveries/pause-sending.ts'
import { MIN_FAULTS, MIN_STREAK, pauseAfter } from '../../core/deliveries/rules/failures.ts'
import * as dueJobs from '../../core/deliveries/stores/attempts.ts'
import * as sendingPauses from '../../core/deliveries/stores/sending-pauses.ts'
import { readBacklog } from '../../core/insight/stores/reports.ts'
import { createLead, createProvider } from '../support/factories.ts'
import { found } from '../support/found.ts'
import { attempt, useLeadJobs } from '../support/lead-jobs.ts'

const STAFF = { actor: 'staff' }
const { worker, matchedLead, newest } = useLeadJobs()

const handOver = async () => (await worker.db.transaction((trx) => dueJobs.takeDue(trx, 100))).map(({ id }) => id)
const later = (ms: number) => new Date(Date.now() + ms).toISOString()
const pause = (integration: SendingId = 'crm', ms = HOUR) =>
  pauseSending(worker.db, { integration, until: later(ms), reason: 'Maintenance' }, STAFF)
const rowOf = async (integration: SendingId = 'crm') =>
  found(await worker.db('sending_pauses').where({ integration }).first())
const passes = (ms: number) =>
  worker.db('sending_pauses').update({ until: worker.db.raw(`until - ? * interval '1 ms'`, [ms]) })
const watch = () => watchSending(worker.db, 'crm', worker.log)

describe('a pause of sending to the CRM', () => {
  it('keeps its jobs out of the queue until it ends, and those of the mail server go on', async () => {
    const id = await matchedLead()
    const crm = await newest(id, 'sync-crm', 'created')
    const mail = await newest(id, 'send-email', 'provider')
    await pause()
    const handed = await handOver()
    expect(handed).toContain(mail.id)
    expect(handed).not.toContain(crm.id)
    expect(await newest(id, 'sync-crm', 'created')).toMatchObject({ state: 'waiting', attempts: 0 })

    await passes(HOUR)
    expect(await handOver()).toEqual([crm.id])
  })

  it('holds a job that the queue has already: no attempt is made, and none is used up', async () => {
    const id = await matchedLead()
    const { id: jobId, next_attempt_at } = await newest(id, 'sync-crm', 'created')
    await handOver()
    await pause()
    await attempt([jobId], worker)
    expect(worker.crmServer.events).toEqual([])
    expect(await worker.db('job_attempts')).toEqual([])
    expect(await newest(id, 'sync-crm', 'created')).toMatchObject({ state: 'waiting', attempts: 0, next_attempt_at })

    await resumeSending(worker.db, 'crm', STAFF)
    expect(await handOver()).toEqual([jobId])
    await attempt([jobId], worker)
    expect(worker.crmServer.events).toHaveLength(1)
    expect(await newest(id, 'sync-crm', 'created')).toMatchObject({ state: 'done', attempts: 1 })
  })

  it('makes no job late for the alerts', async () => {
    await matchedLead()
    await worker.db('jobs').update({ next_attempt_at: worker.db.raw(`now() - interval '1 hour'`) })
    await pause()
    const backlog = await readBacklog(worker.db)
    const crm = backlog.find(({ name }) => name === 'sync-crm')
    expect(crm).toMatchObject({ waiting: 0, oldestDue: 0, oldestWaiting: 0 })
    expect(crm?.retrying).toBeGreaterThan(0)
    expect(backlog.find(({ name }) => name === 'send-email')?.oldestDue).toBeGreaterThan(3500)
  })
})

describe('the breaker of a CRM that refuses everything', () => {
  const attempts = async (count: number) => {
    const { id: providerId } = await createProvider(worker.db)
    const ids: string[] = []
    for (let lead = 0; lead < count; lead++) {
      const leadId = await createLead(worker.db, { providerId })
      ids.push((await newest(leadId, 'sync-crm', 'created')).id)
    }
    await attempt(ids, worker)
    return ids
  }
  const ago = (ms: number) =>
    worker.db('job_attempts').update({ started_at: worker.db.raw(`started_at - ? * interval '1 ms'`, [ms]) })
  const refuseAll = async () => {
    worker.crmServer.answer({ status: 503 })
    const ids = await attempts(MIN_FAULTS)
    await ago(MIN_STREAK)
    return ids
  }
  const due = (ids: string[]) =>
    worker
      .db('jobs')
      .whereIn('id', ids)
      .update({ next_attempt_at: worker.db.raw(`now() - interval '1 second'`) })

  it('opens by itself after ten faults over five minutes, and says why', async () => {
    worker.crmServer.answer({ status: 503 })
    await attempts(MIN_FAULTS)
    expect(await watch()).toBe(false)
    await ago(MIN_STREAK)
    expect(await watch()).toBe(true)

    const [open] = await sendingPauses.list(worker.db)
    expect(open).toMatchObject({ integration: 'crm', kind: 'breaker', paused_by: 'system' })
    expect(open?.reason).toMatch(/^The CRM refused 10 attempts in a row\. .+\.$/)
    expect(await worker.db('audit_log').where({ action: 'pause-sending' })).toMatchObject([
      { actor: 'system', entity: 'network', details: { kind: 'breaker', cause: 'server_error', attempts: 10 } },
    ])
  })

  it('stays closed after one success, or one refusal of a single lead, in between', async () => {
    for (const status of [200, 422]) {
      worker.crmServer.answer({ status: 503 })
      await attempts(MIN_FAULTS - 1)
      worker.crmServer.answer({ status })
      await attempts(1)
      worker.crmServer.answer({ status: 503 })
      await attempts(1)
      await ago(MIN_STREAK)
      expect(await watch()).toBe(false)
    }
  })

  it('lets one delivery through when its time has come, and closes after its success: all are due at once', async () => {
    const ids = await refuseAll()
    await watch()
    await due(ids)
    expect(await handOver()).not.toContain(ids[0])

    await passes(pauseAfter(1))
    expect(await watch()).toBe(true)
    const [probe, ...others] = (await handOver()).filter((id) => ids.includes(id))
    expect(others).toEqual([])
    // The queue may have handed out another one before.
    const held = ids.find((id) => id !== probe)
    worker.crmServer.answer({ status: 200 })
    await attempt([String(probe), String(held)], worker)
    expect(worker.crmServer.events).toHaveLength(MIN_FAULTS + 1)
    expect(await watch()).toBe(true)

    expect(await sendingPauses.list(worker.db)).toEqual([])
    expect((await handOver()).filter((id) => ids.includes(id))).toHaveLength(MIN_FAULTS - 1)
    expect(await worker.db('audit_log').where({ action: 'resume-sending' })).toMatchObject([
      { actor: 'system', details: { integration: 'crm', kind: 'breaker' } },
    ])
    expect(await watch()).toBe(false)
  })

  it('opens for longer after a refused probe, and the others have used up no attempt', async () => {
    const ids = await refuseAll()
    await watch()
    for (const trips of [2, 3]) {
      await due(ids)
      await passes(15 * MINUTE)
      await watch()
      await attempt(ids, worker)
      expect(await watch()).toBe(true)
      const row = await rowOf()
      expect(row).toMatchObject({ kind: 'breaker', trips, probe_job_id: null })
      expect(row.until.getTime() - Date.now()).toBeGreaterThan(pauseAfter(trips) - MINUTE)
    }
    const used = await worker.db('jobs').whereIn('id', ids).sum({ attempts: 'attempts' }).first()
    expect(Number(used?.attempts)).toBe(MIN_FAULTS + 2)
  })

  it('tries another probe where the first one is gone or must wait', async () => {
    const ids = await refuseAll()
    await watch()
    await due(ids)
    await passes(pauseAfter(1))
    await watch()
    const { probe_job_id: first } = await rowOf()
    await worker
      .db('jobs')
      .where({ id: String(first) })
      .update({ state: 'cancelled', finished_at: new Date() })
    await watch()
    const { probe_job_id: second } = await rowOf()
    expect(ids).toContain(second)
    expect(second).not.toBe(first)

    worker.crmServer.answer({ status: 429 })
    await attempt([String(second)], worker)
    await watch()
    expect(await rowOf()).toMatchObject({ ended_at: null, trips: 1, probe_job_id: expect.any(String) })
  })

  it('opens for a CRM that rejects our credentials before all leads have failed', async () => {
    worker.crmServer.answer({ status: 401 })
    await attempts(MIN_FAULTS)
    await ago(MIN_STREAK)
    expect(await watch()).toBe(true)
    expect((await worker.db('audit_log').first())?.details).toMatchObject({ cause: 'credentials' })
  })
})
