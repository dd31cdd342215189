import { describe, expect, it } from 'vitest'
import { noteQuiet } from '../../core/conditions/conditions.ts'
import { DAY, HOUR, MINUTE } from '../../core/contract/time.ts'
import { recordOutcome } from '../../core/leads/record-outcome.ts'
import { stopContactOfLead } from '../../core/privacy/stop-contact.ts'
import { changeRules } from '../../core/providers/change-provider.ts'
import { ago, useAttention } from '../support/attention.ts'
import { PERSON_KEY, testEnv } from '../support/env.ts'
import {
  createApplication,
  createLead,
  createProvider,
  createSyncRun,
  deliverAll,
  jobsOf,
} from '../support/factories.ts'

const { api, database, staff, get, lines, theLine, post, clinic, deliveredLead, fail, makeLate } = useAttention()

describe('nothing', () => {
  it('needs attention while all is well', async () => {
    await deliveredLead({ providerId: await clinic() })
    expect(await get()).toEqual({
      lines: [],
      counts: {},
      total: 0,
      aside: 0,
      quiet_since: null,
      notices: [],
      pauses: [],
      is_red: false,
    })
  })

  it('marks Settings while a part of the system fails that is no line', async () => {
    const state = {
      event: 'worker' as const,
      subject: 'queue sync-crm',
      title: 'CRM calls wait.',
      path: '/admin?tab=health',
    }
    await database.db('alert_states').insert({ ...state, opened_at: new Date(), last_seen_at: new Date() })
    expect(await get()).toMatchObject({ total: 0, is_red: true })
    await database.db('alert_states').update({ recovered_at: new Date() })
    await database.db('network').update({ alerts_checked_at: ago(6 * MINUTE) })
    expect((await get()).is_red).toBe(true)
  })

  it('needs attention since the minute in which the last line went', async () => {
    const env = testEnv()
    expect(await noteQuiet(database.app, env)).toBe(true)
    const { quiet_since } = await get()
    expect(Date.parse(String(quiet_since))).toBeGreaterThan(Date.now() - HOUR)
    expect(await noteQuiet(database.app, env)).toBe(false)
    expect((await get()).quiet_since).toBe(quiet_since)

    await deliveredLead()
    expect(await noteQuiet(database.app, env)).toBe(true)
    expect((await get()).quiet_since).toBeNull()
    await post('/api/attention/mark', { lines: [await theLine()] })
    expect((await get()).quiet_since).toBeNull()
    expect(await noteQuiet(database.app, env)).toBe(true)
    expect((await get()).quiet_since).not.toBeNull()
  })
})

describe('a clinic that is not reached', () => {
  it('is one line with its leads, the words of the last answer and its phone, until the emails are resent', async () => {
    const id = await clinic({
      practice_name: 'Front Range Vitality',
      phone: '(303) 555-0107',
      email: 'box@front.example',
    })
    const leads = [await deliveredLead({ providerId: id }), await deliveredLead({ providerId: id })]
    await fail(leads[0] ?? 0, 'provider', { detail: '452 over quota', finished_at: ago(2 * DAY) })
    await fail(leads[1] ?? 0, 'provider')

    expect(await get()).toMatchObject({ total: 1, counts: { 'not-reached': 1 } })
    expect(await theLine()).toMatchObject({
      kind: 'not-reached',
      key: `not-reached:${id}`,
      clinic: { id, name: 'Front Range Vitality', phone: '(303) 555-0107', email: 'box@front.example' },
      title: 'Front Range Vitality',
      words: '2 requests. The mail server refused the email. It said: “552 5.2.2 mailbox full”',
      search: `?tab=providers&provider=${id}`,
      leads: { total: 2, ids: [leads[1], leads[0]] },
    })
    for (const lead of leads) await post(`/api/leads/${lead}/retry-email`)
    expect(await lines()).toEqual([])
  })

  it('is not one that has opened the request or answered it, or whose lead went to another clinic', async () => {
    const [first, second] = [await clinic(), await clinic()]
    const opened = await deliveredLead({ providerId: first })
    await fail(opened, 'provider')
    await recordOutcome(database.db, opened, { kind: 'opened', source: 'clinic', actor: 'clinic' })
    const moved = await deliveredLead({ providerId: first })
    await fail(moved, 'provider')
    await api.call('PATCH', `/api/leads/${moved}/provider`, { providerId: second }, staff)
    expect(await lines()).toEqual([])
  })
})

const byClinic = { actor: 'clinic' }

it('a clinic that pauses itself is a line until the pause ends, staff set it done, or staff change it', async () => {
  const provider = await clinic()
  await deliveredLead({ providerId: provider })
  await changeRules(database.db, provider, { is_paused: true, paused_because: 'Away' }, byClinic)
  const line = await theLine()
  const words = 'Paused itself (no end) · 1 lead in 30 days. It said: “Away”'
  expect(line).toMatchObject({ kind: 'paused', key: `paused:${provider}`, clinic: { id: provider }, words })

  await post('/api/attention/mark', { lines: [line] })
  expect(await lines()).toEqual([])
  const until = new Date(Date.now() + DAY).toISOString()
  await changeRules(database.db, provider, { paused_until: until }, byClinic)
  expect(await theLine()).toMatchObject({ words: expect.stringMatching(/^Paused itself until \w+ \d/) })
  await changeRules(database.db, provider, { is_paused: false }, byClinic)
  expect(await lines()).toEqual([])

  await changeRules(database.db, provider, { is_paused: true, paused_until: until }, byClinic)
  expect(await lines()).toHaveLength(1)
  await database.db('provider_rules').update({ paused_until: ago(1) })
  expect(await lines()).toEqual([])
  await changeRules(database.db, provider, { is_paused: true, paused_until: null }, byClinic)
  expect(await lines()).toHaveLength(1)
  await changeRules(database.db, provider, { paused_until: until }, { actor: 'ada@leadwell.example' })
  expect(await lines()).toEqual([])
})

it('a clinic that does not answer in time is one line with its late leads, until it answers or the lead is passed on', async () => {
  const provider = await clinic({ zip_code: '78702' })
  await clinic({ zip_code: '78660' })
  const leads = [await deliveredLead({ providerId: provider }), await deliveredLead({ providerId: provider })]
  await makeLate(leads[0] ?? 0, 3 * HOUR)
  await makeLate(leads[1] ?? 0)
  const line = await theLine()
  expect(line).toMatchObject({ kind: 'no-answer', clinic: { id: provider }, leads: { ids: [leads[1], leads[0]] } })
  expect(line.words).toBe('2 requests without an answer in time')
  expect(Math.abs(Date.parse(line.since) - Date.now() + 3 * HOUR)).toBeLessThan(HOUR)

  await post(`/api/leads/${leads[0]}/pass-on`)
  expect(await theLine()).toMatchObject({ leads: { total: 1, ids: [leads[1]] } })
  await post(`/api/leads/${leads[1]}/outcomes`, { kind: 'reached' })
  expect(await lines()).toEqual([])
})

it('an unmatched lead has its place and the nearest clinic, until it is matched', async () => {
  const provider = await clinic({ practice_name: 'Sterling Wellness', zip_code: '59101' })
  const id = await deliveredLead({ form: { zip_code: '59401' } })
  expect(await theLine()).toMatchObject({
    kind: 'unmatched',
    key: `unmatched:${id}`,
    leadId: id,
    title: 'Jordan Avery',
    words: expect.stringMatching(/^Great Falls, MT 59401\. Nearest: Sterling Wellness, \d+ miles$/),
    search: `?tab=leads&lead=${id}`,
    do_not_contact: false,
  })
  await api.call('PATCH', `/api/leads/${id}/provider`, { providerId: provider }, staff)
  expect(await lines()).toEqual([])
})

it('a CRM that does not take leads is one line for each answer, whatever differs from lead to lead', async () => {
  const provider = await clinic()
  const refused = { cause: 'refused', error: 'The CRM refused the lead: it answered 400.' }
  const leads: number[] = []
  for (const detail of ['contact_type is required (id 4f1c)', 'contact_type is required (id 77aa9)', 'bad zip']) {
    const id = await deliveredLead({ providerId: provider })
    await fail(id, 'created', { ...refused, detail })
    leads.push(id)
  }
  const found = await lines()
  expect(found).toMatchObject([
    { kind: 'crm', words: `1 lead. ${refused.error} It said: “bad zip”`, leads: { ids: [leads[2]] } },
    { kind: 'crm', words: `2 leads. ${refused.error} It said: “contact_type is required (id 77aa9)”` },
  ])
  await database.db('leads').update({ crm_sync_status: 'success' })
  expect(await lines()).toEqual([])
})

it('a stop that the CRM does not take is a line of its own for each lead, until it is noted by hand or taken', async () => {
  const provider = await clinic()
  const ids = [await deliveredLead({ providerId: provider }), await deliveredLead({ providerId: provider })]
  for (const id of ids) {
    await stopContactOfLead(database.db, id, { actor: 'staff' }, { key: PERSON_KEY, timeZone: 'UTC' })
    await deliverAll(database.db, id)
    await fail(id, 'opted_out', { cause: 'refused', error: 'HubSpot does not know.', detail: '' })
    // The CRM has the lead itself.
    await database.db('leads').where({ id }).update({ crm_sync_status: 'success' })
    await jobsOf(database.db, id, { name: 'send-email' }).update({ state: 'done', last_cause: null })
  }
  const found = await lines()
  expect(found).toMatchObject(ids.toReversed().map((id) => ({ kind: 'crm', is_by_hand: true, leads: { ids: [id] } })))

  expect((await post('/api/attention/mark', { lines: found.slice(0, 1) })).status).toBe(200)
  expect(await lines()).toMatchObject([{ is_by_hand: true, leads: { ids: [ids[0]] } }])
  await database.db('jobs').where({ purpose: 'opted_out' }).update({ state: 'done', last_cause: null })
  expect(await lines()).toEqual([])
})

it('a clinic that does not confirm a stop is a line from the deadline on, until staff note its word', async () => {
  const provider = await clinic()
  const id = await deliveredLead({ providerId: provider })
  await stopContactOfLead(database.db, id, { actor: 'staff' }, { key: PERSON_KEY, timeZone: 'UTC' })
  await deliverAll(database.db, id)
  expect(await lines()).toEqual([])
  await database.db('opt_outs').update({ asked_at: ago(20 * DAY), due_at: ago(DAY) })
  const line = await theLine()
  expect(line).toMatchObject({ kind: 'stop', leadId: id, clinic: { id: provider } })
  expect(line.words).toMatch(/^Had to confirm by .* that it stopped contacting Jordan Avery, lead no\. \d+$/)
  // Setting it aside does not take the notice away.
  await post('/api/attention/mark', { lines: [line] })
  expect(await get()).toMatchObject({ lines: [], notices: [{ kind: 'stop', words: line.words, more: 0 }] })
  await post(`/api/opt-outs/${line.optOutId}/confirm`)
  expect(await lines()).toEqual([])
})

it('what is held is a line for each lead with its reason, until it is released or deleted', async () => {
  const [first, second] = [
    await createLead(database.db, { heldReason: 'honeypot' }),
    await createLead(database.db, { heldReason: 'too_fast' }),
  ]
  expect(await lines()).toMatchObject([
    { kind: 'held', leadId: second, heldReason: 'too_fast' },
    { leadId: first, title: 'Jordan Avery', words: '78702. A field that people cannot see was filled in.' },
  ])
  await post(`/api/leads/${first}/release`)
  await api.call('DELETE', `/api/leads/${second}`, undefined, staff)
  expect(await lines()).toEqual([])
})

it('an application is a line if it is held, or new for more than two days', async () => {
  const held = await createApplication(database.db, { heldReason: 'honeypot' })
  const old = await createApplication(database.db)
  await createApplication(database.db)
  await database
    .db('provider_applications')
    .where({ id: old })
    .update({ created_at: ago(49 * HOUR) })
  const found = await lines()
  expect(found).toHaveLength(2)
  expect(found).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ applicationId: held, words: expect.stringContaining('Held: A field that people') }),
      expect.objectContaining({ applicationId: old, words: expect.stringContaining('the promised 48 hours') }),
    ]),
  )
  for (const id of [held, old]) {
    await api.call('PATCH', `/api/provider-applications/${id}`, { status: 'contacted' }, staff)
  }
  expect(await lines()).toEqual([])
})

describe('the provider sync', () => {
  it('is a line when its last run has failed, until one succeeds', async () => {
    const { id } = await createSyncRun(database.db, { state: 'failed', error: 'WordPress did not answer.' })
    await createSyncRun(database.db, { state: 'failed', error: 'A preview failed.', dry_run: true })
    expect(await theLine()).toMatchObject({
      kind: 'sync',
      key: `sync:failed:${id}`,
      ...{ title: 'Sync failed', words: 'WordPress did not answer.', search: `?tab=providers&sync=${id}` },
    })
    await createSyncRun(database.db)
    expect(await lines()).toEqual([])
  })

  it('is a line when a run waits for approval', async () => {
    const reasons = JSON.stringify([{ kind: 'deactivate', count: 25 }])
    const { id } = await createSyncRun(database.db, {
      state: 'needs_approval',
      error: 'Too many.',
      approval_reasons: reasons,
    })
    expect(await theLine()).toMatchObject({ key: `sync:approval:${id}`, words: 'Too many.' })
  })
})

describe('a lead without a provider in reach', () => {
  const say = (id: number) => post(`/api/leads/${id}/no-provider`)

  it('is written to once by staff, and its line says so', async () => {
    await clinic({ latitude: 21.3, longitude: -157.85, zip_code: '96813' })
    const id = await deliveredLead()
    expect(await theLine()).toMatchObject({ leadId: id, no_provider_near: 'unsaid' })
    expect((await say(id)).status).toBe(200)
    expect(await theLine()).toMatchObject({
      no_provider_near: 'said',
      words: expect.stringMatching(/^Austin, TX 78702\. Nearest: .*\. Notified by email$/),
    })
    expect(await say(id)).toMatchObject({ status: 409, body: { error: expect.stringContaining('already notified') } })
    const mails = { name: 'send-email', subject_id: id, purpose: 'no_provider' }
    expect(await database.db('jobs').where(mails)).toHaveLength(1)
    expect(await database.db('audit_log').where('action', 'no-provider')).toMatchObject([{ entity_id: String(id) }])
  })

  it('is not written to where that is not so, or the person asked for no contact', async () => {
    const stopped = await deliveredLead()
    await stopContactOfLead(database.db, stopped, { actor: 'staff' }, { key: PERSON_KEY, timeZone: 'UTC' })
    const held = await createLead(database.db, { heldReason: 'honeypot' })
    const near = await createProvider(database.db)
    const matched = await deliveredLead({ providerId: near.id })
    for (const id of [stopped, held, matched])
      expect({ id, status: (await say(id)).status }).toEqual({ id, status: 409 })
    expect(await database.db('jobs').where({ purpose: 'no_provider' })).toEqual([])
  })
})

const wrong = async () => {
  const id = await deliveredLead({ providerId: await clinic({ practice_name: 'Oakmont Clinic' }) })
  await post(`/api/leads/${id}/outcomes`, { kind: 'wrong_number' })
  return id
}

it('a wrong number that staff or the clinic noted stands there until it is corrected', async () => {
  const id = await wrong()
  expect(await theLine()).toMatchObject({
    ...{ kind: 'wrong-number', key: `wrong-number:${id}`, leadId: id, do_not_contact: false },
    words: 'Wrong number: asked by email. Oakmont Clinic waits for the right one',
  })
  await api.call('PATCH', `/api/leads/${id}`, { phone: '2065550188' }, staff)
  expect(await lines()).toEqual([])
})

it('says above every tab that the CRM could not be asked for its outcomes for a quarter of an hour, and why', async () => {
  const failing = { failing_since: ago(10 * MINUTE), failures: 3, error: 'HubSpot was away.' }
  await database.db('crm_cursors').insert({ source: 'hubspot-deals', ...failing })
  expect((await get()).notices).toEqual([])
  await database.db('crm_cursors').update({ failing_since: ago(20 * MINUTE) })
  const { lines: found, notices } = await get()
  expect(found).toEqual([])
  expect(notices).toMatchObject([
    { kind: 'outcomes', words: expect.stringContaining('HubSpot was away. Nothing is lost') },
  ])
})
