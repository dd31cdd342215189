import { get as httpGet, type IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { CONSENT } from '../../core/contract/consent.ts'
import { recordOutcome } from '../../core/leads/record-outcome.ts'
import { useApi, useStaff } from '../support/api-server.ts'
import { createLead, createProvider } from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'

const { api, database } = useApi()
const staff = useStaff(database)

async function linesOf(path: string): Promise<string[]> {
  const response = await fetch(api.url + path, { headers: staff })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-store')
  const name = /\/(\w+)\.csv/.exec(path)?.[1]
  // With a filter, its words and the day follow.
  const words = path.includes('=true') || path.includes('q=') ? '-[a-z]+-\\d{4}-\\d\\d-\\d\\d' : ''
  expect(response.headers.get('content-disposition')).toMatch(
    new RegExp(`^attachment; filename="${name}${words}\\.csv"$`),
  )
  return (await response.text())
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split('\r\n')
}
const logged = async () =>
  (await database.db('audit_log').where({ action: 'export' }).orderBy('id')).map(({ details }) => details)
async function openTransactions(): Promise<number> {
  const { rows } = await database.db.raw(
    `select count(*)::integer from pg_stat_activity
     where datname = current_database() and xact_start is not null and backend_type = 'client backend'
       and pid <> pg_backend_pid()`,
  )
  return rows[0].count
}
/** Reads the headers of an export and then nothing. */
const beginExport = () =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { ...staff, 'accept-encoding': 'identity' }
    httpGet(`${api.url}/api/leads.csv`, { headers }, resolve).on('error', reject)
  })
const addManyLeads = (count: number) =>
  database.db.raw(
    `insert into leads (first_name, last_name, email, phone, zip_code, acceptance_message, request_hash, person_key, repeat_window)
     select 'Jordan', 'Avery', md5(random()::text), '1', '78702', repeat(md5(random()::text), 150), '', gen_random_uuid(), 'empty'
     from generate_series(1, ?::integer)`,
    [count],
  )

describe('GET /api/leads.csv', () => {
  it('has a line for each lead, and its columns', async () => {
    const { id: providerId } = await createProvider(database.db, { name: 'Calloway, "Ines"' })
    const id = await createLead(database.db, {
      providerId,
      form: {
        first_name: '=1+1',
        last_name: 'Avery',
        email: 'jordan@visitors.example',
        phone: '+1 512 555 0142',
        attribution: { last: { landing_page: '/?utm_source=radio', utm_source: 'radio', utm_campaign: '@fall' } },
      },
    })
    await database.db('leads').where({ id }).update({
      created_at: '2026-03-02T23:59:59.5-05:00',
      matched_at: '2026-03-03T05:00:00Z',
      crm_external_id: 'crm-7',
      crm_sync_status: 'success',
    })
    const said = { source: 'crm', actor: 'crm', happenedAt: '2026-03-03T15:00:00.000Z' } as const
    await recordOutcome(database.db, id, { ...said, kind: 'booked', booked_for: '2026-03-09', value_cents: 125_050 })
    await recordOutcome(database.db, id, { ...said, kind: 'reached', happenedAt: '2026-03-03T14:00:00.000Z' })
    await database.db('answer_clocks').where('lead_id', id).update({ due_at: '2026-03-03T22:00:00Z' })

    expect(await linesOf('/api/leads.csv')).toEqual([
      'id,created_at,first_name,last_name,email,phone,zip_code,provider_id,provider_name,matched_at,match_kind,match_distance_miles,crm_sync_status,email_status,crm_external_id,held_reason,outcome,outcome_at,outcome_reason,booked_for,outcome_value,first_answer_at,answer_due_at,acceptance_consent,acceptance_message,landing_page,referrer,utm_source,utm_medium,utm_campaign,do_not_contact',
      `${id},2026-03-02T23:59:59.500-05:00,'=1+1,Avery,jordan@visitors.example,'+1 512 555 0142,78702,${providerId},"Calloway, ""Ines""",2026-03-03T00:00:00.000-05:00,nearest,1.5,success,pending,crm-7,,booked,2026-03-03T10:00:00.000-05:00,,2026-03-09,1250.5,2026-03-03T10:00:00.000-05:00,2026-03-03T17:00:00.000-05:00,true,"${CONSENT.form.wording}",/?utm_source=radio,,radio,,'@fall,false`,
    ])
  })

  it('has what the list has, by the same filter and in the same order, but all of it', async () => {
    for (let n = 0; n < 3; n++) await createLead(database.db, { form: { last_name: `Serin${n}` } })
    await createLead(database.db)
    const ids = async (query: string) =>
      (await linesOf(`/api/leads.csv${query}`)).slice(1).map((line) => Number.parseInt(line, 10))

    expect(await ids('')).toEqual([4, 3, 2, 1])
    expect(await ids('?sort=created_at&limit=1&page=2')).toEqual([1, 2, 3, 4])
    expect(await ids('?q=serin&sort=-name')).toEqual([3, 2, 1])
    const ends = async () => (await logged()).filter(({ complete }) => complete)
    await waitFor('the end of each in the log', async () => (await ends()).length === 3)
    expect((await ends())[2]).toMatchObject({ filter: { search: true }, sort: '-name', rows: 3 })
    expect(JSON.stringify(await logged())).not.toMatch(/serin/i)
    expect(await ids('?held=true')).toEqual([])
    expect((await api.call('GET', '/api/leads.csv?sort=email', undefined, staff)).status).toBe(422)
  })

  it('is refused while three others are read, and reads no further when the other side hangs up', async () => {
    await addManyLeads(4000)
    const others = await Promise.all(Array.from({ length: 3 }, beginExport))
    expect(others.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    // They wait for us: far more is to come than fits on the way.
    expect(await openTransactions()).toBe(3)
    const { status, headers, body } = await api.call('GET', '/api/leads.csv', undefined, staff)
    expect([status, headers.get('retry-after'), body.code]).toEqual([429, '60', 'rate_limited'])

    // The audit log has them from the start, without a number, which gets a line of its own.
    expect(await logged()).toEqual(others.map(() => ({ filter: {}, sort: '-created_at', begins: true })))

    for (const other of others) other.destroy()
    await waitFor('the end of the others', async () => (await openTransactions()) === 0)
    const ends = async () => (await logged()).filter(({ complete }) => complete === false)
    await waitFor('their end in the log', async () => (await ends()).length === 3)
    for (const { rows } of await ends()) {
      expect(rows).toBeGreaterThan(0)
      expect(rows).toBeLessThan(4000)
    }
    await linesOf('/api/leads.csv?held=true')
  })
})

it('GET /api/providers.csv has every provider by name, in exactly these columns', async () => {
  const active = await createProvider(database.db, {
    name: 'Dr. B',
    practice_name: 'Clinic, B',
    wordpress_id: 7,
    email: 'b@clinics.example',
    website: 'https://b.example',
  })
  const inactive = await createProvider(database.db, {
    name: 'Dr. A',
    practice_name: null,
    email: 'a@clinics.example',
    phone: null,
    address: null,
    status: 'f',
  })
  await createLead(database.db, { providerId: active.id })
  await createLead(database.db, { providerId: active.id })

  const header = 'id,wordpress_id,name,practiceName,email,phone,address,zipCode,website,status,leadCount'
  const lines = [
    `${inactive.id},,Dr. A,,a@clinics.example,,,78701,,Inactive,0`,
    `${active.id},7,Dr. B,"Clinic, B",b@clinics.example,(512) 555-0100,1 Main Street,78701,https://b.example,Active,2`,
  ]
  expect(await linesOf('/api/providers.csv')).toEqual([header, ...lines])
  expect(await linesOf('/api/providers.csv?status=active')).toEqual([header, lines[1]])
  expect(await linesOf('/api/providers.csv?status=inactive')).toEqual([header, lines[0]])
  expect((await api.call('GET', '/api/providers.csv?status=gone', undefined, staff)).status).toBe(422)
})
