import { describe, expect, it } from 'vitest'
import { releaseApplication } from '../../core/applications/applications.ts'
import { retry, retryAll } from '../../core/deliveries/retry-deliveries.ts'
import { countFailed, listFailed } from '../../core/deliveries/stores/failed-jobs.ts'
import { assignProvider } from '../../core/leads/assign-provider.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import {
  allowContactOfLead,
  confirmClinicOptOut,
  stopContactByHand,
  stopContactOfLead,
} from '../../core/privacy/stop-contact.ts'
import * as suppressions from '../../core/privacy/stores/suppressions.ts'
import { createApplication, createProvider } from '../support/factories.ts'
import { found } from '../support/found.ts'
import { useLeadJobs } from '../support/lead-jobs.ts'

const { worker, run, runAll, newest, states, matchedLead } = useLeadJobs()
const STAFF = { actor: 'ada@leadwell.example' }
const ASKED = 'This person asked not to be contacted.'

const context = () => ({ key: deriveKey(worker.env.DATA_KEY, 'person-hash'), timeZone: 'America/New_York' })
const stop = (leadId: number) => stopContactOfLead(worker.db, leadId, STAFF, context())
const subjects = () => worker.smtp.mails.map(({ recipients, subject }) => `${recipients[0]}: ${subject}`)
const clinicOf = async (leadId: number) =>
  await worker
    .db('leads')
    .join('providers', 'providers.id', 'provider_id')
    .where('leads.id', leadId)
    .first('providers.*')

describe('once a person asks not to be contacted', () => {
  it('the provider and the CRM that know of the lead are notified, and the provider gets a link to confirm', async () => {
    const id = await matchedLead({ first_name: 'Jordan', last_name: 'Avery' })
    await runAll(id)
    worker.smtp.reset()
    await stop(id)
    await runAll(id)

    const { email, name } = await clinicOf(id)
    expect(name).toBeTruthy()
    expect(subjects()).toEqual([`${email}: Please stop contacting this person (request no. ${id})`])
    expect(worker.smtp.mails[0]?.text).toContain('Jordan Avery')
    expect(worker.smtp.mails[0]?.text).toMatch(
      /http:\/\/localhost:3000\/do-not-contact\/clinic\?t=clinic\.1\.[\w-]{43}/,
    )
    expect(worker.smtp.mails[0]?.headers.has('list')).toBe(false)
    expect(worker.crmServer.events.at(-1)).toMatchObject({
      type: 'lead.opted_out',
      data: { lead: { id, first_name: 'Jordan' } },
    })
  })

  it('nothing that is still to be sent goes to the visitor, or to a clinic that does not know of the lead', async () => {
    const id = await matchedLead()
    await stop(id)
    await runAll(id)

    expect(subjects()).toEqual([])
    expect(await states(id)).toEqual({
      'send-email provider 1': 'cancelled',
      'send-email visitor 1': 'cancelled',
      'sync-crm created 1': 'done',
      'sync-crm opted_out 1': 'done',
    })
    expect((await newest(id, 'send-email', 'visitor')).last_error).toBe(ASKED)
    expect(await worker.db('opt_outs')).toEqual([])
  })

  it('the same holds for all requests of that person, however the phone was typed, and for nobody else’s', async () => {
    const phone = '(512) 555-0188'
    const first = await matchedLead({ phone })
    const second = await matchedLead({ phone: '+1 512-555-0188' })
    const other = await matchedLead({ phone: '(737) 555-0188' })
    for (const id of [first, second, other]) await runAll(id)
    worker.smtp.reset()
    await stop(first)
    for (const id of [first, second, other]) await runAll(id)

    expect(subjects().map((subject) => subject.match(/no\. (\d+)/)?.[1])).toEqual([String(first), String(second)])
    expect(await worker.db('opt_outs').orderBy('lead_id').pluck('lead_id')).toEqual([first, second])
  })

  it('a provider that had the lead before is notified as well, each once', async () => {
    const id = await matchedLead()
    await runAll(id)
    const before = await clinicOf(id)
    await assignProvider(worker.db, id, (await createProvider(worker.db)).id, { ...STAFF, delay: 0 })
    await runAll(id)
    const now = await clinicOf(id)
    worker.smtp.reset()
    await stop(id)
    await stop(id)
    await runAll(id)

    const notified = worker.smtp.mails.flatMap(({ recipients }) => recipients)
    expect(notified.toSorted()).toEqual([before.email, now.email].toSorted())
    const clocks = await suppressions.find(worker.db, { lead_id: id })
    expect(clocks.map(({ clinic }) => clinic).toSorted()).toEqual([before.practice_name, now.practice_name].toSorted())
    expect(await worker.db('audit_log').where({ action: 'opt-out' })).toHaveLength(1)
  })

  it('a clinic that the email does not reach is a failure, also if another one got its own', async () => {
    const id = await matchedLead()
    await runAll(id)
    const { email } = await clinicOf(id)
    await assignProvider(worker.db, id, (await createProvider(worker.db)).id, { ...STAFF, delay: 0 })
    await runAll(id)
    await stop(id)
    worker.smtp.answer((recipient) => (recipient === email ? { status: 550 } : 'accept'))
    await runAll(id)

    expect(await worker.db('leads').where({ id }).first()).toMatchObject({ email_status: 'failed' })
    expect(await countFailed(worker.db, {})).toBe(1)
    const [again] = await listFailed(worker.db, {}, 5)
    worker.smtp.reset()
    for (const job of await retry(worker.db, String(again?.id), STAFF)) await run(job)
    expect(worker.smtp.mails.flatMap(({ recipients }) => recipients)).toEqual([email])
    expect(await countFailed(worker.db, {})).toBe(0)
  })

  it('the clinic has ten business days, and is not asked for what it has confirmed already', async () => {
    const id = await matchedLead()
    await runAll(id)
    worker.smtp.reset()
    await stop(id)
    const [clock] = await suppressions.find(worker.db, { lead_id: id })
    const days = (Date.parse(String(clock?.due_at)) - Date.parse(String(clock?.asked_at))) / 86_400_000
    expect(days).toBeGreaterThan(11)
    expect(days).toBeLessThan(15)
    expect(await confirmClinicOptOut(worker.db, Number(clock?.id), STAFF)).toBe(true)
    expect(await confirmClinicOptOut(worker.db, Number(clock?.id), STAFF)).toBe(false)
    await runAll(id)

    expect(subjects()).toEqual([])
    expect(await newest(id, 'send-email', 'opted_out')).toMatchObject({ state: 'cancelled' })
    expect(await worker.db('audit_log').where({ action: 'confirm-opt-out' })).toHaveLength(1)
  })

  it('a CRM that does not take it is a failure of the lead, although it has taken the lead', async () => {
    const id = await matchedLead()
    await runAll(id)
    worker.crmServer.answer({ status: 410 })
    await stop(id)
    await runAll(id)
    expect(await worker.db('leads').where({ id }).first()).toMatchObject({ crm_sync_status: 'failed' })
  })

  it('an applicant gets no email either', async () => {
    const phone = '(512) 555-0199'
    const id = await createApplication(worker.db, { form: { phone }, heldReason: 'too_fast' })
    await stopContactByHand(worker.db, { phone }, STAFF, context())
    await releaseApplication(worker.db, id, STAFF)
    const { id: job } = found(
      await worker.db('jobs').where({ subject_kind: 'application', subject_id: id, purpose: 'applicant' }).first(),
    )
    await run(job)

    expect(subjects()).toEqual([])
    expect(await worker.db('jobs').where({ id: job }).first()).toMatchObject({ state: 'cancelled', last_error: ASKED })
  })

  it('contact can be allowed again: open notices to providers are cancelled, and emails are sent', async () => {
    const id = await matchedLead()
    await runAll(id)
    worker.smtp.reset()
    await stop(id)
    await allowContactOfLead(worker.db, id, { ...STAFF, because: 'A mistake' }, context().key)
    await runAll(id)
    expect(subjects()).toEqual([])
    expect(await suppressions.find(worker.db, { lead_id: id })).toEqual([])

    await retryAll(worker.db, `lead:${id}`, 'send-email', STAFF)
    await runAll(id)
    expect(subjects()).toHaveLength(1)
    expect(await worker.db('suppressions').whereNull('lifted_at')).toEqual([])
    expect(await worker.db('suppressions').first()).toMatchObject({
      lifted_by: STAFF.actor,
      lifted_because: 'A mistake',
    })

    await stop(id)
    await runAll(id)
    expect(subjects().at(-1)).toContain('Please stop contacting this person')
  })
})

it('every email to a visitor has a link that stops contact, also for mail programs', async () => {
  const id = await matchedLead()
  await runAll(id)
  const mail = worker.smtp.mails.find(({ subject }) => subject === 'Your request has reached a provider near you')
  const [link] =
    /http:\/\/localhost:3000\/do-not-contact\?t=person\.\d+\.e[\w-]{43}\.[\w-]{43}/.exec(String(mail?.text)) ?? []
  expect(link).toBeTruthy()
  const raw = mail?.raw.toString().replace(/\r\n\s+/g, ' ')
  expect(raw).toContain(`List-Unsubscribe: <${link}>`)
  expect(raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
})
