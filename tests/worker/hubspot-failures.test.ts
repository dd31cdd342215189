import { describe, expect, it, onTestFinished } from 'vitest'
import { HOUR, SECOND } from '../../core/time.ts'
import type { DeliveryError } from '../../worker/delivery-error.ts'
import { asTheyAre, failure, leadEvent, sendOne } from '../support/crm-events.ts'
import { shortenDeadlines } from '../support/deadlines.ts'
import { HUBSPOT_TOKEN, startHubspot } from '../support/hubspot-server.ts'
import { events, useHubspot } from './hubspot.ts'

const crm = await useHubspot()
const { hubspot, pauses, senderWith } = crm

describe('a HubSpot that refuses', () => {
  it.each([400, 404, 410, 413, 422])('with %i: never again', async (status) => {
    hubspot.answer(() => ({ status, body: { status: 'error', message: 'No.', category: 'VALIDATION_ERROR' } }))
    const error = await failure(sendOne(crm.sender, leadEvent()))
    expect(error).toMatchObject({ retry: 'never', status })
    expect(error).toMatchObject({ detail: 'No.', summary: expect.not.stringContaining('No.') })
  })

  it('with 409, because somebody else has just made the contact: again later', async () => {
    const conflict = { status: 'error', message: 'Contact already exists. Existing ID: 12345', category: 'CONFLICT' }
    hubspot.answer(() => ({ status: 409, body: conflict }))
    const error = await failure(sendOne(crm.sender, leadEvent()))
    expect(error).toMatchObject({ retry: 'later', status: 409, summary: 'HubSpot could not accept this contact yet.' })
    expect(error.detail).toContain('Existing ID: 12345')
  })

  it('with 409 for one contact of many: only that one goes again later', async () => {
    const isNew = ({ id }: { id: string }) => id === 'visitor104@visitors.example'
    hubspot.answer((inputs) =>
      inputs.some(isNew)
        ? { status: 409, body: { message: 'Contact already exists', category: 'CONFLICT' } }
        : undefined,
    )
    const answers = await crm.sender.send(events(8), asTheyAre)
    expect(answers.flatMap((answer, index) => (answer instanceof Error ? index : []))).toEqual([4])
    expect(answers[4]).toMatchObject({ retry: 'later', status: 409 })
  })

  it('our token: never again, and that is what staff are told', async () => {
    const error = await failure(sendOne(senderWith({ token: 'wrong-token' }), leadEvent()))
    expect(error).toMatchObject({ retry: 'never', status: 401, cause: 'credentials' })
    expect(error.message).toContain('HUBSPOT_TOKEN')
  })

  it.each([408, 425, 500, 502, 503])('for now with %i: again later', async (status) => {
    hubspot.answer(() => ({ status, headers: { 'retry-after': '7' }, body: 'not even JSON' }))
    const answers = await crm.sender.send(events(3), asTheyAre)
    expect(answers).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ retry: 'later', status, retryAfter: 7 * SECOND })),
    )
    expect(hubspot.calls).toHaveLength(1)
  })

  it.each([
    ['for as long as it says', { 'retry-after': '3600' }, HOUR],
    ['for its window when it does not say', undefined, 10 * SECOND],
  ])('because it is too much (429): nobody calls it %s', async (_, headers, pause) => {
    const policy = { status: 'error', message: 'You have reached your limit.', policyName: 'TEN_SECONDLY_ROLLING' }
    hubspot.answer(() => ({ status: 429, headers, body: policy }))
    const error = await failure(sendOne(crm.sender, leadEvent()))
    expect(error).toMatchObject({ retry: 'later', status: 429 })
    expect(error.detail).toContain('TEN_SECONDLY_ROLLING')
    expect(pauses).toEqual([pause])
  })

  it.each([
    [423, undefined, 2 * SECOND],
    [423, { 'retry-after': '30' }, 30 * SECOND],
    [477, { 'retry-after': '3600' }, HOUR],
    [477, { 'retry-after': String(48 * 3600) }, 24 * HOUR],
    [477, undefined, 10 * SECOND],
    [503, { 'retry-after': '60' }, undefined],
    [503, undefined, undefined],
  ])('for now, with %i and %j: all calls pause for %s ms', async (status, headers, pause) => {
    pauses.length = 0
    hubspot.answer(() => ({ status, headers, body: { status: 'error', message: 'Locked.' } }))
    expect(await failure(sendOne(crm.sender, leadEvent()))).toMatchObject({ retry: 'later', status })
    expect(pauses).toEqual(pause === undefined ? [] : [pause])
  })

  it('by a redirect: never again, and nobody is asked instead', async () => {
    const other = await startHubspot()
    onTestFinished(() => other.close())
    hubspot.answer(() => ({ status: 307, headers: { location: `${other.url}/crm/v3/objects/contacts/batch/upsert` } }))
    expect(await failure(sendOne(crm.sender, leadEvent()))).toMatchObject({ retry: 'never', status: 307 })
    expect([other.calls, other.rejected]).toEqual([[], []])
  })

  it('to answer: again later, within the deadline', async () => {
    hubspot.answer(() => 'hang')
    const deadlines = shortenDeadlines()
    expect(await failure(sendOne(crm.sender, leadEvent()))).toMatchObject({ retry: 'later' })
    expect(deadlines).toEqual([15 * SECOND])
  })

  it('with an answer without end: again later, without reading it all', async () => {
    hubspot.answer(() => 'endless')
    const started = performance.now()
    const answers = await crm.sender.send(events(3), asTheyAre)
    expect(answers.map((answer) => (answer as DeliveryError).retry)).toEqual(['later', 'later', 'later'])
    expect((answers[0] as DeliveryError).message).toMatch(/^The CRM’s answer was larger than 1 MB\./)
    expect(hubspot.calls).toHaveLength(1)
    expect(performance.now() - started).toBeLessThan(5 * SECOND)
  })

  it('for good, in more words than we read: never again all the same', async () => {
    hubspot.answer(() => ({ status: 422, body: { message: 'No. '.repeat(2 ** 18) } }))
    expect(await failure(sendOne(crm.sender, leadEvent()))).toMatchObject({ retry: 'never', status: 422 })
  })

  it('in no language: again later', async () => {
    hubspot.answer(() => 'garbage')
    expect(await failure(sendOne(crm.sender, leadEvent()))).toMatchObject({ retry: 'later' })
  })

  it('and repeats our token: nobody is shown it', async () => {
    const echo = (status: number) =>
      hubspot.answer(() => ({ status, body: { message: `Bearer ${HUBSPOT_TOKEN} is bad`, category: 'X' } }))
    for (const status of [400, 401, 403, 429, 500]) {
      echo(status)
      const error = await failure(sendOne(crm.sender, leadEvent()))
      expect(`${error.message} ${error.detail}`).not.toContain(HUBSPOT_TOKEN)
    }
  })
})
