import { describe, expect, it } from 'vitest'
import { CALLS } from '../../api/routes/openapi.ts'
import type { StaffRole } from '../../core/staff/contract/staff.ts'
import { useApi } from '../support/api-server.ts'
import { ACCOUNT_PASSWORD, createLead, createProvider, signedInStaff, staffHeaders } from '../support/factories.ts'
import { found } from '../support/found.ts'

const { api, database } = useApi()
type Headers = { cookie: string }

const signedIn = (role: StaffRole = 'manager') => signedInStaff(database.db, { role })
const minutesPass = (minutes: number) =>
  database.db('staff_sessions').update({
    confirmed_at: database.db.raw(`confirmed_at - ? * interval '1 minute'`, [minutes]),
  })
const confirm = (headers: Headers, password: string) => api.call('POST', '/api/session/confirm', { password }, headers)

describe('a sensitive call', () => {
  const SENSITIVE = CALLS.filter(({ needsConfirmation }) => needsConfirmation)

  it('is each that changes accounts, exports, redirects contact data, or deletes permanently', () => {
    expect(SENSITIVE.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'DELETE /api/alerts/channels/:id',
      'DELETE /api/deleted-leads/:id',
      'DELETE /api/provider-applications/:id',
      'DELETE /api/providers/:providerId/people/:id',
      'DELETE /api/second-factor',
      'DELETE /api/shared-password',
      'GET /api/leads.csv',
      'GET /api/provider-applications.csv',
      'GET /api/providers.csv',
      'PATCH /api/alerts/channels/:id',
      'PATCH /api/staff/:id',
      'POST /api/alerts/channels',
      'POST /api/privacy/erase',
      'POST /api/privacy/find',
      'POST /api/provider-applications/:id/certify',
      'POST /api/providers/:providerId/activate',
      'POST /api/providers/:providerId/new-email',
      'POST /api/second-factor/recovery-codes',
      'POST /api/second-factor/totp',
      'POST /api/second-factor/totp/confirm',
      'POST /api/staff',
      'POST /api/staff/:id/reset',
      'POST /api/sync-runs/:id/approve',
    ])
  })

  it.each(SENSITIVE.map(({ method, path }) => [method, path.replace(/:\w+/g, '1')]))(
    'is refused to a stolen session: %s %s',
    async (method, path) => {
      const { headers } = await signedIn()
      await minutesPass(11)
      const { status, body } = await api.call(method, path, undefined, headers)
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'confirm_identity' })
    },
  )

  it('may be one only for what it changes: where people’s data go', async () => {
    const { headers } = await signedIn()
    const { id: providerId } = await createProvider(database.db)
    const leadId = await createLead(database.db)
    const call = async ([method, path, body]: Call) => {
      const answer = await api.call(method, path, body, headers)
      return answer.status < 300 ? 'done' : answer.body.code
    }
    type Call = [method: string, path: string, body: object]
    const lead = found(await database.db('leads').where('id', leadId).first('email', 'first_name'))
    const assigned = { action: 'assign-provider', providerId, ids: [leadId] }
    const redirects: Call[] = [
      ['PATCH', `/api/leads/${leadId}`, { email: 'thief@elsewhere.example' }],
      ['POST', '/api/leads/bulk', assigned],
    ]
    await minutesPass(11)
    for (const redirect of redirects)
      expect([redirect[1], await call(redirect)]).toEqual([redirect[1], 'confirm_identity'])
    expect(await database.db('leads').where('id', leadId).first('email', 'provider_id')).toMatchObject({
      email: lead.email,
    })

    // What redirects nothing is everyday work, also with the same values.
    expect(await call(['PATCH', `/api/leads/${leadId}`, { email: lead.email, first_name: 'Sam' }])).toBe('done')
    expect(await call(['POST', '/api/leads/bulk', { action: 'retry-email', ids: [leadId] }])).toBe('done')

    expect((await confirm(headers, ACCOUNT_PASSWORD)).status).toBe(200)
    for (const redirect of redirects) expect([redirect[1], await call(redirect)]).toEqual([redirect[1], 'done'])
  })

  it('is done within ten minutes of signing in, and after one’s password again', async () => {
    const { headers } = await signedIn()
    const exported = async () => (await api.call('GET', '/api/leads.csv', undefined, headers)).status
    await minutesPass(9)
    expect(await exported()).toBe(200)
    await minutesPass(2)
    expect(await exported()).toBe(403)

    expect(await confirm(headers, 'wrong')).toMatchObject({
      status: 422,
      body: { fields: { password: 'Invalid password' } },
    })
    expect(await exported()).toBe(403)
    expect((await confirm(headers, ACCOUNT_PASSWORD)).status).toBe(200)
    expect(await exported()).toBe(200)
  })
})

describe('POST /api/session/confirm', () => {
  it('cannot be used to guess the password', async () => {
    const { headers } = await signedIn()
    for (let n = 0; n < 10; n++) await confirm(headers, 'wrong')
    expect((await confirm(headers, ACCOUNT_PASSWORD)).status).toBe(429)
  })

  it('takes the shared password from those who came in with it', async () => {
    const headers = await staffHeaders(database.db)
    await minutesPass(11)
    expect((await confirm(headers, ACCOUNT_PASSWORD)).status).toBe(422)
    expect((await confirm(headers, 'a password for tests')).status).toBe(200)
    expect((await api.call('GET', '/api/session', undefined, headers)).body.identity_confirmed).toBe(true)
  })
})
