import { describe, expect, it } from 'vitest'
import * as sentMessages from '../../core/deliveries/stores/sent-messages.ts'
import { deleteLead, purgeLead, restoreLead } from '../../core/leads/change-lead.ts'
import { countRows } from '../../core/platform/db.ts'
import { erasePerson } from '../../core/privacy/person.ts'
import { PERSON_KEY } from '../support/env.ts'
import { createLead, createProvider, leadForm } from '../support/factories.ts'
import { found } from '../support/found.ts'
import { useLeadJobs } from '../support/lead-jobs.ts'
import type { ReceivedMail } from '../support/smtp-server.ts'

const { worker, run, runAll, matchedLead, newest, lead } = useLeadJobs()

const STAFF = { actor: 'staff' }
const count = () => countRows(worker.db('sent_messages'))
const emailOf = async (leadId: number, purpose: string) => {
  const { id: jobId } = await newest(leadId, 'send-email', purpose)
  return sentMessages.findEmail(worker.db, { leadId, jobId })
}
const payloadOf = async (leadId: number, purpose: string) => {
  const { id: jobId } = await newest(leadId, 'sync-crm', purpose)
  return sentMessages.findPayload(worker.db, { leadId, jobId })
}
const received = (recipient: string) =>
  found(worker.smtp.mails.findLast(({ recipients }) => recipients[0] === recipient))
/** Both ends of lines are the same to a reader. */
const lines = (text: unknown) => String(text).replaceAll('\r\n', '\n').trim()
/** Replaces what is secret in a received part. */
const marked = (part: unknown) =>
  lines(part)
    .replace(/\/(r|called)\/[\w.-]{20,}(\?answer=\w+)?/g, '/$1/•••')
    .replace(/\/do-not-contact\?t=[\w.-]+/g, '/do-not-contact•••')
    .replace(/\/do-not-contact\/clinic\?t=[\w.-]+/g, '/do-not-contact/•••')
const asMarked = ({ html, text, subject, recipients }: ReceivedMail) => ({
  ...{ to: recipients[0], subject, html: marked(html), text: marked(text) },
})
const asKept = ({ html, text, ...rest }: NonNullable<Awaited<ReturnType<typeof emailOf>>>) => {
  const { sent_at: _, ...envelope } = rest
  return { ...envelope, html: lines(html), text: lines(text) }
}

describe('the copy of an email', () => {
  it('is what the mail server received, part for part, with its tokens replaced', async () => {
    const { id: providerId } = await createProvider(worker.db, { email: 'desk@clinics.example' })
    const form = leadForm({ first_name: '<b>Zoë</b>', last_name: "O'Brien & Sons" })
    const id = await createLead(worker.db, { form, providerId })
    await runAll(id)

    const toClinic = received('desk@clinics.example')
    expect(String(toClinic.html)).toMatch(/\/r\/[\w.-]{20,}\?answer=reached/)
    expect(asKept(found(await emailOf(id, 'provider')))).toEqual(asMarked(toClinic))
    const toVisitor = received(form.email)
    expect(String(toVisitor.html)).toMatch(/do-not-contact\?t=person\.\d+\.[\w.-]{20,}/)
    expect(asKept(found(await emailOf(id, 'visitor')))).toEqual(asMarked(toVisitor))

    const alone = await createLead(worker.db, { heldReason: 'honeypot' })
    await runAll(alone)
    expect(asKept(found(await emailOf(alone, 'team')))).toEqual(asMarked(received(worker.env.TEAM_EMAIL)))
    expect((await emailOf(alone, 'team'))?.html).toContain(`/admin?lead=${alone}`)
  })

  it('is kept once the mail server has accepted the email, and of each one that is sent again', async () => {
    const id = await matchedLead()
    const { id: jobId } = await newest(id, 'send-email', 'visitor')
    worker.smtp.answer({ status: 451 })
    await run(jobId)
    expect(await count()).toBe(0)

    worker.smtp.reset()
    await run(jobId)
    expect(await emailOf(id, 'visitor')).toMatchObject({ to: (await lead(id)).email })
    expect(await count()).toBe(1)
  })

  it('is kept of an email that was accepted while staff deleted the lead', async () => {
    const id = await matchedLead()
    worker.smtp.answer(async (_, stage) => {
      if (stage === 'data') await deleteLead(worker.db, id, STAFF)
      return 'accept' as const
    })
    await run((await newest(id, 'send-email', 'visitor')).id)
    expect(await emailOf(id, 'visitor')).toMatchObject({ subject: worker.smtp.mails[0]?.subject })
  })
})

it('the copy of a payload is what the CRM received, also if it refused', async () => {
  const id = await matchedLead()
  const { id: jobId } = await newest(id, 'sync-crm', 'created')
  worker.crmServer.answer({ status: 422, body: 'contact_type is required' })
  await run(jobId)
  const { type, data } = found(worker.crmServer.events[0])
  expect(await payloadOf(id, 'created')).toMatchObject({ payload: { type, data } })
  expect(Object.keys((await payloadOf(id, 'created'))?.payload as object).sort()).toEqual(['data', 'timestamp', 'type'])
  expect((await newest(id, 'sync-crm', 'created')).last_detail).toContain('contact_type is required')
})

describe('what was sent', () => {
  const delivered = async () => {
    const id = await matchedLead()
    await runAll(id)
    expect(await count()).toBe(3)
    return id
  }

  it('stays with a deleted lead, and is there once it is restored', async () => {
    const id = await delivered()
    await deleteLead(worker.db, id, STAFF)
    expect(await count()).toBe(3)
    await restoreLead(worker.db, id, STAFF)
    expect(await emailOf(id, 'visitor')).not.toBeNull()
  })

  it('goes with a lead that is permanently deleted', async () => {
    const id = await delivered()
    await deleteLead(worker.db, id, STAFF)
    await purgeLead(worker.db, id, { ...STAFF, personKey: PERSON_KEY })
    expect(await count()).toBe(0)
  })

  it('goes with a person who is erased, and nothing about them is kept afterwards', async () => {
    const id = await delivered()
    const contact = (await lead(id)).email
    await erasePerson(worker.db, { contact, forms: [{ kind: 'lead', id }] }, { ...STAFF, personKey: PERSON_KEY })
    await runAll(id)
    expect(worker.crmServer.events.at(-1)?.type).toBe('lead.deleted')
    expect(await count()).toBe(0)
  })
})
