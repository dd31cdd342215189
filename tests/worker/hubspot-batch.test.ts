import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { SECOND } from '../../core/time.ts'
import { DeliveryError } from '../../worker/delivery-error.ts'
import type { LeadEvent } from '../../worker/senders/crm-sender.ts'
import { asTheyAre, failure, leadEvent, sendOne } from '../support/crm-events.ts'
import { events, useHubspot } from './hubspot.ts'

const crm = await useHubspot()
const { hubspot, idOf } = crm

describe('a batch', () => {
  it('of a hundred leads is one call, and each gets its own id', async () => {
    const batch = events(100)
    const answers = await crm.sender.send(batch, asTheyAre)
    expect(hubspot.calls.map((inputs) => inputs.length)).toEqual([100])
    expect(answers).toEqual(batch.map(({ lead }) => ({ status: 200, externalId: idOf(lead.email) })))
  })

  it('never names anybody twice: the newest lead of a person counts, and all of its events are done', async () => {
    const older = leadEvent(1, { email: 'Same@visitors.example', phone: 'old' })
    const newer = leadEvent(2, { email: 'same@visitors.example', phone: 'new' })
    const answers = await crm.sender.send([newer, older, leadEvent(3)], asTheyAre)

    expect(hubspot.rejected).toEqual([])
    expect(hubspot.calls).toHaveLength(1)
    expect(hubspot.contacts.get('same@visitors.example')?.properties.phone).toBe('new')
    expect(answers[0]).toEqual(answers[1])
    expect(answers[2]).not.toEqual(answers[0])
  })

  it('that is taken in part (207) fails only for those that were not', async () => {
    hubspot.refuse(({ id }) => {
      if (id === 'visitor101@visitors.example') return { category: 'VALIDATION_ERROR', message: 'Email is invalid' }
      if (id === 'visitor103@visitors.example') return { category: 'INTERNAL_ERROR', message: 'Try again' }
      return undefined
    })
    const answers = await crm.sender.send(events(5), asTheyAre)

    expect(hubspot.calls).toHaveLength(1)
    expect(answers.map((answer) => (answer instanceof DeliveryError ? answer.retry : answer))).toEqual([
      { status: 207, externalId: idOf('visitor100@visitors.example') },
      'never',
      { status: 207, externalId: idOf('visitor102@visitors.example') },
      'later',
      { status: 207, externalId: idOf('visitor104@visitors.example') },
    ])
    expect(answers[1]).toMatchObject({ summary: 'HubSpot refused this contact.', detail: 'Email is invalid' })
  })

  it('finds each contact by its e-mail, in any case, where HubSpot leaves out the trace id', async () => {
    const contact = (id: string, email: string) => ({ id, properties: { email }, new: true, archived: false })
    const results = [contact('12', 'VISITOR101@visitors.example'), contact('11', 'visitor100@visitors.example')]
    hubspot.answer(() => ({ status: 200, body: { status: 'COMPLETE', results } }))
    expect(await crm.sender.send(events(3), asTheyAre)).toEqual([
      { status: 200, externalId: '11' },
      { status: 200, externalId: '12' },
      expect.objectContaining({ retry: 'later', summary: 'HubSpot did not say what became of this contact.' }),
    ])
  })

  it.each([
    ['ids', 'Visitor101@visitors.example'],
    ['id', 'visitor101@visitors.example'],
    ['ids', 'msg_101'],
    ['objectWriteTraceId', 'msg_101'],
  ])('finds the one that was refused by %s = %s', async (key, name) => {
    const results = ['visitor100', 'visitor102'].map((visitor, index) => ({
      id: String(index),
      properties: { email: `${visitor}@visitors.example` },
    }))
    const errors = [
      { category: 'VALIDATION_ERROR', message: 'Not this one', context: { [key]: ['somebody@else.example'] } },
      { category: 'VALIDATION_ERROR', message: 'Email is invalid', context: { [key]: ['501', name] } },
    ]
    hubspot.answer(() => ({ status: 207, body: { status: 'COMPLETE', results, errors, numErrors: 2 } }))
    const answers = await crm.sender.send(events(3), asTheyAre)
    expect(answers).toEqual([
      { status: 207, externalId: '0' },
      expect.objectContaining({ retry: 'never', detail: 'Email is invalid' }),
      { status: 207, externalId: '1' },
    ])
  })

  it('says of a contact that HubSpot did not mention that it is tried again', async () => {
    hubspot.answer(() => ({ status: 200, body: { status: 'COMPLETE', results: [] } }))
    expect(await failure(sendOne(crm.sender, leadEvent()))).toMatchObject({ retry: 'later' })

    hubspot.answer(() => ({ status: 200, body: '<html>' }))
    expect(await failure(sendOne(crm.sender, leadEvent()))).toMatchObject({ retry: 'later' })
  })

  it.each([401, 404, 422, 429, 500])(
    'that is refused with %i tells nobody what may be about another',
    async (status) => {
      const message = 'visitor100@visitors.example is known as (512) 555-0100'
      hubspot.answer(() => ({ status, body: { status: 'error', message, category: 'X', policyName: 'DAILY' } }))
      const answers = (await crm.sender.send(events(2), asTheyAre)) as DeliveryError[]
      expect(answers.map((answer) => answer.status)).toEqual([status, status])
      expect(answers.map((answer) => `${answer.message} ${answer.detail}`).join()).not.toContain('known as')

      expect((await failure(sendOne(crm.sender, leadEvent(100)))).detail).toContain(message)
    },
  )

  it('that is taken in part tells nobody what may be about another', async () => {
    const [first, second, third] = events(3) as [LeadEvent, LeadEvent, LeadEvent]
    const problem = (message: string, context: Record<string, string[]>) => ({
      status: 'error',
      category: 'VALIDATION_ERROR',
      message,
      context,
      errors: [],
      links: {},
    })
    const errors = [
      problem('A word about the first and the second', { ids: [first.lead.email, second.lead.email] }),
      problem('A word about somebody', {}),
    ]
    hubspot.answer(() => ({ status: 207, body: { status: 'COMPLETE', results: [], errors, numErrors: 2 } }))
    const answers = await crm.sender.send([first, second, third], asTheyAre)
    expect(answers.map((answer) => (answer as DeliveryError).message)).toEqual([
      'HubSpot refused this contact.',
      'HubSpot refused this contact.',
      'HubSpot did not say what became of this contact.',
    ])
    expect((await failure(sendOne(crm.sender, third))).detail).toContain('A word about')
  })

  it('that is refused as a whole for one contact (400) arrives without it', async () => {
    hubspot.refuse(
      ({ id }) =>
        id === 'visitor117@visitors.example' ? { category: 'VALIDATION_ERROR', message: 'Bad phone' } : undefined,
      { whole: true },
    )
    const answers = await crm.sender.send(events(40), asTheyAre)
    const refused = answers.flatMap((answer, index) => (answer instanceof Error ? index : []))
    expect(refused).toEqual([17])
    expect(answers[17]).toMatchObject({ retry: 'never', status: 400 })
    expect(hubspot.contacts.size).toBe(39)
    expect(hubspot.calls.length).toBeLessThan(15)
  })

  it('that is too large (413) goes in halves that are not', async () => {
    hubspot.answer((inputs) => (inputs.length > 30 ? { status: 413, body: 'Payload Too Large' } : undefined))
    const answers = await crm.sender.send(events(100), asTheyAre)
    expect(answers.filter((answer) => answer instanceof Error)).toEqual([])
    expect(hubspot.calls.map((inputs) => inputs.length)).toEqual([100, 50, 25, 25, 50, 25, 25])
    expect(hubspot.contacts.size).toBe(100)
  })

  it('whose contacts are refused one after the other ends after a few calls: the rest is tried again', async () => {
    hubspot.refuse(({ id }) => ({ category: 'VALIDATION_ERROR', message: `Not ${id}` }), { whole: true })
    const answers = (await crm.sender.send(events(100), asTheyAre)) as DeliveryError[]

    expect(hubspot.calls.length).toBeLessThan(15)
    expect(answers.map(({ retry, status }) => `${retry} ${status}`)).toEqual([
      ...Array(3).fill('never 400'),
      ...Array(97).fill('later 400'),
    ])
    expect(answers[99]).toMatchObject({ message: expect.not.stringContaining('visitor'), detail: undefined })
  })

  it('is divided for half a minute at most: what is left is tried again', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    hubspot.answer((inputs) => {
      vi.advanceTimersByTime(6 * SECOND)
      const isTaken = inputs.every(({ id }) => id < 'visitor110')
      return isTaken ? undefined : { status: 400, body: { message: 'No.', category: 'VALIDATION_ERROR' } }
    })
    const answers = await crm.sender.send(events(40), asTheyAre)

    expect(hubspot.calls).toHaveLength(6)
    expect(answers.slice(0, 10)).toEqual(Array(10).fill(expect.objectContaining({ status: 200 })))
    expect(answers.at(-1)).toMatchObject({ retry: 'later', status: 400 })
  })
})
