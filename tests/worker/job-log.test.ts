import { describe, expect, it } from 'vitest'
import type { Logger } from '../../core/platform/log.ts'
import { createLead, createProvider, leadForm } from '../support/factories.ts'
import { attempt, useLeadJobs } from '../support/lead-jobs.ts'

const { worker, run, matchedLead, newest } = useLeadJobs()

describe('the log of a job', () => {
  it('is one line that says how it ended, and nothing about the visitor', async () => {
    const lines: Record<string, unknown>[] = []
    const log = { info: (line: Record<string, unknown>) => void lines.push(line) } as unknown as Logger
    const form = leadForm({ first_name: 'Canaryfirst', email: 'canary@secret.example', phone: '(512) 555-0187' })
    const { id: providerId } = await createProvider(worker.db)
    const id = await createLead(worker.db, { form, providerId })
    worker.smtp.answer((recipient) => ({
      status: recipient === form.email ? 550 : 451,
      at: 'recipient',
      text: `<${recipient}> user unknown; <${form.email.toUpperCase()}> see ${form.phone}`,
    }))
    const jobIds = await worker.db('jobs').orderBy(['name', 'purpose']).pluck('id')
    for (const jobId of jobIds) await run(jobId, log)

    // The line of the visitor's request has the lead's id as well, and the ledger has the job's.
    expect(lines).toMatchObject([
      { job: 'send-email', purpose: 'provider', attempt: 1, state: 'waiting', ms: expect.any(Number) },
      { job: 'send-email', purpose: 'visitor', attempt: 1, state: 'failed', cause: 'unknown_mailbox', status: 550 },
      { job: 'sync-crm', purpose: 'created', attempt: 1, state: 'done' },
    ])
    expect(lines.map(({ jobId, leadId }) => ({ jobId, leadId }))).toEqual(
      jobIds.map((jobId: string) => ({ jobId, leadId: id })),
    )
    expect(JSON.stringify(lines)).not.toMatch(/canary|555-0187/i)
    expect((await newest(id, 'send-email', 'visitor')).last_detail).toContain('user unknown')
  })

  it('has of a fault of ours its kind alone, because its words may quote anything, and the ledger has those', async () => {
    const lines: Record<string, unknown>[] = []
    const log = { info: (line: Record<string, unknown>) => void lines.push(line) } as unknown as Logger
    const fault = Object.assign(new RangeError('insert … values (canary@secret.example)'), { code: '23505' })
    const id = await matchedLead()
    const broken = { ...worker, mailer: { send: () => Promise.reject(fault), stop() {}, close() {} } }
    await attempt([(await newest(id, 'send-email', 'provider')).id], broken, log)

    expect(lines).toMatchObject([{ state: 'waiting', reason: 'RangeError 23505' }])
    expect(JSON.stringify(lines)).not.toContain('canary')
    expect((await newest(id, 'send-email', 'provider')).last_detail).toContain('canary')
  })
})
