import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY } from '../../core/contract/time.ts'
import { assignProvider } from '../../core/leads/assign-provider.ts'
import { deleteLead } from '../../core/leads/change-lead.ts'
import { recordOutcome } from '../../core/leads/record-outcome.ts'
import { markOf, type RequestLink } from '../../core/leads/rules/request-links.ts'
import * as leads from '../../core/leads/stores/leads.ts'
import { stopContactByHand } from '../../core/privacy/stop-contact.ts'
import { useApi, useStaff } from '../support/api-server.ts'
import { PERSON_KEY } from '../support/env.ts'
import { createProvider, jobsOf } from '../support/factories.ts'
import { found } from '../support/found.ts'
import { requireBuild } from '../support/processes.ts'
import { createRequest, LINK_KEY, requestPath } from '../support/requests.ts'

const { api, database } = useApi({ TRUST_PROXY_HOPS: '1' })
const staff = useStaff(database)
beforeAll(requireBuild)

/** Each test comes from an address of its own, because the limit lasts a minute. */
let address = ''
let tests = 0
beforeEach(() => {
  tests += 1
  address = `198.51.100.${tests}`
})

const CLINIC = { source: 'clinic', actor: 'clinic' } as const
const WRONG = '2065550181'
const STOP_CONTEXT = { key: PERSON_KEY, timeZone: 'UTC' }

/** A request whose clinic has said that the number is wrong, with the address of the visitor's page. */
async function wrongNumber(overrides: Partial<RequestLink> = {}) {
  const { id, providerId } = await createRequest(database.db, { form: { phone: WRONG } })
  await recordOutcome(database.db, id, { kind: 'wrong_number', ...CLINIC })
  const { email } = found(await leads.find(database.db, id))
  const of = { of: 'visitor', recipient: markOf(LINK_KEY, email), ...overrides } as const
  const path = (await requestPath(database.db, id, of)).replace('/r/', '/phone-number/')
  return { id, providerId, path }
}
const headers = () => ({ accept: 'text/html', 'x-forwarded-for': address })
const open = (path: string) => api.call('GET', path, undefined, headers())
const send = (path: string, phone: string) =>
  api.call('POST', path, new URLSearchParams({ phone }).toString(), {
    ...headers(),
    'content-type': 'application/x-www-form-urlencoded',
  })
const phoneOf = async (id: number) => found(await leads.find(database.db, id)).phone
const waiting = async (id: number) =>
  (await jobsOf(database.db, id, { state: 'waiting' }).orderBy(['name', 'purpose'])).map(
    ({ name, purpose }) => `${name} ${purpose}`,
  )

describe('the page that asks a visitor for the right phone number', () => {
  it('has one plain field, tells nothing of the request, and changes nothing when a program opens it', async () => {
    const { id, path } = await wrongNumber()
    const { status, headers, body } = await open(path)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-robots-tag')).toBe('noindex')
    expect(body).toContain('Lamar Men’s Health')
    expect(body.match(/<input[^>]*name="\w+"/g)).toHaveLength(1)
    expect(body).toMatch(/<form[^>]* method="post"/)
    expect(body).not.toContain(path)
    expect(body).not.toMatch(/555.?0181/)
    expect(await phoneOf(id)).toBe(WRONG)
  })

  it('corrects the lead, tells clinic and CRM, and starts the time of the clinic anew', async () => {
    const { id, path } = await wrongNumber()
    const { status, body } = await send(path, '(206) 555-0188')
    expect(status).toBe(200)
    expect(body).toContain('Thank you')
    expect(found(await leads.find(database.db, id))).toMatchObject({ phone: '(206) 555-0188', outcome: null })
    expect(await waiting(id)).toEqual(['send-email provider', 'sync-crm matched', 'sync-crm outcome'])
    expect(await database.db('answer_clocks').where('lead_id', id).first()).toMatchObject({
      ...{ answered_at: null, step: 'start' },
    })
    expect(await database.db('lead_edits').where('lead_id', id)).toMatchObject([
      { field: 'phone', was: WRONG, became: '(206) 555-0188', actor: 'visitor' },
    ])
  })

  it('ends with its use, and opens again when the new number is wrong as well', async () => {
    const { id, path } = await wrongNumber()
    await send(path, '2065550188')
    for (const { body } of [await send(path, '2065550199'), await open(path)]) {
      expect(body).toContain('There is nothing to correct')
    }
    expect(await phoneOf(id)).toBe('2065550188')
    await recordOutcome(database.db, id, { kind: 'wrong_number', ...CLINIC })
    expect(await waiting(id)).toContain('send-email wrong_number')
    expect((await open(path)).body).toContain('What is your right phone number?')
  })

  it.each([
    ['', 'Phone number is required'],
    ['555-01', 'Please enter a phone number with its area code'],
    ['+1 (206) 555-0181', 'This is the number that the clinic could not reach'],
    ['2'.repeat(41), 'Phone number must be 40 characters or fewer'],
  ])('refuses “%s” with a sentence beside the field, and keeps what was typed', async (typed, sentence) => {
    const { id, path } = await wrongNumber()
    const { status, body } = await send(path, typed)
    expect(status).toBe(422)
    expect(body).toContain(sentence)
    if (typed) expect(body).toContain(`value="${typed}"`)
    expect(await phoneOf(id)).toBe(WRONG)
  })

  it('does not tell that a number is on the do-not-contact list, and staff see it', async () => {
    const [listed, other] = [await wrongNumber(), await wrongNumber()]
    await stopContactByHand(database.db, { phone: '2065550123' }, { actor: 'staff' }, STOP_CONTEXT)
    const pages = []
    for (const [{ path }, phone] of [[listed, '2065550123'] as const, [other, '2065550124'] as const]) {
      pages.push([(await send(path, phone)).body, (await open(path)).body])
    }
    expect(pages[0]).toEqual(pages[1])
    expect(await phoneOf(listed.id)).toBe(WRONG)
    const { body } = await api.call('GET', '/api/attention', undefined, staff)
    expect(body.lines).toMatchObject([{ kind: 'wrong-number', leadId: listed.id }])
  })

  it.each([
    ['its address was corrected', async () => wrongNumber({ recipient: markOf(LINK_KEY, 'typo@visitors.example') })],
    ['60 days', async () => wrongNumber({ expiresOn: Math.floor(Date.now() / DAY) - 1 })],
    [
      'another clinic has the lead',
      async () => {
        const asked = await wrongNumber()
        await assignProvider(database.db, asked.id, (await createProvider(database.db)).id, { actor: 'staff' })
        return asked
      },
    ],
    [
      'the lead is deleted',
      async () => {
        const asked = await wrongNumber()
        await deleteLead(database.db, asked.id, { actor: 'staff' })
        return asked
      },
    ],
    [
      'the visitor asked for no contact',
      async () => {
        const asked = await wrongNumber()
        const { email } = found(await leads.find(database.db, asked.id))
        await stopContactByHand(database.db, { email }, { actor: 'staff' }, STOP_CONTEXT)
        return asked
      },
    ],
    [
      'the clinic has reached the visitor',
      async () => {
        const asked = await wrongNumber()
        await recordOutcome(database.db, asked.id, { kind: 'reached', ...CLINIC })
        return asked
      },
    ],
  ])('is over after: %s', async (_, make) => {
    const { id, path } = await make()
    for (const { status, body } of [await open(path), await send(path, '2065550188')]) {
      expect(status).toBe(200)
      expect(body).toContain('There is nothing to correct')
    }
    expect(await database.db('lead_edits').where('lead_id', id)).toEqual([])
  })
})

it('a correction by staff tells the clinic as well', async () => {
  const { id } = await wrongNumber()
  const { status } = await api.call('PATCH', `/api/leads/${id}`, { phone: '2065550188' }, staff)
  expect(status).toBe(200)
  expect(await waiting(id)).toEqual(['send-email provider', 'sync-crm matched', 'sync-crm outcome'])
  expect(found(await leads.find(database.db, id)).outcome).toBeNull()
})
