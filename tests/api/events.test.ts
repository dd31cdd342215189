import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CHANGES_CHANNEL, readAnnouncement } from '../../core/deliveries/stores/changes.ts'
import { listen } from '../../core/platform/db.ts'
import { createLog } from '../../core/platform/log.ts'
import { createAnnouncer } from '../../worker/announcer.ts'
import { type ApiServer, apiWith, startApiServer } from '../support/api-server.ts'
import { useDatabase } from '../support/database.ts'
import { notified, openEvents } from '../support/event-stream.ts'
import {
  createLead,
  createProvider,
  createStaff,
  idOf,
  leadForm,
  signedInStaff,
  staffHeaders,
} from '../support/factories.ts'
import { waitFor } from '../support/wait.ts'

const LOG = createLog('test', 'silent')
const database = useDatabase()
let api: ApiServer
let staff: { cookie: string }
let stopListening: () => Promise<void>
beforeAll(async () => {
  api = await startApiServer(database.app)
  let isListening = false
  stopListening = listen(database.appUrl, {
    channels: { [CHANGES_CHANNEL]: (payload) => api.events.publish(readAnnouncement(payload)) },
    onListening: () => {
      isListening = true
    },
    log: LOG,
  })
  await waitFor('the API to listen', () => isListening)
})
beforeEach(async () => {
  staff = await staffHeaders(database.db)
})
afterAll(async () => {
  await stopListening()
  await api.close()
})

/** An open dashboard that has read everything. */
async function openDashboard(headers = staff) {
  const stream = await openEvents(api.url, headers)
  await waitFor('the first event', () => stream.events().length > 0)
  return stream
}

describe('GET /api/events', () => {
  it('is a stream that nobody stores, compresses or holds back, and starts with a reason to read everything', async () => {
    const { status, headers, text, events } = await openDashboard()

    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-accel-buffering')).toBe('no')
    expect([headers.get('content-encoding'), headers.get('etag')]).toEqual([null, null])
    expect(text()).toMatch(/^retry: 2000\n\n/)
    expect(events()).toEqual([{ event: 'resync', data: {} }])
  })

  it('tells every open dashboard of a new lead', async () => {
    const dashboards = [await openDashboard(), await openDashboard(await staffHeaders(database.db))]
    const { body } = await api.call('POST', '/api/leads', leadForm())
    for (const dashboard of dashboards) await notified(dashboard, 'leads', await idOf(database.db, body))
  })

  it.each([
    ['matched', 'PATCH', '/provider'],
    ['deleted', 'DELETE', ''],
    ['whose emails are sent again', 'POST', '/retry-email'],
  ])('tells of a lead that is %s', async (_what, method, path) => {
    const { id: providerId } = await createProvider(database.db)
    const id = await createLead(database.db)
    const dashboard = await openDashboard()
    const { status } = await api.call(
      method,
      `/api/leads/${id}${path}`,
      path === '/provider' ? { providerId } : undefined,
      staff,
    )
    expect(status).toBe(200)
    await notified(dashboard, 'leads', id)
  })

  it('tells of what a worker has done, all of it at once', async () => {
    const dashboard = await openDashboard()
    const announcer = createAnnouncer(database.db, LOG)
    for (const id of [7, 8, 7]) announcer.add({ jobs: [id] })
    announcer.add({ leads: [8] })
    await notified(dashboard, 'jobs', 7)
    expect(dashboard.events()).toContainEqual({ event: 'changes', data: { jobs: [7, 8], leads: [8] } })
  })

  it('tells two colleagues which lead the other one has open, by ids alone', async () => {
    const ada = await signedInStaff(database.db, { role: 'agent', name: 'Ada Park' })
    const ben = await signedInStaff(database.db, { role: 'viewer', name: 'Ben Ito' })
    const [atAda, atBen] = await Promise.all([openDashboard(ada.headers), openDashboard(ben.headers)])
    const lead = await createLead(database.db)
    const view = (by: typeof ada, left: boolean) => api.call('POST', `/api/leads/${lead}/viewing`, { left }, by.headers)
    const seen = (dashboard: typeof atAda) => dashboard.events().flatMap(({ data }) => data.viewing ?? [])
    expect((await view(ben, false)).status).toBe(200)
    await waitFor('the viewer to be seen', () => seen(atAda).length === 1)
    await view(ada, false)
    await view(ben, true)
    const expected = [
      { lead, account: ben.id, left: false },
      { lead, account: ada.id, left: false },
      { lead, account: ben.id, left: true },
    ]
    await waitFor('all of it', () => seen(atBen).length === 3)
    expect(seen(atBen)).toEqual(expected)
    expect(atBen.text()).not.toMatch(/Ada|Ben/)
    // The shared password has no name to show.
    expect((await api.call('POST', `/api/leads/${lead}/viewing`, { left: false }, staff)).status).toBe(200)
  })

  it('holds nothing about a person', async () => {
    const dashboard = await openDashboard()
    const person = { first_name: 'Canaryfirst', last_name: 'Canarylast', email: 'canary@secret.example' }
    const { body } = await api.call('POST', '/api/leads', leadForm({ ...person, phone: '(512) 555-0187' }))
    await notified(dashboard, 'leads', await idOf(database.db, body))
    // None of these can be a part of an id or of a time.
    expect(dashboard.text()).not.toMatch(/canary|secret|@|555-0187/i)
  })
})

describe('the end of a session', () => {
  it.each([
    ['signing out', () => api.call('DELETE', '/api/session', undefined, staff)],
    ['time', () => database.db('staff_sessions').update({ expires_at: database.db.fn.now() })],
  ])('by %s ends its streams, and says why', async (_how, end) => {
    const [first, second] = [await openDashboard(), await openDashboard()]
    await end()
    for (const dashboard of [first, second]) {
      await waitFor('the end', dashboard.hasEnded)
      expect(dashboard.events().at(-1)).toEqual({ event: 'signed-out', data: {} })
    }
    expect((await openEvents(api.url, staff)).status).toBe(401)
  })

  it('leaves those of other sessions alone', async () => {
    const mine = await openDashboard()
    const other = await openDashboard(await staffHeaders(database.db))
    await api.call('DELETE', '/api/session', undefined, staff)
    await waitFor('the end', mine.hasEnded)
    const id = await createLead(database.db)
    await notified(other, 'leads', id)
  })
})

it('one person who signs in again and again cannot take the streams of colleagues, at the same address or elsewhere', async () => {
  const server = await apiWith(database.db, { TRUST_PROXY_HOPS: '1' })
  const open = async (headers: Record<string, string>, address: string) => {
    const { status } = await openEvents(server.url, { ...headers, 'x-forwarded-for': address })
    return status
  }
  const { id: person } = await createStaff(database.db)
  // More streams than one address may have, each session with as many as it may have.
  for (let session = 0; session < 21; session++) {
    const headers = await staffHeaders(database.db, person)
    await Promise.all(Array.from({ length: 5 }, () => open(headers, '198.51.100.9')))
  }

  const { headers: colleague } = await signedInStaff(database.db)
  expect(await open(colleague, '198.51.100.9')).toBe(200)
  expect(await open(staff, '203.0.113.1')).toBe(200)
})

it('too many windows are told so, and one that is closed makes room', async () => {
  const open = await Promise.all(Array.from({ length: 5 }, () => openDashboard()))
  const { status, headers, body } = await api.call('GET', '/api/events', undefined, staff)
  expect({ status, body }).toEqual({
    status: 429,
    body: { error: 'The dashboard is open in too many windows for live updates.', code: 'rate_limited' },
  })
  expect(headers.get('retry-after')).toBe('60')

  await openDashboard(await staffHeaders(database.db))
  open[0]?.close()
  await waitFor('room', async () => (await openEvents(api.url, staff)).status === 200)
})
