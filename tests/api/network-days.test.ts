import { expect, it, onTestFinished } from 'vitest'
import { startApiServer } from '../support/api-server.ts'
import { useDatabase } from '../support/database.ts'
import { createLead, staffHeaders } from '../support/factories.ts'

const NEW_YORK = 'America/New_York'
const database = useDatabase()

/** What the API of that time zone says of a lead that came on November 15 at 04:30 UTC. */
async function answers(timeZone: string) {
  const { db } = database
  const api = await startApiServer(db, { NETWORK_TIME_ZONE: timeZone })
  onTestFinished(() => api.close())
  await db('leads')
    .where({ id: await createLead(db) })
    .update({ created_at: '2026-11-15T04:30:00Z' })
  const staff = await staffHeaders(db)
  const get = async (path: string) => (await api.call('GET', path, undefined, staff)).body
  const found = async (query: string) => {
    const { leads, total } = await get(`/api/leads?${query}`)
    expect(leads).toHaveLength(total)
    return total
  }
  return { api, staff, get, found }
}

it.each([
  [NEW_YORK, '2026-11-14', '2026-11-14T23:30:00.000-05:00'],
  ['Pacific/Honolulu', '2026-11-14', '2026-11-14T18:30:00.000-10:00'],
  ['Asia/Kolkata', '2026-11-15', '2026-11-15T10:00:00.000+05:30'],
  ['UTC', '2026-11-15', '2026-11-15T04:30:00.000+00:00'],
])(
  'a lead of November 15, 04:30 UTC in %s came on %s, for every list, chart and export',
  async (timeZone, day, time) => {
    const { api, staff, get, found } = await answers(timeZone)
    const other = day === '2026-11-14' ? '2026-11-15' : '2026-11-14'

    expect(await get('/api/session')).toMatchObject({ time_zone: timeZone })
    // Listed and searched.
    for (const search of ['', '&q=avery', '&sort=name']) {
      expect([search, await found(`from=${day}&to=${day}${search}`)]).toEqual([search, 1])
      expect([search, await found(`from=${other}&to=${other}${search}`)]).toEqual([search, 0])
    }
    const { days } = await get('/api/overview?from=2026-11-14&to=2026-11-15')
    expect(days.find(({ received }: { received: number }) => received > 0)).toMatchObject({ day, received: 1 })

    const csv = await fetch(`${api.url}/api/leads.csv?from=${day}&to=${day}`, { headers: staff })
    expect((await csv.text()).split('\r\n')[1]).toContain(`,${time},`)
  },
)
