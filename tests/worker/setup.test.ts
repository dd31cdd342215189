import { describe, expect, it } from 'vitest'
import * as setup from '../../core/conditions/setup.ts'
import { deleteTestLeads, sendCheck } from '../../core/conditions/setup.ts'
import { retry } from '../../core/deliveries/retry-deliveries.ts'
import { countFailed } from '../../core/deliveries/stores/failed-jobs.ts'
import * as jobs from '../../core/deliveries/stores/jobs.ts'
import { storeLead } from '../../core/leads/store-lead.ts'
import { sendTestEmail } from '../../core/providers/change-provider.ts'
import { CHAIN_KEY, PERSON_KEY } from '../support/env.ts'
import { createLead, createProvider, leadForm } from '../support/factories.ts'
import { found } from '../support/found.ts'
import { attempt, useLeadJobs } from '../support/lead-jobs.ts'

const { worker, run, runAll, states, newest } = useLeadJobs()
const ADA = 'ada@leadwell.example'
const STAFF = { actor: ADA }

async function testLead(providerId: number | null): Promise<number> {
  const match = providerId ? ({ providerId, kind: 'nearest', miles: 1.5 } as const) : UNMATCHED
  const submission = {
    lead: leadForm({ first_name: 'Test', last_name: 'Lead', email: ADA }),
    match,
    isTest: true,
    visit: { ip: null, userAgent: 'test', pageUrl: '' },
  }
  return (await storeLead(worker.db, submission, CHAIN_KEY)).leadId
}

const UNMATCHED = { providerId: null, nearestMiles: null }

const check = async (kind: 'mail' | 'crm', to: string | null = null) => {
  await sendCheck(worker.db, to, STAFF)
  const name = kind === 'crm' ? 'sync-crm' : 'send-email'
  await run(found(await worker.db('jobs').where({ name, purpose: 'test' }).whereNotNull('payload').first()).id)
  return (await setup.readChecks(worker.db))[kind]
}

describe('a test lead', () => {
  it('goes the whole way, and every email about it goes to its own address and says that it is a test', async () => {
    const { id: providerId } = await createProvider(worker.db, { email: 'desk@clinic.example' })
    const id = await testLead(providerId)
    await runAll(id)

    expect(await states(id)).toEqual({
      'send-email provider 1': 'done',
      'send-email visitor 1': 'done',
      'sync-crm created 1': 'done',
    })
    expect(worker.smtp.mails.map(({ recipients }) => recipients)).toEqual([[ADA], [ADA]])
    for (const mail of worker.smtp.mails) {
      expect(mail.subject).toMatch(/^\[Test\] /)
      expect(String(mail.raw)).toMatch(/^X-Leadwell-Test: yes\r?$/m)
      // One press on it would stop contact with the staff who test.
      expect(String(mail.raw)).not.toMatch(/^List-Unsubscribe/m)
    }
    const forClinic = found(worker.smtp.mails.find(({ subject }) => subject?.includes('consultation request')))
    expect(forClinic.text).toContain(
      'This is a test. It would have gone to desk@clinic.example and was sent to you instead.',
    )
    expect(await setup.readFacts(worker.db)).toMatchObject({ testLead: id, isTested: true })
  })

  it('is marked in the CRM, where it has an address that nobody has', async () => {
    const id = await testLead((await createProvider(worker.db)).id)
    await runAll(id)
    expect(worker.crmServer.events).toMatchObject([
      { type: 'lead.created', data: { lead: { id, test: true, email: `test-lead-${id}@example.com` } } },
    ])
    const real = await createLead(worker.db)
    await run((await newest(real, 'sync-crm', 'created')).id)
    expect(worker.crmServer.events[1]?.data.lead).not.toHaveProperty('test')
  })

  it('is permanently deleted with one press, which notifies the CRM and no provider', async () => {
    const id = await testLead((await createProvider(worker.db, { email: 'desk@clinic.example' })).id)
    await runAll(id)
    await deleteTestLeads(worker.db, { ...STAFF, personKey: PERSON_KEY })

    expect(await worker.db('all_leads')).toEqual([])
    expect((await worker.db('jobs')).map(({ purpose }) => purpose)).toEqual(['deleted'])
    await runAll(id)
    expect(worker.crmServer.events.at(-1)).toMatchObject({ type: 'lead.deleted', data: { lead: { id } } })
    expect(worker.smtp.mails).toHaveLength(2)
    expect((await setup.readFacts(worker.db)).isTested).toBe(true)
  })
})

describe('a test of the mail server', () => {
  it('shows the answer of the server', async () => {
    expect(await check('mail', ADA)).toMatchObject({ state: 'done', to: ADA, answer: expect.stringMatching(/^250/) })
    expect(worker.smtp.mails[0]).toMatchObject({ recipients: [ADA], subject: expect.stringMatching(/^Test email/) })
  })

  it('that is refused shows why, and is no failed delivery of the network', async () => {
    worker.smtp.answer({ status: 550, text: 'no such user', at: 'recipient' })
    expect(await check('mail', ADA)).toMatchObject({
      state: 'failed',
      error: expect.any(String),
      answer: expect.stringContaining('no such user'),
    })
    expect(await countFailed(worker.db, {})).toBe(0)
  })
})

describe('a test of the CRM', () => {
  it('posts a signed event that is about no lead', async () => {
    expect(await check('crm')).toMatchObject({ state: 'done', answer: 'HTTP 200' })
    expect(worker.crmServer.events).toMatchObject([{ type: 'test', data: {} }])
  })

  it('shows the answer of a CRM that refuses', async () => {
    worker.crmServer.answer({ status: 422, body: 'unknown event' })
    expect(await check('crm')).toMatchObject({
      ...{ state: 'failed', error: 'The CRM refused the test: it answered 422.' },
      answer: expect.stringContaining('unknown event'),
    })
  })
})

async function send(providerId: number) {
  const [id] = await sendTestEmail(worker.db, providerId, STAFF)
  const changes = await attempt([found(id)], worker)
  return { id: found(id), changes, job: found(await jobs.find(worker.db, found(id))).job }
}

describe('a test email', () => {
  it('says that it is a test, and updates open records', async () => {
    const { id } = await createProvider(worker.db, { email: 'desk@clinic.example', practice_name: 'Test Practice' })
    const { job, changes } = await send(id)

    expect(job).toMatchObject({ state: 'done', recipient: 'desk@clinic.example' })
    expect(changes).toEqual({ providers: [id] })
    expect(worker.smtp.mails).toHaveLength(1)
    expect(worker.smtp.mails[0]).toMatchObject({ recipients: ['desk@clinic.example'] })
    expect(worker.smtp.mails[0]?.text).toContain('This is a test. It is not a request, and there is nothing to do.')
    expect(worker.smtp.mails[0]?.text).toContain('Hello Test Practice,')
  })

  it('that is refused is no failed delivery of the network, and can be sent again', async () => {
    const { id } = await createProvider(worker.db)
    worker.smtp.answer({ status: 550, text: 'no such user', at: 'recipient' })
    const refused = await send(id)
    expect(refused.job).toMatchObject({ state: 'failed', last_detail: expect.stringContaining('no such user') })
    expect(await countFailed(worker.db, {})).toBe(0)

    worker.smtp.reset()
    const [again] = await retry(worker.db, refused.id, STAFF)
    await attempt([found(again)], worker)
    expect(found(await jobs.find(worker.db, found(again)))).toMatchObject({
      ...{ subject: `provider:${id}`, job: { state: 'done', generation: 2 } },
    })
  })
})
