import { describe, expect, it } from 'vitest'
import type { NewLeadJob } from '../../core/deliveries/rules/deliveries.ts'
import { listFailed } from '../../core/deliveries/stores/failed-jobs.ts'
import * as jobs from '../../core/deliveries/stores/jobs.ts'
import { assignProvider } from '../../core/leads/assign-provider.ts'
import {
  addPerson,
  changePerson,
  removePerson,
  sendTestEmail,
  signInClinic,
} from '../../core/providers/change-provider.ts'
import * as clinicPeople from '../../core/providers/stores/clinic-people.ts'
import { createClinicPerson, createProvider } from '../support/factories.ts'
import { attempt, useLeadJobs } from '../support/lead-jobs.ts'

const { worker, runAll, matchedLead, lead } = useLeadJobs()

const NEW = 'intake@quill.example'
const NURSE = 'nurse@quill.example'

/** Sends the emails that a clinic itself waits for. Returns them by their recipients. */
async function sendOwn(providerId: number) {
  worker.smtp.reset()
  const open = { subject_kind: 'provider', subject_id: providerId, state: 'waiting' } as const
  await attempt(await worker.db('jobs').where(open).orderBy('created_at').pluck('id'), worker)
  return Object.fromEntries(worker.smtp.mails.map((mail) => [mail.recipients[0], mail]))
}
const open = (text = '') => {
  const token = /\/clinic\?tab=requests#([\w-]{43})/.exec(text)?.[1] ?? ''
  return signInClinic(worker.db, token, { ip: '192.0.2.1', userAgent: 'test' })
}
const inUse = (id: number) => clinicPeople.findInUse(worker.db, id)

async function clinicOfLead() {
  const leadId = await matchedLead()
  const id = Number((await lead(leadId)).provider_id)
  const clinic = await worker.db('providers').where('id', id).first()
  return { leadId, id, email: String(clinic?.email) }
}
const person = (provider_id: number, email: string, gets?: 'requests' | 'late') =>
  createClinicPerson(worker.db, { provider_id, email, ...(gets && { gets }) })

describe('a person of a clinic', () => {
  it('gets a link, which confirms the address, and then the requests; the previous one is notified each time', async () => {
    const clinic = await clinicOfLead()
    await addPerson(worker.db, clinic, NEW)
    const added = await sendOwn(clinic.id)
    expect(Object.keys(added).toSorted()).toEqual([clinic.email, NEW].toSorted())
    expect(added[NEW]?.text).toContain(`${clinic.email} gave this address access`)
    expect(added[clinic.email]?.subject).toContain('Another person can see your requests')
    expect(added[clinic.email]?.text).toContain(NEW)

    const row = await worker.db('clinic_people').where({ email: NEW }).first('id')
    const give = () => changePerson(worker.db, clinic, Number(row?.id), 'requests')
    await expect(give()).rejects.toMatchObject({ code: 'conflict' })
    await open(added[NEW]?.text)
    await give()
    expect(await inUse(clinic.id)).toEqual({ requests: NEW, wordpress: clinic.email })
    const notified = await sendOwn(clinic.id)
    expect(Object.keys(notified)).toEqual([clinic.email])
    expect(notified[clinic.email]?.subject).toContain('Requests now go to another address')
    for (const words of [NEW, '/clinic?tab=people']) expect(notified[clinic.email]?.text).toContain(words)
  })

  it('is followed by another one: the previous one and the address of WordPress are notified', async () => {
    const clinic = await clinicOfLead()
    await person(clinic.id, NEW, 'requests')
    await changePerson(worker.db, clinic, await person(clinic.id, NURSE), 'requests')
    expect(Object.keys(await sendOwn(clinic.id)).toSorted()).toEqual([clinic.email, NEW].toSorted())
    expect(await inUse(clinic.id)).toMatchObject({ requests: NURSE })
  })

  it('who no longer gets the requests, or is removed by the team, is notified; they go to WordPress’s address', async () => {
    const clinic = await clinicOfLead()
    const id = await person(clinic.id, NEW, 'requests')
    await changePerson(worker.db, clinic, id, null)
    expect(Object.keys(await sendOwn(clinic.id))).toEqual([NEW])
    await changePerson(worker.db, clinic, id, 'requests')
    await sendOwn(clinic.id)

    await removePerson(worker.db, { id: clinic.id, email: 'our team' }, id, 'ada@leadwell.example')
    const removed = await sendOwn(clinic.id)
    expect(Object.keys(removed)).toEqual([NEW])
    for (const words of ['Requests no longer come to this address', clinic.email, 'our team']) {
      expect(removed[NEW]?.text).toContain(words)
    }
    expect(await inUse(clinic.id)).toMatchObject({ requests: clinic.email })
  })

  it('gets notices of late answers, and the clinic hears of that once', async () => {
    const clinic = await clinicOfLead()
    const id = await person(clinic.id, NURSE)
    await changePerson(worker.db, clinic, id, 'late')
    expect(await clinicPeople.findLate(worker.db, clinic.id)).toBe(NURSE)
    const notified = await sendOwn(clinic.id)
    expect(notified[clinic.email]?.subject).toContain('Late answers now go to another address')
    await changePerson(worker.db, clinic, id, null)
    expect(await sendOwn(clinic.id)).toEqual({})
  })

  it('is added with a copy that does not hide the failure of the notice to the address in use', async () => {
    const clinic = await clinicOfLead()
    await person(clinic.id, NEW, 'requests')
    await addPerson(worker.db, clinic, NURSE)
    worker.smtp.answer((recipient) => (recipient === NEW ? { status: 550 } : 'accept'))
    const purpose = 'address_changed'
    await attempt(await worker.db('jobs').where({ purpose }).pluck('id'), worker)
    expect(worker.smtp.mails.map(({ recipients }) => recipients)).toEqual([[clinic.email]])
    const failed = await worker.db('jobs').where({ purpose, state: 'failed' }).pluck('id')
    expect(failed).toHaveLength(1)
    expect((await listFailed(worker.db, {}, 5)).map(({ id }) => id)).toEqual(failed)
  })

  it('who gets the requests gets every email about one', async () => {
    const clinic = await clinicOfLead()
    await person(clinic.id, NEW, 'requests')
    await runAll(clinic.leadId)
    const about: NewLeadJob[] = [
      { name: 'send-email', purpose: 'provider' },
      { name: 'send-email', purpose: 'reminder', payload: { providerId: clinic.id } },
    ]
    for (const job of about) {
      await worker.db.transaction((trx) => jobs.add(trx, `lead:${clinic.leadId}`, [job]))
      const [notice] = (await jobs.list(worker.db, `lead:${clinic.leadId}`)).filter(({ state }) => state === 'waiting')
      expect({ job, recipient: notice?.recipient }).toEqual({ job, recipient: NEW })
      await runAll(clinic.leadId)
    }
    await sendTestEmail(worker.db, clinic.id, { actor: 'staff' })
    expect(Object.keys(await sendOwn(clinic.id))).toEqual([NEW])

    const { id: other } = await createProvider(worker.db)
    await assignProvider(worker.db, clinic.leadId, other, { actor: 'staff', delay: 0 })
    worker.smtp.reset()
    await runAll(clinic.leadId)
    const goodbye = worker.smtp.mails.find(({ subject }) => subject?.includes('was passed to another clinic'))
    expect(goodbye?.recipients).toEqual([NEW])
    expect(await worker.db('jobs').whereRaw(`result->>'to' = ?`, [clinic.email])).toEqual([])
  })
})
