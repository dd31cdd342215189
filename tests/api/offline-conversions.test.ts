import { beforeEach, describe, expect, it, vi } from 'vitest'
import { offlineConversionRoutes } from '../../api/routes/offline-conversions.ts'
import { recordOutcome } from '../../core/commands/leads/record-outcome.ts'
import { type AdNetwork, BOOKING_QUESTION } from '../../core/contract/ad-measurement.ts'
import type { HeldReason } from '../../core/contract/forms.ts'
import { type NewLead, withdrawAdConsent } from '../../core/contract/lead-form.ts'
import type { OutcomeKind } from '../../core/contract/outcomes.ts'
import { queryRows, type Transaction } from '../../core/platform/db.ts'
import * as deletedLeads from '../../core/stores/deleted-leads.ts'
import { startApiServer, useApi, useStaff } from '../support/api-server.ts'
import { testEnv } from '../support/env.ts'
import { createLead, createProvider, createStaff, leadForm, staffHeaders } from '../support/factories.ts'

const { api, database } = useApi({ OFFLINE_CONVERSIONS: 'on' })
const staff = useStaff(database)

const GCLID = 'Cj0KCQiA-example_click-id'
const MSCLKID = 'f894f652ea334e739002f7167ab8f8e3'
const BOTH = { google: BOOKING_QUESTION, microsoft: BOOKING_QUESTION } as const
/** A day on which nothing in these tests happens by itself. */
const DAY = '2026-03-10'

let clinic: number
beforeEach(async () => {
  clinic = (
    await createProvider(database.db, {
      practice_name: 'Bluebonnet Clinic',
      google_ads_id: 'AW-123456789/AbC',
      bing_ads_id: '97254096',
    })
  ).id
})

type Options = {
  attribution?: NewLead['attribution']
  outcome?: OutcomeKind
  providerId?: number
  heldReason?: HeldReason
  value?: number
  happenedAt?: string
}

/** Stores a lead whose visitor came by both networks and agreed, and whose clinic has booked it on `DAY`. */
async function book({ attribution, outcome = 'booked', providerId = clinic, heldReason, ...said }: Options = {}) {
  const touched = { last: { gclid: GCLID, msclkid: MSCLKID } }
  const form = { attribution: attribution ?? { ...touched, ad_consent: { clinic, ...BOTH } } }
  const id = await createLead(database.db, { form, providerId, heldReason })
  const createdAt = '2026-03-09T12:00:00Z'
  await database.db('leads').where({ id }).update({ created_at: createdAt, matched_at: createdAt })
  if (!heldReason) {
    const happenedAt = said.happenedAt ?? `${DAY}T15:00:00.000Z`
    const booking = { kind: outcome, value_cents: said.value, happenedAt }
    await recordOutcome(database.db, id, { ...booking, source: 'crm', actor: 'crm' })
    await recordedOn(id, DAY)
  }
  return id
}

/** The log of outcomes is append-only: a test writes as its owner. */
async function recordedOn(leadId: number, day: string): Promise<void> {
  await database.db.raw('alter table lead_outcomes disable trigger user')
  await database
    .db('lead_outcomes')
    .where('lead_id', leadId)
    .update({ at: `${day}T16:00:00Z` })
  await database.db.raw('alter table lead_outcomes enable trigger user')
}

const ask = (network: AdNetwork, more = '', headers: Record<string, string> = staff, type = '') =>
  api.call('GET', `/api/offline-conversions${type}?network=${network}&from=${DAY}&to=${DAY}${more}`, undefined, headers)

async function count(network: AdNetwork = 'google', more = ''): Promise<number> {
  const { body } = await ask(network, more)
  return body.clinics.reduce((sum: number, { bookings }: { bookings: number }) => sum + bookings, 0)
}

async function linesOf(network: AdNetwork, more = ''): Promise<string[]> {
  const path = `/api/offline-conversions.csv?network=${network}&provider_id=${clinic}&from=${DAY}&to=${DAY}${more}`
  const response = await fetch(api.url + path, { headers: staff })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${network}-conversions.csv"`)
  return (await response.text()).trimEnd().split('\r\n')
}

describe('GET /api/offline-conversions.csv', () => {
  it('has a line for each booking that the partner may learn of', async () => {
    await book({ value: 125_050 })
    expect(await linesOf('google')).toEqual([
      'Parameters:TimeZone=+0000,,,,,,',
      'Google Click ID,Conversion Name,Conversion Time,Conversion Value,Conversion Currency,Ad User Data,Ad Personalization',
      `${GCLID},Appointment booked,2026-03-10 15:00:00,1250.50,USD,Granted,Denied`,
    ])
    expect((await linesOf('microsoft', '&name=Booked')).slice(2)).toEqual([
      `${MSCLKID},Booked,2026-03-10 15:00:00,1250.50,USD`,
    ])
  })

  it('keeps the time of the first booking when the visit takes place, and takes the newest value', async () => {
    const id = await book({ value: 10_000 })
    const later = { source: 'crm', actor: 'crm', happenedAt: '2026-03-20T15:00:00.000Z' } as const
    await recordOutcome(database.db, id, { ...later, kind: 'treated', value_cents: 90_000 })
    expect((await linesOf('google')).at(-1)).toBe(
      `${GCLID},Appointment booked,2026-03-10 15:00:00,900.00,USD,Granted,Denied`,
    )
  })

  it('takes the click of the last visit, else that of the first', async () => {
    const ad_consent = { clinic, ...BOTH }
    await book({ attribution: { first: { gclid: GCLID }, last: { utm_source: 'radio' }, ad_consent } })
    await book({ attribution: { first: { gclid: GCLID }, last: { gclid: `${GCLID}-2` }, ad_consent } })
    const clicks = (await linesOf('google')).slice(2).map((line) => line.split(',')[0])
    expect(clicks).toEqual([GCLID, `${GCLID}-2`])
  })

  it('is in the audit log, and its leads in the access log', async () => {
    const id = await book()
    await linesOf('google')
    const lines = async () => database.db('audit_log').where({ action: 'export' }).orderBy('id').select('details')
    await expect.poll(lines).toHaveLength(2)
    const filter = { conversions: 'google', provider_id: clinic, from: DAY, to: DAY }
    expect(await lines()).toMatchObject([
      { details: { filter, begins: true } },
      { details: { filter, rows: 1, complete: true } },
    ])
    await api.writeReadings()
    const access = await database.db('access_log').orderBy('id', 'desc').first()
    expect(access).toMatchObject({ call: 'GET /api/offline-conversions.csv', entity: 'lead', row_ids: [id] })
  })

  it('is of one clinic, because each has its own ad account', async () => {
    await book()
    const other = await createProvider(database.db, { google_ads_id: 'AW-987654321' })
    const ad_consent = { clinic: other.id, ...BOTH }
    await book({ providerId: other.id, attribution: { last: { gclid: `${GCLID}-2` }, ad_consent } })
    expect(await count()).toBe(2)
    expect((await ask('google', '', staff, '.csv')).status).toBe(422)
    expect((await linesOf('google')).slice(2).map((line) => line.split(',')[0])).toEqual([GCLID])
  })

  it('is for managers alone', async () => {
    const asRole = async (role: string) =>
      staffHeaders(database.db, (await createStaff(database.db, { role: role as 'agent' })).id)
    for (const role of ['viewer', 'agent']) {
      expect((await ask('google', '', await asRole(role), '.csv')).status).toBe(403)
      expect((await ask('google', '', await asRole(role))).status).toBe(403)
    }
    expect((await ask('google', '', {}, '.csv')).status).toBe(401)
  })

  it('is not there where the setting is off', async () => {
    const off = await startApiServer(database.app)
    for (const type of ['', '.csv']) {
      const { status } = await off.call(
        'GET',
        `/api/offline-conversions${type}?network=google&provider_id=${clinic}`,
        undefined,
        staff,
      )
      expect(status).toBe(404)
    }
    await off.close()
  })

  it('refuses a name that a spreadsheet would run, and a period that is too long', async () => {
    expect((await ask('google', `&provider_id=${clinic}&name=%3D1%2B1`, staff, '.csv')).status).toBe(422)
    const long = '/api/offline-conversions?network=google&from=2026-01-01&to=2026-12-31'
    expect((await api.call('GET', long, undefined, staff)).status).toBe(422)
  })
})

describe('GET /api/offline-conversions', () => {
  it('counts by clinic', async () => {
    await book()
    await book()
    const { body } = await ask('google')
    expect(body).toEqual({ clinics: [{ id: clinic, name: 'Bluebonnet Clinic', bookings: 2 }] })
    expect(await count('google', `&provider_id=${clinic + 1}`)).toBe(0)
  })

  it.each(['booked', 'attended', 'treated'] as const)('counts a lead that is %s', async (outcome) => {
    await book({ outcome })
    expect([await count('google'), await count('microsoft')]).toEqual([1, 1])
  })

  it.each(['reached', 'no_answer', 'no_show', 'declined'] as const)('counts no lead that is %s', async (outcome) => {
    await book({ outcome })
    expect(await count()).toBe(0)
  })

  it('counts no booking without the consent to it, for this partner and this clinic', async () => {
    const last = { gclid: GCLID, msclkid: MSCLKID }
    await book({ attribution: { last } })
    await book({ attribution: { last, ad_consent: { clinic: clinic + 1, ...BOTH } } })
    expect(await count()).toBe(0)

    await book({ attribution: { last, ad_consent: { clinic, google: BOOKING_QUESTION } } })
    expect([await count('google'), await count('microsoft')]).toEqual([1, 0])
  })

  it('counts no booking without a click on an ad of the partner', async () => {
    const ad_consent = { clinic, ...BOTH }
    await book({ attribution: { last: { msclkid: MSCLKID }, ad_consent } })
    await book({ attribution: { last: { gclid: '=1+1-and-more', msclkid: 'x' }, ad_consent } })
    expect([await count('google'), await count('microsoft')]).toEqual([0, 1])
  })

  it('counts no booking of a clinic without an id of the partner, or that is inactive', async () => {
    await book()
    await database.db('providers').where('id', clinic).update({ google_ads_id: 'no id' })
    expect([await count('google'), await count('microsoft')]).toEqual([0, 1])
    await database.db('providers').where('id', clinic).update({ status: 'f' })
    expect(await count('microsoft')).toBe(0)
  })

  it('counts no booking that another clinic has made after the lead was passed on', async () => {
    const id = await book()
    const other = await createProvider(database.db, { google_ads_id: 'AW-987654321' })
    await database.db('leads').where({ id }).update({ provider_id: other.id })
    expect(await count()).toBe(0)
  })

  it('counts no lead that is held, deleted or made up', async () => {
    await book({ heldReason: 'too_fast' })
    const [deleted, madeUp] = [await book(), await book()]
    expect(await count()).toBe(2)
    await api.call('DELETE', `/api/leads/${deleted}`, undefined, staff)
    await database
      .db('leads')
      .where('id', madeUp)
      .update({ attribution: database.db.raw(`attribution || '{"made_up": true}'`) })
    expect(await count()).toBe(0)
  })

  it('counts no person who asked not to be contacted', async () => {
    const id = await book()
    await api.call('POST', `/api/leads/${id}/opt-out`, undefined, staff)
    // A later outcome of the clinic hides that of the stop.
    await database.db('leads').where({ id }).update({ outcome: 'booked' })
    expect(await count()).toBe(0)
  })

  it('counts by the day on which the booking was recorded, in the network’s time zone', async () => {
    const id = await book({ happenedAt: '2026-03-09T15:00:00.000Z' })
    expect(await count()).toBe(1)
    await recordedOn(id, '2026-03-12')
    expect(await count()).toBe(0)
  })
})

describe('POST /api/ad-consent/withdraw', () => {
  const withdraw = (leads: unknown[]) => api.call('POST', '/api/ad-consent/withdraw', { leads })
  const referenceOf = async (id: number) =>
    Number((await database.db('leads').where({ id }).first('reference'))?.reference)

  it('takes back the consent of the leads whose receipts it has, and of no other', async () => {
    const [id, other] = [await book(), await book()]
    const { status, body } = await withdraw([await referenceOf(id), 1, 2 ** 53 - 1])
    expect([status, body]).toEqual([200, { success: true }])
    expect(await count()).toBe(1)

    const consentOf = async (lead: number) =>
      (await api.call('GET', `/api/leads/${lead}`, undefined, staff)).body.attribution.ad_consent
    expect(await consentOf(other)).toEqual({ clinic, ...BOTH })
    const first = await consentOf(id)
    expect(first).toEqual({ clinic, ...BOTH, withdrawn_at: expect.stringMatching(/^\d{4}-.*Z$/) })
    await withdraw([await referenceOf(id)])
    expect(await consentOf(id)).toEqual(first)
  })

  it('holds for a deleted lead when it is restored', async () => {
    const id = await book()
    const reference = await referenceOf(id)
    await api.call('DELETE', `/api/leads/${id}`, undefined, staff)
    await withdraw([reference])
    await api.call('POST', `/api/leads/${id}/restore`, undefined, staff)
    expect(await database.db('leads').where({ id })).toHaveLength(1)
    expect(await count()).toBe(0)
  })

  it.each(['deleted', 'restored'] as const)('reaches a lead that is being %s meanwhile', async (what) => {
    const id = await book()
    const reference = await referenceOf(id)
    if (what === 'restored') await api.call('DELETE', `/api/leads/${id}`, undefined, staff)
    const answer = await database.db.transaction(async (trx) => {
      await (what === 'deleted' ? setAside(trx, id) : deletedLeads.restore(trx, id))
      const asked = withdraw([reference])
      const waiting = database
        .db('pg_stat_activity')
        .whereRaw(`datname = current_database() and wait_event_type = 'Lock'`)
      await expect.poll(() => waiting.clone()).toHaveLength(1)
      return { asked }
    })
    expect((await answer.asked).status).toBe(200)
    if (what === 'deleted') await api.call('POST', `/api/leads/${id}/restore`, undefined, staff)
    expect(await database.db('leads').where({ id }).first('attribution')).toMatchObject({
      attribution: { ad_consent: { withdrawn_at: expect.any(String) } },
    })
  })

  /** Deletes a lead as the call does. */
  async function setAside(trx: Transaction, id: number): Promise<void> {
    await trx('leads').where({ id }).forUpdate()
    await deletedLeads.setAside(trx, id)
  }

  it('finds deleted leads by an index', async () => {
    const plan = await database.db.transaction(async (trx) => {
      await trx.raw('set local enable_seqscan = off')
      return queryRows<unknown>(
        trx,
        `explain select id from deleted_leads
         where (lead->>'reference')::bigint = any('{1,2}'::bigint[]) and lead->'attribution'->'ad_consent' is not null`,
      )
    })
    expect(JSON.stringify(plan)).toContain('deleted_leads_ad_consent_idx')
  })

  it('is limited like a form', async () => {
    const limited = await startApiServer(database.app, { LEAD_RATE_PER_MINUTE: '2' })
    const statuses: number[] = []
    for (let call = 0; call < 3; call++) {
      statuses.push((await limited.call('POST', '/api/ad-consent/withdraw', { leads: [1] })).status)
    }
    await limited.close()
    expect(statuses).toEqual([200, 200, 429])
  })

  it('logs how many consents were taken back, and nothing else', async () => {
    const references = [await referenceOf(await book()), await referenceOf(await book())]
    const info = vi.fn()
    const handlers = new Map<unknown, (request: object) => Promise<unknown>>()
    const handle = (call: unknown, ...steps: never[]) => handlers.set(call, steps.at(-1) as never)
    offlineConversionRoutes(handle as never, { db: database.app, env: testEnv(), log: { info } } as never)
    await handlers.get(withdrawAdConsent)?.({ body: { leads: [...references, 1] } })
    expect(info.mock.calls).toEqual([[{ withdrawn: 2 }, 'consent to ad measurement withdrawn']])
  })

  it('changes no lead without a consent, and takes no page of another site', async () => {
    const { body } = await api.call('POST', '/api/leads', leadForm())
    await withdraw([body.id])
    expect(await database.db('leads').first('attribution')).toEqual({ attribution: {} })
    const foreign = { origin: 'https://evil.example' }
    expect((await api.call('POST', '/api/ad-consent/withdraw', { leads: [1] }, foreign)).status).toBe(403)
    expect((await withdraw(Array(51).fill(1))).status).toBe(422)
    expect((await withdraw(['x'])).status).toBe(422)
  })
})
