import { describe, expect, it } from 'vitest'
import { MAX_READS } from '../../api/access-log.ts'
import { only } from '../../core/platform/db.ts'
import { useApi } from '../support/api-server.ts'
import { createApplication, createLead, signedInStaff } from '../support/factories.ts'

const { api, database } = useApi({ TRUST_PROXY_HOPS: '1' })

type Headers = Record<string, string>
const accountHeaders = async (account: Record<string, string>) => (await signedInStaff(database.db, account)).headers
const read = (path: string, headers: Headers) =>
  api.call('GET', path, undefined, { 'x-forwarded-for': '198.51.100.20', ...headers })
async function lines(query = '') {
  await api.writeReadings()
  return (await read(`/api/access-log${query}`, await accountHeaders({ role: 'manager' }))).body.lines
}

describe('the access log', () => {
  it('has who opened, listed and searched leads, from where and by which session, and not what they searched for', async () => {
    const id = await createLead(database.db)
    const email = 'viewer@leadwell.example'
    const viewer = await accountHeaders({ role: 'agent', email })
    await read('/api/leads?unmatched=true&q=visitor%40visitors.example', viewer)
    await read(`/api/leads/${id}`, viewer)
    await read(`/api/leads/${id}/jobs`, viewer)

    const { id: sessionId } = only(await database.db('staff_sessions').select('id'))
    const line = { actor: email, ip: '198.51.100.20', session_id: sessionId, entity: 'lead' }
    expect(await lines(`?actor=${email}`)).toMatchObject([
      { ...line, call: 'GET /api/leads/:id/jobs', row_ids: [id], count: 1 },
      { ...line, call: 'GET /api/leads/:id', row_ids: [id], count: 1 },
      { ...line, call: 'GET /api/leads', filter: { unmatched: true, search: true } },
    ])
    expect(JSON.stringify(await database.db('access_log'))).not.toContain('visitors.example')
  })

  it('has who searched applications, and not what they searched for', async () => {
    const id = await createApplication(database.db, { form: { practice_name: 'Northside Wellness' } })
    const viewer = await accountHeaders({ role: 'viewer', email: 'search@leadwell.example' })
    expect((await read('/api/provider-applications?q=northside', viewer)).body).toMatchObject({
      applications: [{ id, practice_name: 'Northside Wellness', email: expect.stringContaining('•••') }],
      total: 1,
    })
    expect((await read('/api/provider-applications?q=%00', viewer)).status).toBe(422)
    expect(await lines('?actor=search@leadwell.example')).toMatchObject([
      { entity: 'application', row_ids: [id], filter: { search: true } },
    ])
    expect(JSON.stringify(await database.db('access_log'))).not.toContain('northside')
  })

  it('tells who has seen one lead, page by page of the lists that had it', async () => {
    const viewer = await accountHeaders({ role: 'viewer' })
    const ids = [await createLead(database.db), await createLead(database.db), await createLead(database.db)]
    await read('/api/leads?limit=1&page=1', viewer)
    await read('/api/leads?limit=1&page=2', viewer)

    expect(await lines(`?entity=lead&rowId=${ids[1]}`)).toMatchObject([{ row_ids: [ids[1]] }])
    expect(await lines(`?entity=lead&rowId=${ids[0]}`)).toEqual([])
  })

  it('has one line for a page that is read again and again within the hour', async () => {
    await createLead(database.db)
    const viewer = await accountHeaders({ role: 'viewer', email: 'again@leadwell.example' })
    for (let n = 0; n < 5; n++) await read('/api/leads', viewer)
    expect(await lines('?actor=again@leadwell.example')).toHaveLength(1)
  })
})

/** Notes rows that another process answered with. */
const readElsewhere = (actor: string, count: number) =>
  database.db('access_log').insert({
    actor,
    ip: '198.51.100.20',
    call: 'GET /api/leads',
    entity: 'lead',
    row_ids: Array.from({ length: count }, (_, n) => 100_000 + n),
  })

describe('a person who reads everything', () => {
  it('is stopped at the limit of the role, is told so, and the audit log has it once', async () => {
    const email = 'greedy@leadwell.example'
    const viewer = await accountHeaders({ role: 'viewer', email })
    // As if all but one of the rows had been read by another process.
    await readElsewhere(email, MAX_READS.viewer - 1)
    const [one, two] = [await createLead(database.db), await createLead(database.db)]

    expect((await read(`/api/leads/${one}`, viewer)).status).toBe(200)
    const refused = await read(`/api/leads/${two}`, viewer)
    expect([refused.status, refused.body.error]).toEqual([
      429,
      'You have opened 500 people’s details within an hour, which is the limit. Try again in 60 minutes.',
    ])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
    expect(refused.body).not.toHaveProperty('email')
    expect((await read('/api/leads', viewer)).status).toBe(429)
    // Access before stays readable.
    expect((await read(`/api/leads/${one}`, viewer)).status).toBe(200)
    expect(await database.db('audit_log').where('action', 'read-limit')).toMatchObject([
      { actor: email, details: { max: 500 } },
    ])
  })

  it('cannot pass the limit by asking for many rows at the same moment', async () => {
    const email = 'parallel@leadwell.example'
    const viewer = await accountHeaders({ role: 'viewer', email })
    await readElsewhere(email, MAX_READS.viewer - 2)
    const ids = []
    for (let n = 0; n < 20; n++) ids.push(await createLead(database.db))

    const answers = await Promise.all(ids.map((id) => read(`/api/leads/${id}`, viewer)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(18)
  })
})
