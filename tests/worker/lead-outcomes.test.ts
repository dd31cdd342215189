import { describe, expect, it } from 'vitest'
import { retryAll } from '../../core/deliveries/retry-deliveries.ts'
import { assignProvider } from '../../core/leads/assign-provider.ts'
import { recordByStaff, recordOutcome } from '../../core/leads/record-outcome.ts'
import { createProvider, jobsOf } from '../support/factories.ts'
import { useLeadJobs } from '../support/lead-jobs.ts'

const { worker, run, runAll, newest, lead, matchedLead } = useLeadJobs()
const STAFF = { actor: 'ada@leadwell.example' }

describe('an outcome that staff record', () => {
  const recorded = async () => {
    const id = await matchedLead()
    await runAll(id)
    const answer = { kind: 'booked', booked_for: '2026-12-01', value_cents: 99_00, note: 'Ask for Jo.' } as const
    await recordByStaff(worker.db, id, answer, STAFF)
    return id
  }

  it('is sent to the CRM with its source, and without the note', async () => {
    const id = await recorded()
    await runAll(id)
    const { outcome_at } = await lead(id)
    expect(worker.crmServer.bodies.at(-1)).toMatchObject({
      type: 'lead.outcome',
      timestamp: outcome_at?.toISOString(),
      data: {
        lead: { id },
        outcome: { kind: 'booked', reason: null, booked_for: '2026-12-01', value_cents: 9900, source: 'staff' },
      },
    })
    expect(JSON.stringify(worker.crmServer.bodies)).not.toContain('Ask for Jo.')
  })

  it('is sent again by “Retry CRM Sync” if the CRM has not accepted it', async () => {
    const id = await recorded()
    const refused = { state: 'failed', finished_at: new Date(), last_error: 'No.', last_cause: 'refused' } as const
    await jobsOf(worker.db, id, { purpose: 'outcome' }).update(refused)
    const again = await retryAll(worker.db, `lead:${id}`, 'sync-crm', STAFF)
    expect(again).toHaveLength(1)
    for (const job of again) await run(job)
    expect(worker.crmServer.events.at(-1)).toMatchObject({ type: 'lead.outcome', data: { lead: { id } } })
  })

  it('is not sent once the CRM itself has stated a newer one, or another provider has the lead', async () => {
    const [stated, moved] = [await recorded(), await recorded()]
    const notified = worker.crmServer.events.length
    await recordOutcome(worker.db, stated, { kind: 'attended', source: 'crm', actor: 'crm', eventId: 'msg_1' })
    await assignProvider(worker.db, moved, (await createProvider(worker.db)).id, { ...STAFF, delay: 0 })
    for (const id of [stated, moved]) await run((await newest(id, 'sync-crm', 'outcome')).id)

    expect(worker.crmServer.events).toHaveLength(notified)
    expect(await newest(stated, 'sync-crm', 'outcome')).toMatchObject({
      state: 'cancelled',
      last_error: 'The CRM has stated the present outcome itself.',
    })
    expect(await newest(moved, 'sync-crm', 'outcome')).toMatchObject({
      state: 'cancelled',
      last_error: 'The lead has another clinic by now, which has not answered yet.',
    })
  })
})
