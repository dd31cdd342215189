import { afterEach, describe, expect, it } from 'vitest'
import { CostSummary } from '../../core/contract/marketing-costs.ts'
import { useApi, useStaff } from '../support/api-server.ts'
import { createStaff, staffHeaders } from '../support/factories.ts'

const { api, database } = useApi()
const staff = useStaff(database)
afterEach(() => database.db('marketing_costs').delete())

const HEAD = 'date,source,campaign,cost\n'
const upload = (csv: string, headers: Record<string, string> = staff) =>
  api.call('POST', '/api/costs', { csv }, headers)
const get = async () => (await api.call('GET', '/api/costs', undefined, staff)).body

describe('POST /api/costs', () => {
  it('stores a file, and replaces what is stored of the same day, source and campaign', async () => {
    const { status, body } = await upload(`${HEAD}2026-11-01,Google,Fall,10\n2026-11-03,google,,5.50\n`)
    expect(status).toBe(200)
    expect(body).toEqual({ stored: 2, lines: 2, from: '2026-11-01', to: '2026-11-03', totalCents: 1550 })

    await upload(`${HEAD}2026-11-01,google,fall,20\n`)
    expect(CostSummary.strict().parse(await get())).toMatchObject({ lines: 2, totalCents: 2550 })
    const acts = await database.db('audit_log').where('entity', 'cost').orderBy('id').select('action', 'details')
    expect(acts).toEqual([
      { action: 'upload', details: { rows: 2 } },
      { action: 'upload', details: { rows: 1 } },
    ])
  })

  it('stores nothing while a line is wrong, and names it', async () => {
    const { status, body } = await upload(`${HEAD}2026-11-01,google,a,10\nyesterday,google,a,10\n2026-11-01,,a,1\n`)
    expect(status).toBe(422)
    expect(body).toMatchObject({
      error: 'Nothing was stored. Line 3: Write the date like 2026-11-23. 1 more line is wrong.',
      fields: { 'line 3': 'Write the date like 2026-11-23', 'line 4': 'The source is missing' },
    })
    expect(await get()).toEqual({ lines: 0, from: null, to: null, totalCents: 0 })
  })

  it('takes a file that is larger than other requests may be', async () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `2026-11-01,google,${'long '.repeat(10)}${index},1\n`)
    expect((await upload(HEAD + lines.join(''))).body).toMatchObject({ stored: 5000, totalCents: 500_000 })
    expect((await upload('x'.repeat(2_000_000))).status).toBe(413)
  })

  it('is for managers', async () => {
    const { id } = await createStaff(database.db, { role: 'viewer' })
    const viewer = await staffHeaders(database.db, id)
    expect((await upload(HEAD, viewer)).status).toBe(403)
    expect((await api.call('DELETE', '/api/costs', undefined, viewer)).status).toBe(403)
  })
})

describe('DELETE /api/costs', () => {
  it('deletes all of them', async () => {
    await upload(`${HEAD}2026-11-01,google,a,10\n`)
    const { body } = await api.call('DELETE', '/api/costs', undefined, staff)
    expect(body).toMatchObject({ lines: 0, totalCents: 0 })
  })
})

describe('GET /api/funnel', () => {
  it('answers for the asked days and those before, and refuses others with a sentence', async () => {
    const { status, body } = await api.call('GET', '/api/funnel?from=2026-03-02&to=2026-03-03', undefined, staff)
    expect(status).toBe(200)
    expect(body).toMatchObject({ from: '2026-03-02', before: { from: '2026-02-28', to: '2026-03-01' } })
    const refused = await api.call('GET', '/api/funnel?from=2026-03-02&to=2026-03-01', undefined, staff)
    expect([refused.status, refused.body.code]).toEqual([422, 'invalid'])
  })
})
