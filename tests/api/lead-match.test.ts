import { describe, expect, it } from 'vitest'
import { MatchCandidates } from '../../core/leads/contract/lead-changes.ts'
import { useApi } from '../support/api-server.ts'
import { changeLeads } from '../support/bulk.ts'
import { createLead, createProvider, leadForm, staffHeaders } from '../support/factories.ts'

const { api, database } = useApi()

const call = async (method: string, path: string, body?: unknown) =>
  api.call(method, path, body, await staffHeaders(database.db))
const candidates = async (id: number, query = '') => (await call('GET', `/api/leads/${id}/candidates${query}`)).body

describe('GET /api/leads/{id}/candidates', () => {
  it('has the ten nearest active clinics, with their places and distances', async () => {
    const id = await createLead(database.db, { form: leadForm({ zip_code: '78702' }) })
    for (let n = 0; n < 11; n++)
      await createProvider(database.db, { zip_code: '80202', latitude: 39.75, longitude: -104.99 })
    const near = await createProvider(database.db, { zip_code: '78701', latitude: 30.27, longitude: -97.74 })
    await createProvider(database.db, { zip_code: '78701', latitude: 30.27, longitude: -97.74, status: 'f' })
    const body = await candidates(id)
    expect(MatchCandidates.parse(body)).toEqual(body)
    expect(body.candidates).toHaveLength(10)
    expect(body.candidates[0]).toMatchObject({ id: near.id, zipCode: '78701', city: 'Austin', state: 'TX' })
    expect(body.candidates[0].miles).toBeLessThan(3)
    expect(body.candidates[9]).toMatchObject({ city: 'Denver' })
    expect(body.candidates[9].miles).toBeGreaterThan(700)
    expect(body.radiusMiles).toBe(100)
  })

  it.each([
    ['castellano', ['Dr. Omar Castellano']],
    ['VITALITY front', ['Dr. Omar Castellano']],
    ['denver', ['Dr. Omar Castellano']],
    ['8020', ['Dr. Omar Castellano']],
    ['nunez', ['Dr. Ana Núñez']],
    ['dr', ['Dr. Omar Castellano', 'Dr. Ana Núñez']],
    ['100%', []],
    ['_', []],
    ['\\', []],
  ])('finds a clinic by name, practice, city or zip: %s', async (q, names) => {
    await createProvider(database.db, {
      name: 'Dr. Omar Castellano',
      practice_name: 'Front Range Vitality',
      zip_code: '80202',
    })
    await createProvider(database.db, { name: 'Dr. Ana Núñez', practice_name: null, zip_code: '10001', status: 'f' })
    const { candidates: found } = await candidates(await createLead(database.db), `?q=${encodeURIComponent(q)}`)
    expect(found.map(({ name }: { name: string }) => name)).toEqual(names)
  })
})

it('undoing a match of one lead, and of several', async () => {
  const { id: providerId } = await createProvider(database.db)
  const ids = [await createLead(database.db), await createLead(database.db), await createLead(database.db)]
  for (const id of ids) await call('PATCH', `/api/leads/${id}/provider`, { providerId })
  expect(await call('POST', `/api/leads/${ids[0]}/undo-match`)).toMatchObject({
    status: 200,
    body: { success: true },
  })
  expect(
    await changeLeads({ api, database }, { action: 'undo-match', ids: ids.slice(1) }, await staffHeaders(database.db)),
  ).toEqual({
    succeeded: 2,
    failed: 0,
    waiting: 0,
    failures: [],
  })
  expect(await database.db('leads').pluck('provider_id')).toEqual([null, null, null])
})
