import { beforeEach, describe, expect, it } from 'vitest'
import type { StaffRole } from '../../core/contract/staff.ts'
import { useApi } from '../support/api-server.ts'
import { createApplication, createLead, createStaff, leadForm, staffHeaders } from '../support/factories.ts'

const { api, database } = useApi()

const form = leadForm({ email: 'jordan.avery@visitors.example', phone: '(512) 555-0142' })
const SECRETS = /jordan\.avery|555-0142|5550142|203\.0\.113\.7/
let lead: number

const headers = async (role: StaffRole) => staffHeaders(database.db, (await createStaff(database.db, { role })).id)
const read = async (path: string, role: StaffRole) =>
  JSON.stringify((await api.call('GET', path, undefined, await headers(role))).body)

beforeEach(async () => {
  lead = await createLead(database.db, { form })
  const { email, phone } = form
  await createApplication(database.db, { form: { email, phone } })
  // The words of a mail server may name the person.
  await database.db('jobs').update({
    state: 'failed',
    finished_at: database.db.fn.now(),
    last_error: 'The mail server refused the e-mail.',
    last_cause: 'refused',
    last_detail: `550 <${email}>: no such user, call (512) 555-0142`,
  })
})

const PATHS = () => [
  '/api/leads',
  `/api/leads/${lead}`,
  `/api/leads/${lead}/jobs`,
  '/api/provider-applications',
  '/api/provider-applications/1/jobs',
]

describe('e-mails and phone numbers', () => {
  it('are masked for viewers, wherever they stand', async () => {
    for (const path of PATHS()) expect(await read(path, 'viewer'), path).not.toMatch(SECRETS)
    const list = JSON.parse(await read('/api/leads', 'viewer'))
    expect(list.leads[0]).toMatchObject({
      first_name: 'Jordan',
      email: 'j•••@v•••.example',
      phone: '••• 42',
      acceptance_ip: null,
    })
    const { consent, attribution } = JSON.parse(await read(`/api/leads/${lead}`, 'viewer'))
    expect([consent.ip, consent.user_agent, consent.page_url, attribution]).toEqual([null, null, null, {}])
    const { jobs } = JSON.parse(await read(`/api/leads/${lead}/jobs`, 'viewer'))
    expect(jobs[0].last_detail).toBe('550 <j•••@v•••.example>: no such user, call •••')
  })

  it('are masked among deleted leads, too', async () => {
    await api.call('DELETE', `/api/leads/${lead}`, undefined, await headers('manager'))
    expect(await read('/api/deleted-leads', 'viewer')).not.toMatch(SECRETS)
    expect(await read('/api/deleted-leads', 'agent')).toMatch(SECRETS)
  })

  it.each(['agent', 'manager'] as const)('are whole for an %s', async (role) => {
    for (const path of PATHS()) expect(await read(path, role), path).toMatch(SECRETS)
  })

  it('cannot be found out by searching, by viewers', async () => {
    const search = async (q: string, role: StaffRole = 'viewer') =>
      api.call('GET', `/api/leads?q=${encodeURIComponent(q)}`, undefined, await headers(role))
    for (const q of ['jordan.avery@v', '@', '512555', '(512) 555-0', '5 1 2 5 5 5']) {
      const { status, body } = await search(q)
      expect([status, body.error], q).toEqual([
        422,
        'You can search by name, clinic, place, zip code or lead number. Agents and managers can also search by e-mail and phone.',
      ])
    }
    expect((await search('Jordan')).body.total).toBe(1)
    expect((await search('78702')).body.total).toBe(1)
    expect((await search(`#${lead}`)).body.total).toBe(1)
    expect((await search('#1234567')).body.total).toBe(0)
    expect((await search('512555', 'agent')).body.total).toBe(1)
  })
})

describe('an agent', () => {
  it('reads, and changes nothing', async () => {
    const agent = await headers('agent')
    for (const [method, path] of [
      ['DELETE', `/api/leads/${lead}`],
      ['POST', `/api/leads/${lead}/retry-sync`],
      ['GET', '/api/leads.csv'],
      ['GET', '/api/staff'],
      ['GET', '/api/access-log'],
    ] as const) {
      expect((await api.call(method, path, method === 'GET' ? undefined : {}, agent)).status, path).toBe(403)
    }
  })
})
