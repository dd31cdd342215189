import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { Ledger, SentEmail, SentPayload } from '../../core/deliveries/contract/jobs.ts'
import * as attempts from '../../core/deliveries/stores/attempts.ts'
import type { SentMessage } from '../../core/deliveries/stores/sent-messages.ts'
import type { StaffRole } from '../../core/staff/contract/staff.ts'
import { useApi, useStaff } from '../support/api-server.ts'
import { createLead, createProvider, createStaff, jobsOf, staffHeaders } from '../support/factories.ts'
import { found } from '../support/found.ts'
import { rawRequest } from '../support/raw-http.ts'

const { api, database } = useApi()
const manager = useStaff(database)

const EMAIL = {
  to: 'desk@clinics.example',
  subject: 'New consultation request',
  html: '<!DOCTYPE html><p style="color:red">Call jordan@visitors.example</p>',
  text: 'Call jordan@visitors.example',
}
const PAYLOAD = { type: 'lead.created', data: { lead: { email: 'jordan@visitors.example' } } }

let lead: number
let email: string
let crm: string

beforeEach(async () => {
  lead = await createLead(database.db, { providerId: (await createProvider(database.db)).id })
  email = await settled('send-email', 'provider', { email: EMAIL })
  crm = await settled('sync-crm', 'created', { payload: PAYLOAD })
})

/** Settles a job of the lead as a worker does. Returns its id. */
async function settled(name: 'send-email' | 'sync-crm', purpose: string, sent: SentMessage): Promise<string> {
  const { id } = found(await jobsOf(database.db, lead, { name, purpose }).first())
  const [attempt] = await attempts.begin(database.db, [id])
  const settlement = { state: 'done', result: {} } as const
  await database.db.transaction((trx) => attempts.settle(trx, [{ attempt: found(attempt), settlement, ms: 12, sent }]))
  return id
}
const as = async (role: StaffRole) => staffHeaders(database.db, (await createStaff(database.db, { role })).id)
const get = (path: string, headers: Record<string, string> = manager) => api.call('GET', path, undefined, headers)
const paths = (id = lead) => ({
  email: `/api/leads/${id}/emails/${email}`,
  html: `/api/leads/${id}/emails/${email}/html`,
  payload: `/api/leads/${id}/crm-payloads/${crm}`,
})

describe('what was sent about a lead', () => {
  it('is shown: the email, its HTML by itself, and the payload', async () => {
    const { html: _, ...envelope } = EMAIL
    const { body } = await get(paths().email)
    expect(SentEmail.strict().parse(body)).toEqual({ ...envelope, sent_at: expect.any(String) })
    const { body: payload } = await get(paths().payload)
    expect(SentPayload.strict().parse(payload)).toEqual({ payload: PAYLOAD, sent_at: expect.any(String) })
    const { jobs } = Ledger.parse((await get(`/api/leads/${lead}/jobs`)).body)
    expect(jobs.filter(({ has_copy }) => has_copy).map(({ id }) => id)).toEqual(expect.arrayContaining([email, crm]))
    expect(jobs.filter(({ has_copy }) => has_copy)).toHaveLength(2)
  })

  it('is in a frame of our own only, where it loads nothing but our pictures, runs nothing and leads nowhere', async () => {
    const { text, headers } = await rawRequest(api.url, { path: paths().html, headers: manager })
    expect(text).toBe(EMAIL.html)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['x-frame-options']).toBe('SAMEORIGIN')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['cache-control']).toBe('no-store')
    expect(String(headers['content-security-policy']).split('; ').toSorted()).toEqual([
      ...["base-uri 'none'", "default-src 'none'", "form-action 'none'", "frame-ancestors 'self'", "img-src 'self'"],
      'sandbox',
      "style-src 'unsafe-inline'",
    ])
  })

  it('is for those who see contact details; the payload is for managers', async () => {
    const statuses = async (role: StaffRole) => {
      const headers = await as(role)
      const answers = await Promise.all(Object.values(paths()).map((path) => get(path, headers)))
      return answers.map(({ status }) => status)
    }
    expect(await statuses('viewer')).toEqual([403, 403, 403])
    expect(await statuses('agent')).toEqual([200, 200, 403])
    expect(await statuses('manager')).toEqual([200, 200, 200])
  })

  it('is not found by another lead, another kind or another job, nor while its lead is deleted', async () => {
    const other = await createLead(database.db)
    const swapped = [`/api/leads/${lead}/emails/${crm}`, `/api/leads/${lead}/crm-payloads/${email}`]
    const none = [`/api/leads/${lead}/emails/${randomUUID()}`]
    for (const path of [...Object.values(paths(other)), ...swapped, ...none]) {
      expect(await get(path), path).toMatchObject({ status: 404, body: { error: 'No copy of this message is kept.' } })
    }
    await api.call('DELETE', `/api/leads/${lead}`, undefined, manager)
    for (const path of Object.values(paths())) expect((await get(path)).status, path).toBe(404)
  })

  it('is in the access log, once for each who looks at it', async () => {
    const agent = await as('agent')
    await get(paths().email, agent)
    await get(paths().email, agent)
    await get(paths().payload, await as('manager'))
    await api.writeReadings()
    const lines = await database.db('access_log').where({ entity: 'lead' }).orderBy('id').select('call', 'row_ids')
    expect(lines).toEqual([
      { call: 'GET /api/leads/:id/emails/:jobId', row_ids: [lead] },
      { call: 'GET /api/leads/:id/crm-payloads/:jobId', row_ids: [lead] },
    ])
  })

  it('is part of what a person may ask for, and of no export', async () => {
    const { email: contact } = found(await database.db('leads').where({ id: lead }).first())
    const { body } = await api.call('POST', '/api/privacy/find', { contact }, manager)
    expect(body.forms[0].messages).toEqual(
      expect.arrayContaining([
        { job_id: email, at: expect.any(String), content: EMAIL },
        { job_id: crm, at: expect.any(String), content: PAYLOAD },
      ]),
    )
    expect((await rawRequest(api.url, { path: '/api/leads.csv', headers: manager })).text).not.toContain('Call jordan')
  })
})
