import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../local/ports.ts'
import { apiClient } from '../support/api-client.ts'
import { useDatabase } from '../support/database.ts'
import { rawEnv } from '../support/env.ts'
import { type EventStream, notified, openEvents } from '../support/event-stream.ts'
import { createLead, staffHeaders } from '../support/factories.ts'
import { startPostgresGateway } from '../support/postgres-gateway.ts'
import { startProcess } from '../support/processes.ts'
import { waitFor } from '../support/wait.ts'

const database = useDatabase()
let staff: { cookie: string }
beforeEach(async () => {
  staff = await staffHeaders(database.db)
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
    await notified(stream, 'leads', next)
  })

  /** The process may be ready before it listens. */
  async function createLeadUntilTold(stream: EventStream) {
    await waitFor('the API to listen', async () => {
      await createLead(database.db)
      return stream.events().some(({ data }) => data.leads)
    })
  }
})
