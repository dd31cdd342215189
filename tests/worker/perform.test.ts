import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createLog, type Logger } from '../../core/log.ts'
import * as jobs from '../../core/stores/jobs.ts'
import * as leadActions from '../../core/stores/lead-actions.ts'
import { perform } from '../../worker/perform.ts'
import { createLead, createProvider, leadForm } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'
import { useWorkerServices } from '../support/worker-services.ts'

const STAFF = { actor: 'staff' }
const LOG = createLog('test', 'silent')

const worker = useWorkerServices()

const run = (jobId: string, log: Logger = LOG) => perform(jobId, worker, log)
const matchedLead = async (form = {}) =>
  createLead(worker.db, { form, providerId: (await createProvider(worker.db)).id })

/** The newest generation of a job of that lead. */
async function newest(leadId: number, name: string, purpose: string) {
  return worker.db('jobs').where({ lead_id: leadId, name, purpose }).orderBy('generation', 'desc').first()
}

/** What every job that waits does, until none waits; more than one round where a job makes others. */
async function runAll(leadId: number): Promise<void> {
  for (let round = 0; round < 5; round++) {
    const open = await worker
      .db('jobs')
      .where({ lead_id: leadId, state: 'waiting', attempts: 0 })
      .orderBy('created_at')
      .pluck('id')
    for (const id of open) await run(id)
    if (open.length === 0) return
  }
}

const lead = (id: number) => worker.db('leads').where({ id }).first()
const states = async (leadId: number) =>
  Object.fromEntries(
    (await jobs.list(worker.db, { leadId })).map((job) => [`${job.name} ${job.purpose} ${job.generation}`, job.state]),
  )

describe('a job that succeeds', () => {
  it('is done, with what the other side said', async () => {
    const id = await matchedLead()
    const { id: jobId } = await newest(id, 'send-email', 'provider')
    await run(jobId)

    expect(await newest(id, 'send-email', 'provider')).toMatchObject({
      state: 'done',
      attempts: 1,
      last_error: null,
      result: { messageId: `<${jobId}@localhost>`, response: expect.stringMatching(/^250/) },
      finished_at: expect.any(Date),
    })
    expect(worker.smtp.mails.map(({ messageId }) => messageId)).toEqual([`<${jobId}@localhost>`])
  })

  it('is not done again', async () => {
    const id = await matchedLead()
    const { id: jobId } = await newest(id, 'send-email', 'provider')
    await run(jobId)
    await run(jobId)

    expect(worker.smtp.mails).toHaveLength(1)
    expect(await newest(id, 'send-email', 'provider')).toMatchObject({ attempts: 1 })
  })

  it('tells the CRM, keeps its id, and shows the lead as synced', async () => {
    const id = await matchedLead()
    const { id: jobId } = await newest(id, 'sync-crm', 'created')
    await run(jobId)

    expect(worker.crmServer.events).toMatchObject([
      { id: `msg_${jobId}`, type: 'lead.created', data: { lead: { id } } },
    ])
    expect(await lead(id)).toMatchObject({ crm_sync_status: 'success', crm_external_id: `crm-${id}` })
    expect(await newest(id, 'sync-crm', 'created')).toMatchObject({
      state: 'done',
      result: { status: 200, externalId: `crm-${id}` },
    })
  })
})

describe('a job that fails for now', () => {
  it('waits for its next attempt, with what the other side said', async () => {
    const id = await matchedLead()
    worker.smtp.answer({ status: 451, at: 'data', text: 'greylisted' })
    await run((await newest(id, 'send-email', 'provider')).id)

    const job = await newest(id, 'send-email', 'provider')
    expect(job).toMatchObject({ state: 'waiting', attempts: 1, result: { status: 451 }, finished_at: null })
    expect(job.last_error).toContain('greylisted')
    expect(job.next_attempt_at.getTime()).toBeGreaterThan(job.created_at.getTime() + 4000)
    expect(await worker.db.transaction((trx) => jobs.lockDue(trx, 10))).not.toContainEqual(
      expect.objectContaining({ id: job.id }),
    )

    worker.smtp.answer('accept')
    await run(job.id)
    expect(await newest(id, 'send-email', 'provider')).toMatchObject({ state: 'done', attempts: 2, last_error: null })
  })

  it('waits at least as long as the CRM asked for', async () => {
    const id = await matchedLead()
    worker.crmServer.answer({ status: 429, headers: { 'retry-after': '3600' } })
    await run((await newest(id, 'sync-crm', 'created')).id)

    const { rows } = await worker.db.raw(
      `select extract(epoch from next_attempt_at - now())::float as wait from jobs where name = 'sync-crm'`,
    )
    expect(rows[0].wait).toBeGreaterThan(3500)
    expect(await lead(id)).toMatchObject({ crm_sync_status: 'pending' })
  })

  it.each(['9'.repeat(25), 'Fri, 20 Nov 2999 13:00:00 GMT'])('waits though Retry-After is %s', async (header) => {
    const id = await matchedLead()
    worker.crmServer.answer({ status: 503, headers: { 'retry-after': header } })
    await run((await newest(id, 'sync-crm', 'created')).id)
    expect(await newest(id, 'sync-crm', 'created')).toMatchObject({ state: 'waiting', attempts: 1 })
  })

  it('is given up after its last attempt, and says so', async () => {
    const id = await matchedLead()
    const { id: jobId } = await newest(id, 'sync-crm', 'created')
    await worker.db('jobs').where('id', jobId).update({ attempts: 19 })
    worker.crmServer.answer({ status: 500 })
    await run(jobId)

    expect(await newest(id, 'sync-crm', 'created')).toMatchObject({ state: 'failed', attempts: 20 })
    expect((await newest(id, 'sync-crm', 'created')).last_error).toMatch(/500.*stopped trying/)
    expect(await lead(id)).toMatchObject({ crm_sync_status: 'failed' })
  })

  it('is tried again, too, when the fault is ours', async () => {
    const id = await matchedLead()
    const broken = { ...worker, mailer: { send: () => Promise.reject(new TypeError('x is undefined')), close() {} } }
    await perform((await newest(id, 'send-email', 'provider')).id, broken, LOG)
    expect(await newest(id, 'send-email', 'provider')).toMatchObject({
      state: 'waiting',
      last_error: expect.stringContaining('on our side'),
    })
  })
})

describe('a job that fails for good', () => {
  it('is failed at once, with the answer of the mail server', async () => {
    const id = await matchedLead()
    worker.smtp.answer({ status: 550, at: 'recipient', text: 'no such mailbox' })
    await run((await newest(id, 'send-email', 'provider')).id)

    const job = await newest(id, 'send-email', 'provider')
    expect(job).toMatchObject({ state: 'failed', attempts: 1, result: { status: 550 } })
    expect(job.last_error).toContain('no such mailbox')
  })

  it('shows the lead as failed in the same moment, and a retry by staff mends it', async () => {
    const id = await matchedLead()
    worker.crmServer.answer({ status: 422 })
    await run((await newest(id, 'sync-crm', 'created')).id)
    expect(await lead(id)).toMatchObject({ crm_sync_status: 'failed', crm_external_id: null })

    worker.crmServer.answer({ status: 200, body: '{"id":"late"}' })
    await leadActions.retryCrm(worker.db, id, STAFF)
    await run((await newest(id, 'sync-crm', 'created')).id)
    expect(await lead(id)).toMatchObject({ crm_sync_status: 'success', crm_external_id: 'late' })
  })

  it('changes neither the job nor the lead while one of them cannot be written, and then both, without asking the CRM again', async () => {
    const id = await matchedLead()
    const { db } = worker
    await db.raw(`alter table leads add constraint fault check (crm_sync_status <> 'success')`)
    const running = run((await newest(id, 'sync-crm', 'created')).id)
    await waitFor('the first try to record it', () => worker.crmServer.events.length > 0)
    await sleep(300)
    expect(await newest(id, 'sync-crm', 'created')).toMatchObject({ state: 'waiting', attempts: 0 })
    expect(await lead(id)).toMatchObject({ crm_sync_status: 'pending', crm_external_id: null })

    await db.raw('alter table leads drop constraint fault')
    await running
    expect(await newest(id, 'sync-crm', 'created')).toMatchObject({ state: 'done', attempts: 1 })
    expect(await lead(id)).toMatchObject({ crm_sync_status: 'success', crm_external_id: `crm-${id}` })
    expect(worker.crmServer.events).toHaveLength(1)
  })
})

describe('a job that is not needed', () => {
  it('is cancelled, with the reason: no CRM is connected', async () => {
    const id = await matchedLead()
    await perform((await newest(id, 'sync-crm', 'created')).id, { ...worker, crm: null }, LOG)
    expect(await newest(id, 'sync-crm', 'created')).toMatchObject({
      state: 'cancelled',
      last_error: expect.stringContaining('CRM'),
    })
  })

  it('is cancelled, with the reason: the lead has a provider already', async () => {
    const id = await createLead(worker.db)
    const { id: providerId } = await createProvider(worker.db)
    await leadActions.assignProvider(worker.db, id, providerId, STAFF)
    await run((await newest(id, 'match-lead', 'nearest')).id)
    expect(await newest(id, 'match-lead', 'nearest')).toMatchObject({ state: 'cancelled' })
    expect(await newest(id, 'send-email', 'provider')).toMatchObject({ generation: 1, state: 'waiting' })
  })

  it('does nothing when the lead was deleted', async () => {
    const id = await matchedLead()
    const ids = await worker.db('jobs').pluck('id')
    await leadActions.remove(worker.db, id, STAFF)
    for (const jobId of ids) await run(jobId)

    expect(worker.smtp.mails).toEqual([])
    expect(worker.crmServer.events).toEqual([])
    expect(await worker.db('jobs').whereNot({ state: 'waiting', attempts: 0 })).toEqual([])
  })

  it('does nothing when a newer generation has taken its place', async () => {
    const id = await matchedLead()
    const { id: old } = await newest(id, 'send-email', 'provider')
    await leadActions.resendEmail(worker.db, id, STAFF)
    await run(old)

    expect(worker.smtp.mails).toEqual([])
    expect(await states(id)).toMatchObject({ 'send-email provider 1': 'cancelled', 'send-email provider 2': 'waiting' })
  })

  it('records nothing when it was replaced while it ran', async () => {
    const replaced = await matchedLead()
    worker.crmServer.answer(async () => {
      await leadActions.retryCrm(worker.db, replaced, STAFF)
      return { status: 200, body: '{"id":"stale"}' }
    })
    await run((await newest(replaced, 'sync-crm', 'created')).id)

    expect(worker.crmServer.events).toHaveLength(1)
    expect(await states(replaced)).toMatchObject({ 'sync-crm created 1': 'cancelled', 'sync-crm created 2': 'waiting' })
    expect(await lead(replaced)).toMatchObject({ crm_sync_status: 'pending', crm_external_id: null })
  })

  it('does nothing for an id that never was', async () => {
    await expect(run('00000000-0000-4000-8000-000000000000')).resolves.toEqual({})
  })
})

describe('an unmatched lead', () => {
  it('with nobody in reach: team and visitor are written to once, and the CRM knows', async () => {
    await createProvider(worker.db, { zip_code: '10001' })
    const id = await createLead(worker.db)
    await runAll(id)

    expect(await newest(id, 'match-lead', 'nearest')).toMatchObject({ state: 'done', result: { providerId: null } })
    expect((await newest(id, 'match-lead', 'nearest')).result.nearestMiles).toBeGreaterThan(1000)
    const { email } = await lead(id)
    expect(worker.smtp.mails.flatMap(({ recipients }) => recipients).toSorted()).toEqual(
      [worker.env.TEAM_EMAIL, email].toSorted(),
    )
    expect(worker.crmServer.events.map(({ type }) => type)).toEqual(['lead.created'])
    expect(await lead(id)).toMatchObject({ provider_id: null, crm_sync_status: 'success' })

    const again = { name: 'match-lead', purpose: 'nearest' } as const
    await worker.db.transaction((trx) => jobs.add(trx, { leadId: id }, [again]))
    await runAll(id)
    expect(await newest(id, 'match-lead', 'nearest')).toMatchObject({ generation: 2, state: 'done' })
    expect(worker.smtp.mails).toHaveLength(2)
  })

  it('with a provider by then: clinic and visitor are written to, and the CRM is told of the match', async () => {
    const id = await createLead(worker.db)
    const { id: providerId } = await createProvider(worker.db, { email: 'clinic@clinics.example' })
    await runAll(id)

    expect(await lead(id)).toMatchObject({ provider_id: providerId, match_kind: 'nearest', crm_sync_status: 'success' })
    const { email } = await lead(id)
    expect(worker.smtp.mails.flatMap(({ recipients }) => recipients).toSorted()).toEqual(
      ['clinic@clinics.example', email].toSorted(),
    )
    expect(worker.crmServer.events.map(({ type }) => type)).toEqual(['lead.created', 'lead.matched'])
    expect(worker.crmServer.events[1]?.data).toMatchObject({
      lead: { id, match_kind: 'nearest' },
      provider: { id: providerId },
    })
    expect(new Set(worker.crmServer.events.map(({ id: event }) => event)).size).toBe(2)
  })

  it('with a provider found after the team was told: everybody hears of it', async () => {
    const id = await createLead(worker.db)
    await runAll(id)
    expect(worker.smtp.mails).toHaveLength(2)

    const { id: providerId } = await createProvider(worker.db)
    await leadActions.assignProvider(worker.db, id, providerId, STAFF)
    await runAll(id)
    expect(worker.smtp.mails.map(({ subject }) => subject)).toEqual(
      expect.arrayContaining(['Your request has reached a provider near you', 'We have received your request']),
    )
    expect(worker.smtp.mails).toHaveLength(4)
  })
})

describe('a held lead', () => {
  const heldLead = (providerId?: number) => createLead(worker.db, { providerId, heldReason: 'honeypot' })
  const provider = () => createProvider(worker.db, { email: 'clinic@clinics.example' })

  it('is told to the team alone', async () => {
    const { id: providerId } = await provider()
    const id = await heldLead(providerId)
    await runAll(id)

    const { email, phone } = await lead(id)
    expect(worker.smtp.mails.map(({ recipients }) => recipients)).toEqual([[worker.env.TEAM_EMAIL]])
    const [mail] = worker.smtp.mails
    expect(mail?.subject).toBe(`Lead ${id} is held: please look at it`)
    for (const part of [String(mail?.text), String(mail?.html)].map((text) => text.replace(/\s+/g, ' '))) {
      for (const fact of [
        'A field that people cannot see was filled in.',
        'Nothing has been sent to a clinic',
        'release the lead',
        email,
        phone,
        `${worker.env.PUBLIC_URL}/admin`,
      ]) {
        expect(part).toContain(fact)
      }
    }
    expect(worker.crmServer.events).toEqual([])
    expect(await newest(id, 'send-email', 'team')).toMatchObject({ state: 'done', result: { heldReason: 'honeypot' } })
    expect(await lead(id)).toMatchObject({ crm_sync_status: 'pending' })
  })

  it('is neither matched nor delivered, whatever jobs it has', async () => {
    const { id: providerId } = await provider()
    const [unmatched, matched] = [await heldLead(), await heldLead(providerId)]
    await worker.db.transaction((trx) =>
      jobs.add(trx, { leadId: unmatched }, [{ name: 'match-lead', purpose: 'nearest' }]),
    )
    await worker.db.transaction((trx) =>
      jobs.add(trx, { leadId: matched }, [
        { name: 'send-email', purpose: 'provider' },
        { name: 'send-email', purpose: 'visitor' },
        { name: 'sync-crm', purpose: 'created' },
      ]),
    )
    await runAll(unmatched)
    await runAll(matched)

    expect(await states(unmatched)).toEqual({ 'match-lead nearest 1': 'cancelled', 'send-email team 1': 'done' })
    expect(await states(matched)).toEqual({
      'send-email provider 1': 'cancelled',
      'send-email team 1': 'done',
      'send-email visitor 1': 'cancelled',
      'sync-crm created 1': 'cancelled',
    })
    expect(await newest(unmatched, 'match-lead', 'nearest')).toMatchObject({
      last_error: expect.stringContaining('held'),
    })
    expect(await lead(unmatched)).toMatchObject({ provider_id: null })
    expect(worker.crmServer.events).toEqual([])
  })

  it('is told to everybody once it is released', async () => {
    const { id: providerId } = await provider()
    const id = await heldLead(providerId)
    await runAll(id)
    await leadActions.release(worker.db, id, { ...STAFF, radiusMiles: 100 })
    await runAll(id)

    const { email } = await lead(id)
    expect(worker.smtp.mails.flatMap(({ recipients }) => recipients).toSorted()).toEqual(
      [worker.env.TEAM_EMAIL, 'clinic@clinics.example', email].toSorted(),
    )
    expect(worker.crmServer.events.map(({ type }) => type)).toEqual(['lead.created'])
  })

  it('released with nobody in reach: the team hears that, too, and the visitor that we look', async () => {
    const id = await heldLead()
    await runAll(id)
    await leadActions.release(worker.db, id, { ...STAFF, radiusMiles: 100 })
    await runAll(id)

    expect(worker.smtp.mails.map(({ subject }) => subject).toSorted()).toEqual([
      `Lead ${id} is held: please look at it`,
      `No provider near zip 78702 (lead ${id})`,
      'We have received your request',
    ])
  })
})

describe('the mail to the team', () => {
  it('is not sent any more once somebody has found a provider', async () => {
    const id = await createLead(worker.db)
    await worker.db.transaction((trx) => jobs.add(trx, { leadId: id }, [{ name: 'send-email', purpose: 'team' }]))
    await leadActions.assignProvider(worker.db, id, (await createProvider(worker.db)).id, STAFF)
    await run((await newest(id, 'send-email', 'team')).id)

    expect(await newest(id, 'send-email', 'team')).toMatchObject({ state: 'cancelled' })
    expect(worker.smtp.mails).toEqual([])
  })
})

describe('the e-mails', () => {
  const NASTY = { first_name: '<script>alert(1)</script>', last_name: '"Quotes" & <b>bold</b>' }
  const sent = (recipient: string) => worker.smtp.mails.find(({ recipients }) => recipients[0] === recipient)

  it('to the clinic: all that is needed to call, and an answer goes to the visitor', async () => {
    const { id: providerId } = await createProvider(worker.db, {
      email: 'clinic@clinics.example',
      practice_name: 'Lamar Clinic',
    })
    const form = leadForm({ first_name: 'Zoë', last_name: "O'Brien", phone: '(512) 555-0123' })
    const id = await createLead(worker.db, { form, providerId })
    await runAll(id)

    const mail = sent('clinic@clinics.example')
    expect(mail?.replyTo?.value).toEqual([{ name: "Zoë O'Brien", address: form.email }])
    for (const part of [String(mail?.text), String(mail?.html).replaceAll('&#x27;', "'")]) {
      for (const fact of [
        'Lamar Clinic',
        "Zoë O'Brien",
        '(512) 555-0123',
        form.email,
        form.zip_code,
        'about 2 miles',
      ]) {
        expect(part).toContain(fact)
      }
    }
    expect(mail?.subject).not.toContain('Zoë')
  })

  it('to the visitor: whom we told, and how to reach them', async () => {
    const { id: providerId } = await createProvider(worker.db, {
      practice_name: 'Lamar Clinic',
      phone: '(512) 555-0199',
      website: 'lamar.example',
    })
    const form = leadForm()
    await runAll(await createLead(worker.db, { form, providerId }))

    const mail = sent(form.email)
    for (const part of [String(mail?.text), String(mail?.html)]) {
      for (const fact of ['Lamar Clinic', '(512) 555-0199', 'lamar.example']) expect(part).toContain(fact)
    }
    expect(mail?.html).toContain('href="https://lamar.example"')
    expect(mail?.replyTo?.value).toMatchObject([{ address: 'care@velmora.example' }])
  })

  it('to the team: who waits, where to match them, and who is nearest; an answer goes to the visitor', async () => {
    const { id: nearest } = await createProvider(worker.db, { practice_name: 'Lamar Clinic' })
    const form = leadForm({ zip_code: '99501' })
    const id = await createLead(worker.db, { form })
    await runAll(id)

    const mail = sent(worker.env.TEAM_EMAIL)
    expect(mail?.subject).toContain('99501')
    expect(mail?.replyTo?.value).toMatchObject([{ address: form.email }])
    expect(mail?.text).toMatch(new RegExp(`Lamar Clinic \\(no. ${nearest}\\): about 3,\\d{3} miles, zip 78701`))
    for (const part of [String(mail?.text), String(mail?.html)]) {
      for (const fact of [form.email, form.phone, `no. ${id}`, `${worker.env.PUBLIC_URL}/admin`])
        expect(part).toContain(fact)
    }
  })

  it('show what a visitor typed as text, whatever it is', async () => {
    const { id: providerId } = await createProvider(worker.db, {
      email: 'clinic@clinics.example',
      website: 'javascript:alert(1)',
    })
    const form = leadForm({ ...NASTY, acceptance_message: '<img src=x onerror=alert(1)>' })
    await runAll(await createLead(worker.db, { form, providerId }))
    await runAll(await createLead(worker.db, { form: leadForm({ ...NASTY, zip_code: '99501' }) }))

    expect(worker.smtp.mails).toHaveLength(4)
    for (const { html } of worker.smtp.mails) expect(String(html)).not.toMatch(/<script|<b>bold|<img|href="javascript/i)
    expect(sent('clinic@clinics.example')?.text).toContain('<script>alert(1)</script> "Quotes" & <b>bold</b>')
    expect(sent('clinic@clinics.example')?.html).toContain('&lt;script&gt;')
  })
})

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
      { job: 'send-email', purpose: 'visitor', attempt: 1, state: 'failed' },
      { job: 'sync-crm', purpose: 'created', attempt: 1, state: 'done' },
    ])
    expect(lines.map(({ jobId, leadId }) => ({ jobId, leadId }))).toEqual(
      jobIds.map((jobId: string) => ({ jobId, leadId: id })),
    )
    expect(JSON.stringify(lines)).not.toMatch(/canary|555-0187/i)
    expect((await newest(id, 'send-email', 'visitor')).last_error).toContain('user unknown')
  })

  it('has of a fault of ours its kind alone, because its words may quote anything, and the ledger has those', async () => {
    const lines: Record<string, unknown>[] = []
    const log = { info: (line: Record<string, unknown>) => void lines.push(line) } as unknown as Logger
    const fault = Object.assign(new RangeError('insert … values (canary@secret.example)'), { code: '23505' })
    const id = await matchedLead()
    const broken = { ...worker, mailer: { send: () => Promise.reject(fault), close() {} } }
    await perform((await newest(id, 'send-email', 'provider')).id, broken, log)

    expect(lines).toMatchObject([{ state: 'waiting', reason: 'RangeError 23505' }])
    expect(JSON.stringify(lines)).not.toContain('canary')
    expect((await newest(id, 'send-email', 'provider')).last_error).toContain('canary')
  })
})
