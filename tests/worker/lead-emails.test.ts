import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLead, createProvider, leadForm } from '../support/factories.ts'
import { useLeadJobs } from '../support/lead-jobs.ts'

const { worker, runAll } = useLeadJobs()

describe('the emails', () => {
  const sent = (recipient: string) => worker.smtp.mails.find(({ recipients }) => recipients[0] === recipient)

  it('to the clinic: an answer goes to the visitor, whose name is not in the subject', async () => {
    const { id: providerId } = await createProvider(worker.db, { email: 'clinic@clinics.example' })
    const form = leadForm({ first_name: 'Zoë', last_name: "O'Brien" })
    await runAll(await createLead(worker.db, { form, providerId }))
    const mail = sent('clinic@clinics.example')
    expect(mail?.replyTo?.value).toEqual([{ name: "Zoë O'Brien", address: form.email }])
    expect(mail?.text).toContain('about 2 miles')
    expect(mail?.subject).not.toContain('Zoë')
  })

  it('to the clinic: in its own time, and by when its answer clock wants a call', async () => {
    const { id: providerId } = await createProvider(worker.db, {
      ...{ email: 'denver@clinics.example', latitude: 39.74, longitude: -104.99 },
    })
    onTestFinished(() => void vi.useRealTimers())
    const send = async (matchedAt: string, now = '2026-11-27T12:00:00-06:00') => {
      vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) })
      const id = await createLead(worker.db, { providerId })
      await worker.db('leads').where({ id }).update({ created_at: matchedAt, matched_at: matchedAt })
      await runAll(id)
      const mail = worker.smtp.mails.findLast(({ recipients }) => recipients[0] === 'denver@clinics.example')
      return String(mail?.text).replace(/\s+/g, ' ')
    }
    // A Monday in the future at 1 PM in Denver: eight opening hours later is Tuesday at 1 PM.
    const monday = await send('2040-11-19T20:00:00.000Z')
    expect(monday).toContain('· Mon, Nov 19, 1:00 PM MT')
    expect(monday).toContain('They expect your call. Please call by Tue, Nov 20, 1:00 PM MT.')
    expect(await send('2025-11-17T20:00:00.000Z')).toContain('They expect your call. Please call as soon as you can.')

    expect(monday).toContain('It is 12:00 PM in Austin. Call between 8 AM and 8 PM there.')
    const night = '2026-11-27T22:10:00-06:00'
    const evening = await send('2040-11-19T20:00:00.000Z', night)
    expect(evening).toContain('Please call from 8 AM in Austin, by Tue, Nov 20, 1:00 PM MT.')
    expect(evening).toContain('It is 10:10 PM in Austin. Call between 8 AM and 8 PM there.')
    expect(await send('2025-11-17T20:00:00.000Z', night)).toContain('Please call from 8 AM in Austin. It is')

    const rules = { provider_id: providerId, time_zone: 'Pacific/Honolulu', updated_by: 'staff' }
    await worker.db('provider_rules').insert(rules)
    expect(await send('2040-11-19T20:00:00.000Z')).toContain('Please call by Tue, Nov 20, 10:00 AM HST.')
  })

  it('to the clinic that has an earlier request: which one that was, unless it moved to another clinic', async () => {
    const { id: providerId } = await createProvider(worker.db, { email: 'again@clinics.example' })
    const person = leadForm()
    const earlier = await createLead(worker.db, { providerId, form: person })
    const at = '2026-11-03T15:04:00.000Z'
    await worker.db('leads').where('id', earlier).update({ created_at: at })
    const sendAgain = async (zip_code: string, changes = {}) => {
      const id = await createLead(worker.db, { providerId, form: { ...person, zip_code, ...changes } })
      await worker.db('leads').where({ id }).update({ match_kind: 'again', repeat_of: earlier })
      await runAll(id)
      return worker.smtp.mails.findLast(({ recipients }) => recipients[0] === 'again@clinics.example')
    }

    const mail = await sendAgain('78745')
    for (const part of [String(mail?.text), String(mail?.html)].map((text) => text.replace(/\s+/g, ' '))) {
      expect(part).toContain('They sent you an earlier request.')
      expect(part).toContain(`They asked before, on Nov 3, 2026, 9:04 AM CT (request no. ${earlier}).`)
    }
    expect(sent(person.email)?.subject).toBe('Your request has reached the provider that has your earlier one')
    expect(String(sent(person.email)?.text).replace(/\s+/g, ' ')).toContain(
      'another provider near 78745, reply to this',
    )

    // A phone alone may be a family's.
    const relative = { first_name: 'Mia', email: 'mia@visitors.example' }
    expect(String((await sendAgain('78703', relative))?.text)).not.toContain('They asked before')
    const { id: other } = await createProvider(worker.db)
    await worker.db('leads').where('provider_id', providerId).update({ provider_id: other })
    expect(String((await sendAgain('78704'))?.text)).not.toContain('They asked before')
  })

  it('takes no message in a name to a heading or a sender, also where staff released it', async () => {
    const message = 'win at https://evil.example'
    await createProvider(worker.db, { email: 'clinic@clinics.example' }).then(async ({ id: providerId }) =>
      runAll(await createLead(worker.db, { form: { email: 'v@visitors.example', first_name: message }, providerId })),
    )

    expect(sent('v@visitors.example')?.html).not.toContain('evil.example')
    expect(sent('v@visitors.example')?.text).toMatch(/^Thank you$/m)
    expect(sent('clinic@clinics.example')?.replyTo?.value).toEqual([{ name: '', address: 'v@visitors.example' }])
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
  })
})
