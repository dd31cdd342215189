import pino from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { HOUR, MINUTE, SECOND } from '../../core/contract/time.ts'
import { deleteLead } from '../../core/leads/change-lead.ts'
import { recordOutcome } from '../../core/leads/record-outcome.ts'
import * as outcomeRows from '../../core/leads/stores/outcomes.ts'
import { listReadFailures } from '../../core/leads/stores/outcomes.ts'
import { readOutcomes } from '../../worker/outcomes.ts'
import { createCrmSender } from '../../worker/senders/crm.ts'
import type { CrmOutcomes } from '../../worker/senders/crm-sender.ts'
import {
  createHubspotOutcomes,
  outcomesOf as outcomesOfHistory,
  StageMapping,
  type StageSource,
} from '../../worker/senders/hubspot-outcomes.ts'
import { asTheyAre, leadEvent } from '../support/crm-events.ts'
import { useDatabase } from '../support/database.ts'
import { PERSON_KEY, testEnv } from '../support/env.ts'
import { createLead, createProvider, jobsOf } from '../support/factories.ts'
import { found } from '../support/found.ts'
import { HUBSPOT_TOKEN } from '../support/hubspot-server.ts'
import { useHubspot } from './hubspot.ts'

const database = useDatabase()
const crm = await useHubspot()
const { hubspot } = crm
const { records } = hubspot

const STAGES = StageMapping.parse('opportunity=booked,customer=treated,other=declined')
const pauses = { calls: [] as number[], searches: [] as number[] }
const limitOf = (list: number[]) => ({
  take: async () => {},
  pause: async (ms: number) => void list.push(ms),
  close() {},
})

function outcomesOf(of: StageSource = 'lifecycle', token = HUBSPOT_TOKEN): CrmOutcomes {
  const urls = {
    objects: (object: string) => `${hubspot.url}/crm/v3/objects/${object}`,
    associations: `${hubspot.url}/crm/v4/associations/deals/contacts`,
  }
  const limits = { limit: limitOf(pauses.calls), searchLimit: limitOf(pauses.searches) }
  return createHubspotOutcomes({ of, urls, token, stages: STAGES, ...limits })
}

let lines: { level: number; msg: string; reason?: string; recorded?: number; failingSince?: string }[] = []
const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

beforeEach(async () => {
  lines = []
  pauses.calls = []
  pauses.searches = []
  await database.db('crm_cursors').delete()
  await begin('hubspot-lifecycle')
  await begin('hubspot-deals')
})

const begin = (source: string) => database.db('crm_cursors').insert({ source, changed_since: ago(HOUR) })

/** Reads all that is due, as a worker does. */
async function read({ outcomes = outcomesOf(), signal = new AbortController().signal } = {}): Promise<void> {
  const context = { key: PERSON_KEY, timeZone: 'America/New_York' }
  await readOutcomes(outcomes, { db: database.app, log: log as never, context, signal })
}
async function readLater(options?: Parameters<typeof read>[0]): Promise<void> {
  await database.db('crm_cursors').update({ due_at: database.db.fn.now() })
  await read(options)
}

let contacts = 5000
/** A lead that a clinic got two hours ago, and that HubSpot knows. */
async function knownLead({
  contact = String(contacts++),
  hoursAgo = 2,
} = {}): Promise<{ id: number; contact: string }> {
  const id = await createLead(database.db, { providerId: (await createProvider(database.db)).id })
  const then = ago(hoursAgo * HOUR)
  await database.db('leads').where({ id }).update({ created_at: then, matched_at: then, crm_external_id: contact })
  return { id, contact }
}
const current = async (id: number) => found(await database.db('leads').where({ id }).first('outcome', 'outcome_at'))
const history = async (id: number) => (await outcomeRows.list(database.db, id)).map(({ kind }) => kind)
const cursor = async (source = 'hubspot-lifecycle') => found(await database.db('crm_cursors').where({ source }).first())
const calls = (part: string) => records.reads.filter(({ call }) => call.includes(part))

describe('a lifecycle stage in HubSpot', () => {
  it('becomes the outcome of the lead that we sent there, with HubSpot’s time, and is never sent back', async () => {
    const { id } = await knownLead()
    const { email } = found(await database.db('leads').where({ id }).first('email'))
    const { externalId: contact = '' } = await crm.sender.send(leadEvent(id, { email }), asTheyAre)
    await database.db('leads').where({ id }).update({ crm_external_id: contact })
    const [booked, treated] = [ago(30 * MINUTE), ago(MINUTE)]
    records.setLifecycle(contact, 'lead', ago(HOUR))
    records.setLifecycle(contact, 'opportunity', booked)
    records.setLifecycle(contact, 'customer', treated)
    await read()

    expect(await outcomeRows.list(database.db, id)).toMatchObject([
      { kind: 'booked', source: 'crm', actor: 'crm', happened_at: booked },
      { kind: 'treated', source: 'crm', actor: 'crm', happened_at: treated },
    ])
    expect(await current(id)).toEqual({ outcome: 'treated', outcome_at: new Date(treated) })
    expect(await database.db('answer_clocks').where('lead_id', id).first()).toMatchObject({
      answered_at: new Date(booked),
      step_at: null,
    })
    expect(await jobsOf(database.db, id, { purpose: 'outcome' })).toEqual([])
    expect(lines).toMatchObject([{ source: 'hubspot-lifecycle', recorded: 2, pages: 1, msg: 'outcomes' }])
    expect(hubspot.rejected).toEqual([])
  })

  it('is recorded once, however often it is read, and a page without news writes no line', async () => {
    const { id, contact } = await knownLead()
    records.setLifecycle(contact, 'opportunity')
    await read()
    for (let pass = 0; pass < 3; pass++) await readLater()
    expect(await history(id)).toEqual(['booked'])
    expect(calls('/search')).toHaveLength(4)
    expect(lines).toHaveLength(1)
  })

  it('is found although HubSpot’s index is late, because each search goes back behind the last one', async () => {
    const { id, contact } = await knownLead()
    hubspot.setClock(-5 * MINUTE)
    records.holdIndex()
    records.setLifecycle(contact, 'opportunity')
    hubspot.setClock(0)
    await read()
    expect(await history(id)).toEqual([])
    records.catchUp()
    await readLater()
    expect(await history(id)).toEqual(['booked'])
  })

  it('that was reached before the clinic’s answer becomes history, and the answer stays', async () => {
    const { id, contact } = await knownLead()
    await recordOutcome(database.db, id, { kind: 'attended', source: 'clinic', actor: 'clinic' })
    records.setLifecycle(contact, 'opportunity', ago(5 * MINUTE))
    await read()
    await readLater()
    expect(await history(id)).toEqual(['attended', 'booked'])
    expect((await current(id)).outcome).toBe('attended')
  })

  it('belongs to the newest lead of the person that had come by then', async () => {
    const first = await knownLead({ hoursAgo: 30 })
    const second = await knownLead({ contact: first.contact, hoursAgo: 0.5 })
    records.setLifecycle(first.contact, 'opportunity', ago(45 * MINUTE))
    records.setLifecycle(first.contact, 'customer', ago(MINUTE))
    await read()
    expect(await history(first.id)).toEqual(['booked'])
    expect(await history(second.id)).toEqual(['treated'])
  })

  it('of a deleted or held lead is passed over, and the others are recorded', async () => {
    const [deleted, held, other] = [await knownLead(), await knownLead(), await knownLead()]
    await deleteLead(database.db, deleted.id, { actor: 'staff' })
    await database.db('leads').where({ id: held.id }).update({ held_reason: 'do_not_contact' })
    for (const { contact } of [deleted, held, other]) records.setLifecycle(contact, 'customer')
    await read()
    expect(await history(other.id)).toEqual(['treated'])
    expect(await history(held.id)).toEqual([])
    expect((await cursor()).failing_since).toBeNull()
  })
})

describe('many changes', () => {
  it('are read page by page, by their ids, and those of a bulk update beyond 10,000 results as well', async () => {
    const ours = [
      await knownLead({ contact: '1' }),
      await knownLead({ contact: '5050' }),
      await knownLead({ contact: '10050' }),
    ]
    for (let id = 1; id <= 10_050; id++) records.touch('contacts', String(id))
    for (const { contact } of ours) records.setLifecycle(contact, 'customer')
    records.unlimit()
    await read()
    for (const { id } of ours) expect(await history(id)).toEqual(['treated'])
    expect(calls('/search')).toHaveLength(101)
    expect(lines).toMatchObject([{ recorded: 3, pages: 101 }])
  })

  it('go on after the last recorded page when a later one fails', async () => {
    const [first, last] = [await knownLead({ contact: '1' }), await knownLead({ contact: '150' })]
    for (let id = 1; id <= 150; id++) records.touch('contacts', String(id))
    for (const { contact } of [first, last]) records.setLifecycle(contact, 'customer')
    records.answer(() => (calls('/search').length === 2 ? { status: 503 } : undefined))
    await read()
    expect(await history(first.id)).toEqual(['treated'])
    expect(await cursor()).toMatchObject({ after_id: '100', failures: 1, pass_began_at: expect.any(Date) })

    await readLater()
    expect(await history(last.id)).toEqual(['treated'])
    const [, , third] = calls('/search').map(({ body }) => JSON.stringify(body))
    expect(third).toContain('"hs_object_id","operator":"GT","value":"100"')
    expect(await cursor()).toMatchObject({ after_id: null, failures: 0, pass_began_at: null })
  })
})

it('a deal stage in HubSpot is that of each of its contacts that are leads, whatever page of contacts they are on', async () => {
  const [one, other] = [await knownLead(), await knownLead()]
  records.pageContacts(1)
  records.setDeal('31', 'opportunity', { contacts: [one.contact, '88', other.contact], at: ago(MINUTE) })
  records.setDeal('32', 'customer', { contacts: [] })
  records.setDeal('33', 'customer', { contacts: ['88'] })
  await read({ outcomes: outcomesOf('deals') })
  for (const { id } of [one, other]) expect(await history(id)).toEqual(['booked'])
  expect(calls('/deals/batch/read').map(({ body }) => (body as { inputs: unknown }).inputs)).toEqual([[{ id: '31' }]])
  expect(hubspot.rejected).toEqual([])

  await readLater({ outcomes: outcomesOf('deals') })
  records.setDeal('31', 'customer')
  await readLater({ outcomes: outcomesOf('deals') })
  expect(await history(one.id)).toEqual(['booked', 'treated'])
})

describe('a reader that is cut off', () => {
  it('between reading and recording reads the page again', async () => {
    const { id, contact } = await knownLead()
    records.setLifecycle(contact, 'opportunity')
    const whole = outcomesOf()
    const dying: CrmOutcomes = {
      ...whole,
      async readPage(...place) {
        await whole.readPage(...place)
        throw new Error('killed')
      },
    }
    await read({ outcomes: dying })
    expect(await history(id)).toEqual([])
    await readLater()
    expect(await history(id)).toEqual(['booked'])
  })

  it('between recording and moving on records nothing twice, and its late word does not move the cursor', async () => {
    const { id, contact } = await knownLead()
    records.setLifecycle(contact, 'opportunity')
    const whole = outcomesOf()
    const slow: CrmOutcomes = {
      ...whole,
      async readPage(...place) {
        const page = await whole.readPage(...place)
        // Its claim has run out, and another worker has begun.
        await database.db('crm_cursors').where({ source: 'hubspot-lifecycle' }).increment('attempt', 1)
        return page
      },
    }
    const before = (await cursor()).changed_since
    await read({ outcomes: slow })
    expect(await history(id)).toEqual(['booked'])
    expect((await cursor()).changed_since).toEqual(before)
    expect(lines.at(-1)?.msg).toBe('CRM outcomes are read by another worker')

    await readLater()
    expect(await history(id)).toEqual(['booked'])
  })

  it('is one of two workers, of which one reads', async () => {
    const { id, contact } = await knownLead()
    records.setLifecycle(contact, 'opportunity')
    await Promise.all([read(), read(), read()])
    expect(calls('/search')).toHaveLength(1)
    expect(await history(id)).toEqual(['booked'])
  })
})

describe('a HubSpot that does not answer as it should', () => {
  const dueIn = async () => (await cursor()).due_at.getTime() - Date.now()

  it.each([
    ['is busy (429) and says for how long', { status: 429, headers: { 'retry-after': '1200' } }, 'busy', 1200 * SECOND],
    ['is busy (429)', { status: 429 }, 'busy', MINUTE / 2],
    ['is out of order (503)', { status: 503 }, 'server_error', MINUTE / 2],
    ['breaks the connection', 'garbage' as const, 'unreachable', MINUTE / 2],
    ['answers with something else', { status: 200, body: { total: 1 } }, 'server_error', MINUTE / 2],
  ])('that %s is asked again later, and nothing is lost', async (_, answer, cause, wait) => {
    const { id, contact } = await knownLead()
    records.setLifecycle(contact, 'opportunity')
    records.answer(() => answer)
    await read()
    expect(lines).toMatchObject([{ level: 40, cause, msg: 'CRM outcomes not read' }])
    expect(await dueIn()).toBeGreaterThan(wait - 2 * SECOND)
    const isBusy = cause === 'busy'
    expect(pauses.searches).toEqual(isBusy ? [wait > MINUTE ? wait : 10 * SECOND] : [])

    records.answer(() => undefined)
    await readLater()
    expect(await history(id)).toEqual(['booked'])
  })

  it('does not know our token: an error in the log, a failure that staff see, and it ends with the next page', async () => {
    await read({ outcomes: outcomesOf('lifecycle', 'pat-wrong') })
    expect(lines).toMatchObject([{ level: 50, cause: 'credentials', status: 401 }])
    expect(JSON.stringify(lines)).not.toContain('pat-wrong')
    expect(await cursor()).toMatchObject({
      failing_since: expect.any(Date),
      error: 'HubSpot refused our credentials. Check HUBSPOT_TOKEN and its scopes.',
    })
    expect(await listReadFailures(database.app)).toEqual([])
    await database
      .db('crm_cursors')
      .whereNotNull('error')
      .update({ failing_since: ago(HOUR) })
    expect(await listReadFailures(database.app)).toMatchObject([{ error: expect.stringContaining('HUBSPOT_TOKEN') }])

    await readLater()
    expect(await cursor()).toMatchObject({ failing_since: null, failures: 0, error: null })
    expect(await listReadFailures(database.app)).toEqual([])
  })
})

const stages = StageMapping.parse('opportunity=booked, salesqualifiedlead = booked,customer=treated,1234567=declined')
const at = (minute: number) => `2026-11-24T12:${String(minute).padStart(2, '0')}:00.000Z`
const version = (value: string, minute: number) => ({ value, timestamp: at(minute) })
const noon = new Date(at(0))

describe('the outcomes of a history in HubSpot', () => {
  it('are those of the known stages, the oldest first, each with the time of HubSpot', () => {
    const history = [
      version('customer', 30),
      version('opportunity', 20),
      version('lead', 10),
      version('subscriber', 5),
      version('1234567', 1),
    ]
    expect(outcomesOfHistory(history, stages, noon)).toEqual([
      { stage: '1234567', kind: 'declined', happenedAt: at(1) },
      { stage: 'opportunity', kind: 'booked', happenedAt: at(20) },
      { stage: 'customer', kind: 'treated', happenedAt: at(30) },
    ])
  })

  it('of one millisecond are in the order of HubSpot, which lists the newest first', () => {
    const history = [version('customer', 1), version('opportunity', 1)]
    expect(outcomesOfHistory(history, stages, noon).map(({ kind }) => kind)).toEqual(['booked', 'treated'])
  })

  it('leave out a stage with the same outcome as the one before it, but not one after another stage', () => {
    const history = [version('salesqualifiedlead', 1), version('opportunity', 2), version('lead', 3)]
    const again = [...history, version('opportunity', 4)]
    expect(outcomesOfHistory(history, stages, noon).map(({ happenedAt }) => happenedAt)).toEqual([at(1)])
    expect(outcomesOfHistory(again, stages, noon).map(({ happenedAt }) => happenedAt)).toEqual([at(1), at(4)])
  })

  it('begin with the given time, and know the stage before it', () => {
    const history = [version('opportunity', 1), version('salesqualifiedlead', 2), version('customer', 3)]
    expect(outcomesOfHistory(history, stages, new Date(at(2)))).toEqual([
      { stage: 'customer', kind: 'treated', happenedAt: at(3) },
    ])
    expect(outcomesOfHistory(history, stages, new Date(at(1)))).toHaveLength(2)
  })

  it('are none without a history, and none for a stage that was emptied', () => {
    expect(outcomesOfHistory([], stages, noon)).toEqual([])
    expect(outcomesOfHistory([version('', 1)], stages, noon)).toEqual([])
  })
})

it.each([
  ['an unknown outcome', 'customer=happy'],
  ['an opt-out, which is a command and not a stage', 'customer=opted_out'],
  ['an opening, which only the clinic does', 'lead=opened'],
  ['no outcome', 'customer'],
  ['no stage', '=treated'],
  ['two outcomes', 'customer=treated=booked'],
  ['a stage twice', 'customer=treated,customer=booked'],
  ['a comma too much', 'customer=treated,'],
])('the settings of stages in HubSpot refuse %s', (_, HUBSPOT_STAGES) => {
  const start = () =>
    createCrmSender(testEnv({ CRM_KIND: 'hubspot', HUBSPOT_TOKEN, HUBSPOT_OUTCOMES: 'lifecycle', HUBSPOT_STAGES }))
  expect(start).toThrow('HUBSPOT_STAGES must be like opportunity=booked,customer=treated')
  expect(start).toThrow('reached, no_answer, wrong_number, booked, attended, no_show, treated, declined')
})
