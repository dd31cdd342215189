import { describe, expect, it } from 'vitest'
import { DeliveryError } from '../../worker/delivery-error.ts'
import type { CrmAnswer } from '../../worker/senders/crm-sender.ts'
import { answersOf, answerToAnother, readJson } from '../../worker/senders/hubspot-answers.ts'
import { leadEvent } from '../support/crm-events.ts'

const [ONE, TWO, THREE] = [leadEvent(1), leadEvent(2), leadEvent(3)]
const NOT_MENTIONED = 'later 207: HubSpot did not say what became of this contact.'
const NOT_YET = 'HubSpot could not accept this contact yet.'
const NEVER = 'HubSpot refused this contact.'

/** What became of contacts, in short. */
const brief = (answers: CrmAnswer[]) =>
  answers.map((answer) => {
    if (answer instanceof DeliveryError)
      return [`${answer.retry} ${answer.status}: ${answer.message}`, answer.detail].filter(Boolean).join(' ')
    return answer instanceof Error ? answer : answer.externalId
  })
const became = (body: unknown, contacts = [ONE, TWO, THREE], status = 207) => brief(answersOf(body, contacts, status))

describe('a contact that HubSpot has taken', () => {
  it('is found by the trace id that we gave it, with its id there', () => {
    const results = [
      { id: '12', objectWriteTraceId: 'msg_2' },
      { id: '11', objectWriteTraceId: 'msg_1' },
    ]
    expect(answersOf({ results }, [ONE, TWO], 200)).toEqual([
      { status: 200, externalId: '11' },
      { status: 200, externalId: '12' },
    ])
  })

  it('is found by its e-mail, whatever its case', () => {
    const results = [{ id: '12', properties: { email: 'VISITOR2@visitors.example', phone: null } }]
    expect(became({ results })).toEqual([NOT_MENTIONED, '12', NOT_MENTIONED])
    expect(became({ results: [{ id: '12', objectWriteTraceId: 'Visitor2@visitors.example' }] })[1]).toBe('12')
    const shouting = leadEvent(2, { email: 'VISITOR2@VISITORS.example' })
    expect(became({ results }, [shouting])).toEqual(['12'])
  })

  it('is found though there is an error of another one beside it', () => {
    const errors = [{ category: 'VALIDATION_ERROR', message: 'Bad', context: { objectWriteTraceId: ['msg_1'] } }]
    expect(became({ results: [{ id: '12', objectWriteTraceId: 'msg_2' }], errors }, [ONE, TWO])[1]).toBe('12')
  })

  it('is found though other members of the answer are not as they should be', () => {
    const results = [{ id: '11', objectWriteTraceId: 'msg_1', properties: 5 }]
    expect(became({ results, errors: 'none' }, [ONE])).toEqual(['11'])
  })
})

describe('a contact that HubSpot does not mention', () => {
  it.each([undefined, null, 'text', {}, { results: 'x' }, { results: [] }, { results: [{ id: 5 }] }])(
    'is sent again: %j',
    (body) => expect(became(body)).toEqual([NOT_MENTIONED, NOT_MENTIONED, NOT_MENTIONED]),
  )

  it.each(['', 'a\u0000b', 'a\ud800', 'x'.repeat(201), '\n1', '1\n'])('is sent again when its id is none: %j', (id) => {
    expect(became({ results: [{ id, objectWriteTraceId: 'msg_1' }] }, [ONE])).toEqual([NOT_MENTIONED])
  })

  it('has an id of up to 200 characters', () => {
    const id = 'x'.repeat(200)
    expect(became({ results: [{ id, objectWriteTraceId: 'msg_1' }] }, [ONE])).toEqual([id])
  })

  it('is sent again when errors name nobody, or only others', () => {
    const errors = [{ category: 'VALIDATION_ERROR', message: 'Bad' }, { context: { id: ['msg_1'] } }]
    expect(became({ results: [], errors }).slice(1)).toEqual([NOT_MENTIONED, NOT_MENTIONED])
  })
})

describe('a contact that HubSpot refuses in a partial success', () => {
  it.each([
    ['VALIDATION_ERROR', 'never', 'refused', NEVER],
    ['MISSING_SCOPES', 'never', 'credentials', NEVER],
    ['OBJECT_NOT_FOUND', 'never', 'refused', NEVER],
    ['CONFLICT', 'later', 'server_error', NOT_YET],
    ['RATE_LIMITS', 'later', 'server_error', NOT_YET],
    [undefined, 'later', 'server_error', NOT_YET],
  ])('with %s: again %s', (category, retry, cause, summary) => {
    const errors = [{ category, message: 'Why', context: { objectWriteTraceId: ['msg_1'] } }]
    const [answer] = answersOf({ results: [], errors }, [ONE, TWO], 207)
    expect(answer).toMatchObject({ retry, status: 207, cause, summary, detail: 'Why' })
  })

  it.each(['objectWriteTraceId', 'ids', 'id'])('is found by the context %s', (member) => {
    const errors = [{ category: 'VALIDATION_ERROR', context: { [member]: ['none', 'visitor2@visitors.example'] } }]
    expect(became({ results: [], errors })).toEqual([NOT_MENTIONED, `never 207: ${NEVER}`, NOT_MENTIONED])
  })

  it('is the only one there is, whoever the error names', () => {
    const errors = [{ category: 'VALIDATION_ERROR', message: 'Bad phone' }]
    expect(became({ results: [], errors }, [ONE])).toEqual([`never 207: ${NEVER} Bad phone`])
  })

  it('is not quoted what may be about another one', () => {
    const context = { ids: ['msg_1', 'msg_2'] }
    const errors = [{ category: 'VALIDATION_ERROR', message: 'visitor1@visitors.example is bad', context }]
    expect(became({ results: [], errors })).toEqual([`never 207: ${NEVER}`, `never 207: ${NEVER}`, NOT_MENTIONED])
  })

  it('for a property that HubSpot does not have is told which', () => {
    const context = { objectWriteTraceId: ['msg_1'] }
    const errors = [{ category: 'CONFLICT', context, message: 'Property "shoe" does not exist' }]
    const [answer] = answersOf({ results: [], errors }, [ONE], 207)
    expect(answer).toMatchObject({
      retry: 'never',
      status: 207,
      cause: 'unknown_property',
      summary: expect.stringContaining('HubSpot has no contact property called shoe.'),
    })
  })

  it('is found though its context is not as it should be', () => {
    const errors = [{ category: 'VALIDATION_ERROR', message: 5, context: { ids: 'msg_1' }, errors: 5 }]
    expect(became({ results: [], errors }, [ONE])).toEqual([`never 207: ${NEVER}`])
  })
})

describe('a lead of which a newer one of the same person was sent', () => {
  it('is told what that one is told, unless it was refused', () => {
    const taken = { status: 200, externalId: '1' }
    const later = new DeliveryError('Busy', { cause: 'busy', retry: 'later', status: 409 })
    const credentials = new DeliveryError('Token', { cause: 'credentials', retry: 'never', status: 401 })
    for (const answer of [taken, later, credentials]) expect(answerToAnother(answer)).toBe(answer)
  })

  it('is tried again by itself when that one was refused', () => {
    expect(
      answerToAnother(new DeliveryError('Bad phone', { cause: 'refused', retry: 'never', status: 400 })),
    ).toMatchObject({
      retry: 'later',
      status: 400,
      cause: 'refused',
      summary: 'HubSpot refused a newer lead of this person. This one is sent on its own next.',
    })
  })
})

describe('the answer of HubSpot', () => {
  it('is JSON without our token, should it repeat that', async () => {
    const body = '{"message":"token s3cret is bad, s3cret"}'
    expect(await readJson(new Response(body), { without: 's3cret' })).toEqual({ message: 'token … is bad, …' })
  })

  it.each(['<html>', '', '{"half'])('is nothing when it is no JSON: %j', async (body) => {
    expect(await readJson(new Response(body), { without: 's3cret' })).toBeUndefined()
  })
})
