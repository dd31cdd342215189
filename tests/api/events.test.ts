import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Changes } from '../../core/contract/events.ts'
import { listen } from '../../core/listen.ts'
import { createLog } from '../../core/log.ts'
import { announce, CHANGES_CHANNEL, readAnnouncement } from '../../core/stores/changes.ts'
import { freePort } from '../../local/ports.ts'
import { createAnnouncer } from '../../worker/announcer.ts'
import { apiClient } from '../support/api-client.ts'
import { type ApiServer, startApiServer } from '../support/api-server.ts'
import { emptyDatabase, useDatabase } from '../support/database.ts'
import { rawEnv } from '../support/env.ts'
import { openEvents } from '../support/event-stream.ts'
import {
  applicationForm,
  createApplication,
  createLead,
  createProvider,
  leadForm,
  staffHeaders,
} from '../support/factories.ts'
import { startPostgresGateway } from '../support/postgres-gateway.ts'
import { startProcess } from '../support/processes.ts'
import { waitFor } from '../support/wait.ts'

const LOG = createLog('test', 'silent')
const database = useDatabase()
let api: ApiServer
let staff: { cookie: string }
let stopListening: () => Promise<void>
beforeAll(async () => {
  api = await startApiServer(database.db)
  let isListening = false
  stopListening = listen(database.url, {
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
afterEach(() => emptyDatabase(database.db))

/** An open dashboard that has read everything. */
async function openDashboard(headers = staff) {
  const stream = await openEvents(api.url, headers)
  await waitFor('the first event', () => stream.events().length > 0)
  return stream
}

type Dashboard = Awaited<ReturnType<typeof openDashboard>>

/** Waits until the dashboard has been told of that, as long as the specification allows. */
const told = (dashboard: Dashboard, kind: keyof Changes, id?: number) =>
  waitFor(
    `${kind} ${id ?? ''}`,
    () =>
      dashboard.events().some(({ data }) => (id === undefined ? data[kind] : (data[kind] as number[])?.includes(id))),
    { within: 2000 },
  )

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

  it('says now and then that it lives', async () => {
    const dashboard = await openDashboard()
    await waitFor('a comment', () => dashboard.text().includes('\n: still here\n\n'))
  })

  it('tells every open dashboard of a new lead', async () => {
    const dashboards = [await openDashboard(), await openDashboard(await staffHeaders(database.db))]
    const { body } = await api.call('POST', '/api/leads', leadForm())
    for (const dashboard of dashboards) await told(dashboard, 'leads', body.id)
  })

  it('tells nothing of a form that is a repeat', async () => {
    const form = leadForm()
    const dashboard = await openDashboard()
    const { body } = await api.call('POST', '/api/leads', form)
    await told(dashboard, 'leads', body.id)
    await api.call('POST', '/api/leads', form)
    const other = await createLead(database.db)
    await told(dashboard, 'leads', other)
    expect(dashboard.events().map(({ data }) => data)).toEqual([{}, { leads: [body.id] }, { leads: [other] }])
  })

  it.each([
    ['matched', 'PATCH', '/provider'],
    ['deleted', 'DELETE', ''],
    ['whose e-mails are sent again', 'POST', '/retry-email'],
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
    await told(dashboard, 'leads', id)
  })

  it('tells of a lead that is restored', async () => {
    const id = await createLead(database.db)
    await api.call('DELETE', `/api/leads/${id}`, undefined, staff)
    const dashboard = await openDashboard()
    await api.call('POST', `/api/leads/${id}/restore`, undefined, staff)
    await told(dashboard, 'leads', id)
  })

  it('tells of a new and of a changed application', async () => {
    const id = await createApplication(database.db)
    const dashboard = await openDashboard()
    await api.call('PATCH', `/api/provider-applications/${id}`, { status: 'approved' }, staff)
    await told(dashboard, 'applications', id)
    const { body } = await api.call('POST', '/api/provider-applications', applicationForm())
    await told(dashboard, 'applications', body.id)
  })

  it('tells of what a worker has done, all of it at once', async () => {
    const dashboard = await openDashboard()
    const announcer = createAnnouncer(database.db, LOG)
    for (const id of [7, 8, 7]) announcer.tell({ jobs: [id] })
    announcer.tell({ leads: [8] })
    await told(dashboard, 'jobs', 7)
    expect(dashboard.events().at(-1)).toEqual({ event: 'changes', data: { jobs: [7, 8], leads: [8] } })
  })

  it('tells of a finished sync', async () => {
    const dashboard = await openDashboard()
    await announce(database.db, { syncs: [3], providers: [1, 2] })
    await told(dashboard, 'syncs', 3)
  })

  it('says that there were many, when there were', async () => {
    const dashboard = await openDashboard()
    const ids = Array.from({ length: 10_000 }, (_, n) => n)
    await announce(database.db, { leads: ids })
    await told(dashboard, 'all')
    for (const id of ids.slice(0, 300)) api.events.publish({ leads: [id] })
    await waitFor('all of them', () => dashboard.events().filter(({ data }) => data.all).length === 2)
    expect(dashboard.events()).toHaveLength(3)
  })

  it('holds nothing about a person', async () => {
    const dashboard = await openDashboard()
    const person = { first_name: 'Canaryfirst', last_name: 'Canarylast', email: 'canary@secret.example' }
    const { body } = await api.call('POST', '/api/leads', leadForm({ ...person, phone: '(512) 555-0187' }))
    await told(dashboard, 'leads', body.id)
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
    await told(other, 'leads', id)
  })
})

describe('too many windows', () => {
  it('are told so, and one that is closed makes room', async () => {
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
})

// A process of its own, on a machine that may have other work.
describe('the API process', { timeout: 120_000 }, () => {
  const startApi = async (url: string) => {
    const port = await freePort()
    const api = await startProcess('api', rawEnv({ DATABASE_URL: url, PORT: String(port) }))
    onTestFinished(async () => {
      await api.kill('SIGKILL')
    })
    return { ...api, ...apiClient(`http://127.0.0.1:${port}`) }
  }

  it('ends its streams and itself at once when it is told to stop', async () => {
    const api = await startApi(database.url)
    const stream = await openEvents(api.url, staff)
    await waitFor('the first event', () => stream.events().length > 0)

    const started = performance.now()
    expect(await api.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    expect(performance.now() - started).toBeLessThan(5000)
    await waitFor('the end', stream.hasEnded)
  })

  it('tells everybody to read everything once it hears the database again', async () => {
    const gateway = await startPostgresGateway(database.url)
    onTestFinished(() => gateway.close())
    const api = await startApi(gateway.url)
    const stream = await openEvents(api.url, staff)
    // One for the stream, and perhaps one for the connection.
    await createLeadUntilTold(stream)

    gateway.block()
    const missed = await createLead(database.db)
    const before = stream.events().filter(({ event }) => event === 'resync').length
    gateway.unblock()
    await waitFor('a resync', () => stream.events().filter(({ event }) => event === 'resync').length > before)
    expect(stream.events().some(({ data }) => data.leads?.includes(missed))).toBe(false)
    expect(stream.hasEnded()).toBe(false)

    const next = await createLead(database.db)
    await told(stream, 'leads', next)
  })

  /** The process may be ready before it listens. */
  async function createLeadUntilTold(stream: Dashboard) {
    await waitFor('the API to listen', async () => {
      await createLead(database.db)
      return stream.events().some(({ data }) => data.leads)
    })
  }
})
