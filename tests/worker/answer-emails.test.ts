import { describe, expect, it } from 'vitest'
import type { NewLeadJob } from '../../core/deliveries/rules/deliveries.ts'
import * as jobs from '../../core/deliveries/stores/jobs.ts'
import { answerQuestion } from '../../core/leads/answers.ts'
import { assignProvider } from '../../core/leads/assign-provider.ts'
import { editLead } from '../../core/leads/change-lead.ts'
import { recordOutcome } from '../../core/leads/record-outcome.ts'
import { readRequestLink } from '../../core/leads/rules/request-links.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { stopContactByHand } from '../../core/privacy/stop-contact.ts'
import { PERSON_KEY } from '../support/env.ts'
import { createClinicPerson, createProvider, jobsOf } from '../support/factories.ts'
import { useLeadJobs } from '../support/lead-jobs.ts'

const { worker, runAll, newest, matchedLead, lead } = useLeadJobs()

type Job = Extract<NewLeadJob, { name: 'send-email' }>
async function send(id: number, job: Job) {
  worker.smtp.reset()
  await worker.db.transaction((trx) => jobs.add(trx, `lead:${id}`, [job]))
  await runAll(id)
  return worker.smtp.mails
}
async function notifiedLead() {
  const id = await matchedLead({ first_name: 'Jordan', last_name: 'Avery' })
  await runAll(id)
  const providerId = Number((await lead(id)).provider_id)
  const clinic = await worker.db('providers').where('id', providerId).first()
  return { id, clinicId: providerId, clinic }
}
const linkIn = (text: string | undefined, path: string) => {
  const token = new RegExp(`http://localhost:3000/${path}/([\\w.-]+)`).exec(text ?? '')?.[1] ?? ''
  return readRequestLink(deriveKey(worker.env.DATA_KEY, 'request-link'), token)
}
const CLINIC = { source: 'clinic', actor: 'clinic' } as const

describe('the reminder', () => {
  it('goes to the clinic, with a link to its page for the request', async () => {
    const { id, clinicId, clinic } = await notifiedLead()
    const [mail] = await send(id, { name: 'send-email', purpose: 'reminder', payload: { providerId: clinicId } })
    expect(mail).toMatchObject({
      recipients: [clinic?.email],
      subject: `Reminder: request no. ${id} is waiting for your call`,
    })
    expect(mail?.text).toContain('Jordan Avery')
    expect(linkIn(mail?.text, 'r')).toMatchObject({ of: 'clinic', leadId: id, providerId: clinicId })
  })

  it('is not sent after the clinic has answered, or when another clinic has the lead', async () => {
    const [answered, moved] = [await notifiedLead(), await notifiedLead()]
    await recordOutcome(worker.db, answered.id, { kind: 'reached', ...CLINIC })
    const { id: other } = await createProvider(worker.db)
    await assignProvider(worker.db, moved.id, other, { actor: 'staff', delay: 0 })
    for (const { id, clinicId } of [answered, moved]) {
      const mails = await send(id, { name: 'send-email', purpose: 'reminder', payload: { providerId: clinicId } })
      expect(mails.filter(({ subject }) => subject?.startsWith('Reminder'))).toEqual([])
      expect(await newest(id, 'send-email', 'reminder')).toMatchObject({ state: 'cancelled' })
    }
    expect((await newest(answered.id, 'send-email', 'reminder')).last_error).toBe('The clinic has answered.')
  })
})

describe('the question for the right phone number', () => {
  const wrong = async () => {
    const id = await matchedLead({ phone: '2065550181' })
    await runAll(id)
    worker.smtp.reset()
    await recordOutcome(worker.db, id, { kind: 'wrong_number', ...CLINIC })
    return id
  }

  it('goes to the visitor, with a link to one field and without naming a treatment', async () => {
    const id = await wrong()
    await runAll(id)
    const { email, provider_id } = await lead(id)
    const mail = worker.smtp.mails.find(({ recipients }) => recipients.includes(email))
    expect(mail?.subject).toBe('What is your right phone number?')
    expect(mail?.text).toContain('Your clinic could not reach you at (206) 555-0181. What is the right number?')
    expect(linkIn(mail?.text, 'phone-number')).toMatchObject({ of: 'visitor', leadId: id, providerId: provider_id })
    expect(`${mail?.subject} ${mail?.text}`).not.toMatch(/shockwave|erect|penis|size/i)
  })

  it('is not sent to a person on the do-not-contact list, or once the number was corrected', async () => {
    const [stopped, corrected] = [await wrong(), await wrong()]
    const { phone } = await lead(stopped)
    const context = { key: PERSON_KEY, timeZone: 'UTC' }
    await editLead(worker.db, corrected, { phone: '2065550188' }, { actor: 'staff', personKey: PERSON_KEY })
    await stopContactByHand(worker.db, { phone }, { actor: 'staff' }, context)
    for (const id of [stopped, corrected]) {
      await runAll(id)
      expect(await newest(id, 'send-email', 'wrong_number')).toMatchObject({ state: 'cancelled' })
    }
    expect(worker.smtp.mails.map(({ subject }) => subject)).not.toContain('What is your right phone number?')
  })

  it('is followed by an email to the clinic that names the number before', async () => {
    const id = await wrong()
    await editLead(worker.db, id, { phone: '2065550188' }, { actor: 'visitor', personKey: PERSON_KEY })
    await runAll(id)
    const mail = worker.smtp.mails.find(({ subject }) => subject?.startsWith('Corrected phone number'))
    expect(mail?.text).toContain('It was (206) 555-0181, the number on the consent')
    expect(mail?.text).toContain('(206) 555-0188')
  })
})

describe('the notices of a late answer', () => {
  it('go to the person whom the clinic has named and to the team', async () => {
    const { id, clinicId, clinic } = await notifiedLead()
    const owner = 'owner@clinics.example'
    await createClinicPerson(worker.db, { provider_id: clinicId, email: owner, gets: 'late' })
    const [toClinic] = await send(id, { name: 'send-email', purpose: 'late_clinic', payload: { providerId: clinicId } })
    expect(toClinic?.recipients).toEqual([owner])
    expect(toClinic?.text).not.toContain('did not arrive')
    expect(linkIn(toClinic?.text, 'r')?.leadId).toBe(id)

    const [toTeam] = await send(id, { name: 'send-email', purpose: 'late_team' })
    expect(toTeam?.recipients).toEqual([worker.env.TEAM_EMAIL])
    expect(toTeam?.subject).toBe(`Lead ${id}: ${clinic?.practice_name} has not answered`)
    expect(toTeam?.text).toContain(`http://localhost:3000/admin?lead=${id}`)
  })

  it('say that the provider never got the request, where our email was refused', async () => {
    const { id, clinic } = await notifiedLead()
    await jobsOf(worker.db, id, { purpose: 'provider' }).update({
      state: 'failed',
      last_error: 'Refused.',
      last_cause: 'refused',
    })
    const [mail] = await send(id, { name: 'send-email', purpose: 'late_team' })
    expect(mail?.text?.replace(/\s+/g, ' ')).toContain(`our email to ${clinic?.email} did not arrive`)
  })
})

it('the question to the clinic whether the person came goes to the clinic with three answers, and not after an outcome', async () => {
  const [asked, known] = [await notifiedLead(), await notifiedLead()]
  for (const { id } of [asked, known])
    await recordOutcome(worker.db, id, { kind: 'booked', booked_for: '2026-11-20', ...CLINIC })
  await recordOutcome(worker.db, known.id, { kind: 'attended', ...CLINIC })
  const question = (providerId: number) =>
    ({ name: 'send-email', purpose: 'visit_question', payload: { providerId } }) as const
  const mails = await send(asked.id, question(asked.clinicId))
  const mail = mails.find(({ subject }) => subject === `Did Jordan come? (request no. ${asked.id})`)
  expect(mail?.recipients).toEqual([asked.clinic?.email])
  const chosen = [...String(mail?.html).matchAll(/\/r\/[\w.-]+\?answer=(\w+)/g)].map(([, answer]) => answer)
  expect(chosen).toEqual(['attended', 'no_show', 'booked'])
  await send(known.id, question(known.clinicId))
  expect(await newest(known.id, 'send-email', 'visit_question')).toMatchObject({ state: 'cancelled' })
})

describe('the question to the visitor', () => {
  it('has a link for each answer and one to stop contact, and names no treatment', async () => {
    const { id } = await notifiedLead()
    const [mail] = await send(id, { name: 'send-email', purpose: 'visitor_question' })
    expect(mail).toMatchObject({ recipients: [(await lead(id)).email], subject: 'Did the clinic call you?' })
    const chosen = [...String(mail?.html).matchAll(/\/called\/[\w.-]+\?answer=(\w+)/g)].map(([, answer]) => answer)
    expect(chosen).toEqual(['yes', 'not_yet', 'no_longer'])
    expect(linkIn(mail?.text, 'called')).toMatchObject({ of: 'visitor', leadId: id, recipient: expect.any(String) })
    expect(mail?.headers.has('list')).toBe(true)
  })

  it('answered with not yet: the team reads what the clinic had said, and the clinic that nobody called', async () => {
    const { id, clinic } = await notifiedLead()
    await recordOutcome(worker.db, id, { kind: 'reached', ...CLINIC })
    await runAll(id)
    const [mail] = await send(id, { name: 'send-email', purpose: 'visitor_question' })
    const link = linkIn(mail?.text, 'called')
    if (!link) throw new Error('The email has no link.')
    worker.smtp.reset()
    await answerQuestion(worker.db, link, 'not_yet')
    await runAll(id)
    const subjects = worker.smtp.mails.map(({ recipients, subject }) => `${recipients[0]}: ${subject}`).toSorted()
    expect(subjects).toEqual(
      [
        `${clinic?.email}: Please call: the person from request no. ${id} says nobody has called`,
        `${worker.env.TEAM_EMAIL}: Lead ${id}: the visitor says nobody has called`,
      ].toSorted(),
    )
    const toTeam = worker.smtp.mails.find(({ recipients }) => recipients[0] === worker.env.TEAM_EMAIL)
    expect(toTeam?.text?.replace(/\s+/g, ' ')).toContain('The provider had reported: we reached them.')
  })

  it('answered with no longer: the clinic is asked not to call', async () => {
    const { id, clinic } = await notifiedLead()
    const [mail] = await send(id, { name: 'send-email', purpose: 'visitor_question' })
    const link = linkIn(mail?.text, 'called')
    if (!link) throw new Error('The email has no link.')
    worker.smtp.reset()
    await answerQuestion(worker.db, link, 'no_longer')
    await runAll(id)
    expect(worker.smtp.mails).toMatchObject([
      { recipients: [clinic?.email], subject: `Please do not call: request no. ${id} was withdrawn` },
    ])
  })
})
