import { describe, expect, it } from 'vitest'
import { changeAddress, removeRequestAddress, useAddressLink } from '../../core/commands/clinic/change-address.ts'
import { addPerson } from '../../core/commands/clinic/change-people.ts'
import { decideNewEmail } from '../../core/commands/decide-new-email.ts'
import { assignProvider } from '../../core/commands/leads/assign-provider.ts'
import { changeRules } from '../../core/commands/providers/change-rules.ts'
import { sendTestEmail } from '../../core/commands/providers/send-test-email.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import type { NewLeadJob } from '../../core/rules/deliveries.ts'
import * as clinicAddresses from '../../core/stores/clinic-addresses.ts'
import { listFailed } from '../../core/stores/failed-jobs.ts'
import * as jobs from '../../core/stores/jobs.ts'
import { createProvider } from '../support/factories.ts'
import { attempt, useLeadJobs } from '../support/lead-jobs.ts'

const { worker, runAll, matchedLead, lead } = useLeadJobs()

const NEW = 'intake@quill.example'

/** Sends the e-mails that a clinic itself waits for. Returns them by their recipients. */
async function sendOwn(providerId: number) {
  worker.smtp.reset()
  const open = { told_provider_id: providerId, lead_id: null, state: 'waiting' } as const
  await attempt(await worker.db('jobs').where(open).orderBy('created_at').pluck('id'), worker)
  return Object.fromEntries(worker.smtp.mails.map((mail) => [mail.recipients[0], mail]))
}
const tokenIn = (text = '') => /\/confirm-email#([\w-]{43})/.exec(text)?.[1] ?? ''
const follow = (token: string) => useAddressLink(worker.db, deriveKey(worker.env.DATA_KEY, 'address-link'), token)

async function clinicOfLead() {
  const leadId = await matchedLead()
  const { provider_id } = await lead(leadId)
  const clinic = await worker.db('providers').where('id', Number(provider_id)).first()
  return { leadId, id: Number(provider_id), email: String(clinic?.email) }
}

/** Makes `NEW` the address of a clinic by the links of the e-mails. */
async function move(clinic: { id: number; email: string }, to = NEW) {
  await changeAddress(worker.db, clinic, { use: 'requests', email: to })
  const asked = await sendOwn(clinic.id)
  await follow(tokenIn(asked[to]?.text))
  return { asked, confirmed: await sendOwn(clinic.id) }
}

describe('a new address for requests', () => {
  it('gets a link, and the old one a notice of who asked, which undoes it', async () => {
    const clinic = await clinicOfLead()
    const { asked, confirmed } = await move(clinic)
    expect(asked[NEW]?.text).toContain(`${clinic.email} asked us to send the requests of`)
    expect(asked[clinic.email]?.text).toContain('They come to this one until somebody there confirms it.')
    expect(confirmed[clinic.email]?.subject).toContain('Requests go to another address now')
    expect(confirmed[clinic.email]?.text).toContain(NEW)

    // The link of the first notice works as well.
    await follow(tokenIn(asked[clinic.email]?.text))
    const ended = await sendOwn(clinic.id)
    expect(Object.keys(ended)).toEqual([NEW])
    expect(ended[NEW]?.text).toContain('Requests no longer come to this address')
    expect(ended[NEW]?.text).toContain(clinic.email)
  })

  it('that the team removes is told', async () => {
    const clinic = await clinicOfLead()
    await move(clinic)
    await removeRequestAddress(worker.db, clinic.id, { actor: 'staff' })
    const ended = await sendOwn(clinic.id)
    expect(ended[NEW]?.text).toContain('our team')
  })

  it('is not asked any more once it was taken back', async () => {
    const clinic = await clinicOfLead()
    await changeAddress(worker.db, clinic, { use: 'requests', email: NEW })
    await changeAddress(worker.db, clinic, { use: 'requests', email: clinic.email })
    expect(Object.keys(await sendOwn(clinic.id))).toEqual([clinic.email])
    const job = await worker.db('jobs').where({ purpose: 'request_address' }).first('state', 'last_error')
    expect(job).toEqual({ state: 'cancelled', last_error: 'The clinic does not ask for this address any more.' })
  })

  it('asks a second address with another e-mail', async () => {
    const clinic = await clinicOfLead()
    await changeAddress(worker.db, clinic, { use: 'late', email: 'boss@quill.example' })
    const asked = await sendOwn(clinic.id)
    expect(asked['boss@quill.example']?.text).toContain('has no answer in time')
    expect(asked[clinic.email]?.subject).toContain('Another address may soon be told of late answers')
  })
})

describe('the address of WordPress', () => {
  const later = 'later@quill.example'

  it('hears of every change while another one is in use, and its link ends what waits', async () => {
    const clinic = await clinicOfLead()
    const first = await move(clinic)
    expect(first.confirmed[clinic.email]?.text).toContain('unless another address is confirmed later')
    await changeAddress(worker.db, { id: clinic.id, email: NEW }, { use: 'requests', email: later })
    const asked = await sendOwn(clinic.id)
    expect(Object.keys(asked).toSorted()).toEqual([clinic.email, NEW, later].toSorted())
    expect(asked[clinic.email]?.text).toContain('Nothing changes until somebody there confirms it.')

    await follow(tokenIn(first.confirmed[clinic.email]?.text))
    await expect(follow(tokenIn(asked[later]?.text))).rejects.toMatchObject({ code: 'not_found' })
    expect(await clinicAddresses.findInUse(worker.db, clinic.id)).toMatchObject({ requests: clinic.email })
  })

  it('can undo two changes, one after the other, and each address hears of its own end', async () => {
    const clinic = await clinicOfLead()
    const first = await move(clinic)
    const second = await move({ id: clinic.id, email: NEW }, later)
    expect(Object.keys(second.confirmed).toSorted()).toEqual([clinic.email, NEW].toSorted())
    await follow(tokenIn(second.confirmed[clinic.email]?.text))
    const ended = await sendOwn(clinic.id)
    expect(Object.keys(ended).toSorted()).toEqual([clinic.email, later].toSorted())
    expect(ended[clinic.email]?.subject).toContain('Requests go to an earlier address again')

    await follow(tokenIn(first.confirmed[clinic.email]?.text))
    expect(Object.keys(await sendOwn(clinic.id))).toEqual([NEW])
    expect(await clinicAddresses.findInUse(worker.db, clinic.id)).toMatchObject({ requests: clinic.email })
  })

  it('hears of a confirmation with the address that is in use then, not when it was asked for', async () => {
    const clinic = await clinicOfLead()
    await changeAddress(worker.db, clinic, { use: 'late', email: later })
    const asked = await sendOwn(clinic.id)
    await move(clinic)
    await follow(tokenIn(asked[later]?.text))
    expect(Object.keys(await sendOwn(clinic.id)).toSorted()).toEqual([clinic.email, NEW].toSorted())
  })

  it('is notified when a person is added', async () => {
    const clinic = await clinicOfLead()
    await move(clinic)
    await addPerson(worker.db, { id: clinic.id, email: NEW }, 'nurse@quill.example')
    const told = await sendOwn(clinic.id)
    expect(Object.keys(told).toSorted()).toEqual([clinic.email, NEW].toSorted())
    expect(told[clinic.email]?.text).toContain('nurse@quill.example')
  })

  it('has a copy that does not hide the failure of the notice to the address in use', async () => {
    const clinic = await clinicOfLead()
    await move(clinic)
    await addPerson(worker.db, { id: clinic.id, email: NEW }, 'nurse@quill.example')
    worker.smtp.answer((recipient) => (recipient === NEW ? { status: 550 } : 'accept'))
    await attempt(await worker.db('jobs').where({ purpose: 'clinic_person' }).pluck('id'), worker)
    const failed = await worker.db('jobs').where({ purpose: 'clinic_person', state: 'failed' }).pluck('id')
    expect(failed).toHaveLength(1)
    expect((await listFailed(worker.db, {}, 5)).map(({ id }) => id)).toEqual(failed)
  })
})

describe('an address that is used again', () => {
  it('is told when the team removes it', async () => {
    const clinic = await clinicOfLead()
    await move(clinic)
    const { confirmed } = await move({ id: clinic.id, email: NEW }, 'later@quill.example')
    await follow(tokenIn(confirmed[NEW]?.text))
    await sendOwn(clinic.id)
    await removeRequestAddress(worker.db, clinic.id, { actor: 'staff' })
    const ended = await sendOwn(clinic.id)
    expect(Object.keys(ended)).toEqual([NEW])
    expect(ended[NEW]?.text).toContain('our team')
  })

  it('is not mistaken for an earlier one where no record of its change is left', async () => {
    const clinic = await clinicOfLead()
    const { confirmed } = await move(clinic)
    await follow(tokenIn(confirmed[clinic.email]?.text))
    await sendOwn(clinic.id)
    await worker
      .db('provider_rules')
      .where({ provider_id: clinic.id })
      .update({ request_email: 'unknown@quill.example' })
    await removeRequestAddress(worker.db, clinic.id, { actor: 'staff' })
    expect(await sendOwn(clinic.id)).toEqual({})
  })
})

describe('a change by staff', () => {
  const STAFF = { actor: 'ada@leadwell.example' }
  const BOSS = 'boss@elsewhere.example'
  const late = (id: number) => worker.db('provider_rules').where({ provider_id: id }).first('second_email')

  it('of the second address is told to the clinic, which can undo it', async () => {
    const clinic = await clinicOfLead()
    await changeRules(worker.db, clinic.id, { second_email: 'first@quill.example' }, STAFF)
    await sendOwn(clinic.id)
    await changeRules(worker.db, clinic.id, { second_email: BOSS }, STAFF)
    const told = await sendOwn(clinic.id)
    expect(Object.keys(told)).toEqual([clinic.email])
    const text = String(told[clinic.email]?.text)
    expect(told[clinic.email]?.subject).toContain('Another address is told of late answers now')
    for (const words of [BOSS, 'our team', 'Undo this change']) expect(text).toContain(words)
    await follow(tokenIn(text))
    expect(await late(clinic.id)).toEqual({ second_email: 'first@quill.example' })
  })

  it('is told to the address of WordPress, too, where the requests go elsewhere', async () => {
    const clinic = await clinicOfLead()
    await move(clinic)
    await changeRules(worker.db, clinic.id, { second_email: BOSS }, STAFF)
    expect(Object.keys(await sendOwn(clinic.id)).toSorted()).toEqual([clinic.email, NEW].toSorted())
  })

  it('of other rules, or to no second address, is told to nobody', async () => {
    const clinic = await clinicOfLead()
    await changeRules(worker.db, clinic.id, { second_email: BOSS }, STAFF)
    await sendOwn(clinic.id)
    await changeRules(worker.db, clinic.id, { daily_cap: 5 }, STAFF)
    await changeRules(worker.db, clinic.id, { second_email: null }, STAFF)
    expect(await sendOwn(clinic.id)).toEqual({})
    expect(await worker.db('clinic_addresses').where('provider_id', clinic.id).whereNull('ended_at')).toEqual([])
  })

  it('that confirms a new address of WordPress is told to the one before', async () => {
    const clinic = await clinicOfLead()
    const email = 'thief@elsewhere.example'
    await worker.db('providers').where('id', clinic.id).update({ new_email: email, new_email_at: worker.db.fn.now() })
    await decideNewEmail(worker.db, clinic.id, { email, decision: 'confirm' }, STAFF)
    const told = await sendOwn(clinic.id)
    expect(Object.keys(told)).toEqual([clinic.email])
    for (const words of ['Another address replaces this one', email, 'our team'])
      expect(told[clinic.email]?.text).toContain(words)
  })
})

describe('the address in use', () => {
  it('gets every e-mail about a request', async () => {
    const clinic = await clinicOfLead()
    await move(clinic)
    worker.smtp.reset()
    await runAll(clinic.leadId)
    const about: NewLeadJob[] = [
      { name: 'send-email', purpose: 'provider' },
      { name: 'send-email', purpose: 'reminder', toldProviderId: clinic.id },
    ]
    for (const job of about) {
      await worker.db.transaction((trx) => jobs.add(trx, { leadId: clinic.leadId }, [job]))
      const [told] = (await jobs.list(worker.db, { leadId: clinic.leadId })).filter(({ state }) => state === 'waiting')
      expect({ job, told: told?.recipient }).toEqual({ job, told: NEW })
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
    const sent = await worker.db('jobs').whereRaw(`result->>'to' = ?`, [clinic.email]).pluck('purpose')
    expect(new Set(sent)).toEqual(new Set(['address_changed']))
  })
})
