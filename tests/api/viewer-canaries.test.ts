import { beforeEach, describe, expect, it } from 'vitest'
import { CALLS } from '../../api/routes/openapi.ts'
import type { Call } from '../../core/contract/call.ts'
import type { StaffRole } from '../../core/staff/contract/staff.ts'
import { useApi } from '../support/api-server.ts'
import {
  createApplication,
  createLead,
  createProvider,
  createStaff,
  createSyncRun,
  jobsOf,
  staffHeaders,
} from '../support/factories.ts'

const { api, database } = useApi()

/** What a viewer must not learn, in every spelling that is stored. */
const EMAIL = 'zanary.quill@lumen.example'
const PHONE = '(512) 555-0142'
const CORRECTED = { email: 'obsolete.quill@lumen.example', phone: '305-555-0188' }
const IPS = ['203.0.113.7', '198.51.100.9']
const STORED = [
  ...['zanary', 'obsolete', 'lumen', 'applicant.canary', 'tallow', '555-0142', '555.0142', '555-0188', '555 0166'],
  ...[...IPS, 'canary-page', 'canary-campaign-id'],
]
const CANARIES = [...STORED, '5550142', '5550188', '5550166']

const headers = async (role: StaffRole) => staffHeaders(database.db, (await createStaff(database.db, { role })).id)

type Rows = { lead: number; application: number; provider: number; job: string; run: number; bulk: string }
let rows: Rows

/** A lead and an application of which everything that can be stored is stored, each text with a canary. */
beforeEach(async () => {
  const { db } = database
  const words = `Write to ${EMAIL} or call ${PHONE}, 512.555.0142, +1 512/555 0142 or 5 1 2 5 5 5 0 1 4 2`
  const { id: provider } = await createProvider(db, { name: 'Dr. Known', practice_name: 'Known Clinic' })
  const lead = await createLead(db, { form: { email: EMAIL, phone: PHONE }, providerId: provider })
  const again = await createLead(db, { form: { first_name: 'Robin', email: EMAIL, phone: PHONE } })
  const held = await createLead(db, { form: { email: `x${EMAIL}`, phone: PHONE }, heldReason: 'odd_name' })
  const manager = await headers('manager')
  const act = async (method: string, path: string, body: unknown = {}) => {
    const answer = await api.call(method, path, body, manager)
    expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300)
    return answer.body
  }
  await db('leads')
    .where('id', lead)
    .update({
      acceptance_message: 'I agree',
      attribution: JSON.stringify({ last: { gclid: 'canary-campaign-id', landing_page: '/canary-page' } }),
    })
  await act('PATCH', `/api/leads/${lead}`, CORRECTED)
  await act('PATCH', `/api/leads/${lead}`, { email: EMAIL, phone: PHONE })
  await act('POST', `/api/leads/${lead}/notes`, { body: words })
  await act('PATCH', `/api/leads/${lead}/work`, { next_action: words })
  await act('POST', `/api/leads/${lead}/outcomes`, { kind: 'reached', note: words })
  await act('DELETE', `/api/leads/${again}`)

  const message = `We know ${EMAIL}. My own number is 512 555 0166, my mail applicant.canary@tallow.example`
  const form = { email: 'applicant.canary@tallow.example', phone: '512 555 0166', message }
  const application = await createApplication(db, { form })
  await act('POST', `/api/provider-applications/${application}/notes`, { text: words })

  // The words of other systems may name the person, as may those of staff.
  const failed = {
    last_error: `Refused: ${EMAIL}`,
    last_cause: 'refused',
    last_detail: `550 <${EMAIL}>: ${PHONE}`,
  } as const
  await db('jobs').update({
    state: 'failed',
    attempts: 1,
    finished_at: db.fn.now(),
    ...failed,
    result: JSON.stringify({ to: EMAIL, response: `250 ok ${PHONE}` }),
  })
  const job = (await jobsOf(db, lead, { name: 'send-email' }).first('id'))?.id ?? ''
  await jobsOf(db, lead, { name: 'sync-crm' }).update({ finished_at: db.raw(`now() - interval '2 hours'`) })
  await db('suppressions').insert({
    ...{ kind: 'email', hash: 'a'.repeat(64), reason: 'staff', lead_id: lead, actor: 'staff' },
    ...{ lifted_at: db.fn.now(), lifted_by: 'staff', lifted_because: words },
  })
  for (const [entity, id] of [
    ['lead', lead],
    ['provider', provider],
    ['lead', held],
  ] as const) {
    await db('audit_log').insert({
      ...{ actor: 'staff', action: 'edit', entity, entity_id: String(id), ip: IPS[1] },
      details: JSON.stringify({ because: words, nested: [{ q: EMAIL }] }),
    })
  }
  const run = await createSyncRun(db)
  rows = { lead, application, provider, job, run: run.id, bulk: '00000000-0000-4000-8000-000000000000' }
})

/** The row that a parameter of a path stands for. A new path has to be named here. */
const PARAMS: [path: RegExp, parameter: string, value: () => string | number][] = [
  [/^\/api\/leads\//, ':id', () => rows.lead],
  [/^\/api\/leads\//, ':jobId', () => rows.job],
  [/^\/api\/provider-applications\//, ':id', () => rows.application],
  [/^\/api\/providers\//, ':id', () => rows.provider],
  [/^\/api\/providers\//, ':providerId', () => rows.provider],
  [/^\/api\/providers\/domain\//, ':hostname', () => 'clinic.example'],
  [/^\/api\/sync-runs\//, ':id', () => rows.run],
  [/^\/api\/(bulk|exports)\//, ':id', () => rows.bulk],
  [/^\/api\/zip-codes\//, ':zip', () => '78701'],
]
const QUERIES: Record<string, () => string> = {
  '/api/places': () => '?q=austin',
}

function addressOf({ path }: Call): string {
  const filled = path.replace(/:\w+/g, (parameter) => {
    const known = PARAMS.find(([paths, name]) => paths.test(path) && name === parameter)
    if (!known) throw new Error(`Name a row for ${parameter} of ${path} in PARAMS, so that viewers are tried on it.`)
    return String(known[2]())
  })
  return filled + (QUERIES[path]?.() ?? '')
}

async function read(address: string, as: { cookie: string }): Promise<{ status: number; text: string }> {
  const ending = new AbortController()
  const response = await fetch(api.url + address, { headers: as, signal: ending.signal })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  const first = isStream ? await response.body?.getReader().read() : undefined
  const body = isStream ? new TextDecoder().decode(first?.value) : await response.text()
  ending.abort()
  return { status: response.status, text: `${body} ${JSON.stringify([...response.headers])}` }
}

const found = (text: string) => CANARIES.filter((canary) => text.toLowerCase().includes(canary.toLowerCase()))
const READS = CALLS.filter(({ method }) => method === 'GET')
const NEVER_FOUND = new Set(['/api/providers/domain/:hostname'])

describe('a viewer', () => {
  it('learns no contact detail, free text or address of a visit by any call that reads', async () => {
    const viewer = await headers('viewer')
    const wrong: unknown[] = []
    for (const call of READS) {
      const { status, text } = await read(addressOf(call), viewer)
      const expected = call.access === 'clinic' ? 401 : ['agent', 'manager'].includes(call.access) ? 403 : 200
      const isRight = status === expected || (NEVER_FOUND.has(call.path) && status === 404)
      if (!isRight || found(text).length > 0) wrong.push({ path: call.path, status, expected, found: found(text) })
    }
    expect(wrong).toEqual([])
  })

  it('is tried on rows that hold all of it, which an agent and a manager see', async () => {
    const [agent, manager] = [await headers('agent'), await headers('manager')]
    let seen = ''
    for (const call of READS.filter(({ access, type }) => access !== 'clinic' && type !== 'text/event-stream')) {
      for (const as of [agent, manager]) seen += (await read(addressOf(call), as)).text
    }
    expect(STORED.filter((canary) => !found(seen).includes(canary))).toEqual([])
  })

  it('finds nobody by a part of an email address or a phone number', async () => {
    const viewer = await headers('viewer')
    const tries = [
      'zan',
      'zanary',
      'quill',
      'lum',
      '512',
      '5125',
      '51255',
      '555',
      '5550',
      '0142',
      '512 55',
      '(512)',
      '5.1.2.5',
    ]
    for (const what of tries) {
      for (const q of [what, `#${rows.lead} ${what}`, `${what}.`, `Jordan ${what}`]) {
        const { status, body } = await api.call('GET', `/api/leads?q=${encodeURIComponent(q)}`, undefined, viewer)
        expect(status === 422 ? 0 : body.total, q).toBe(0)
      }
    }
    for (const q of ['Jordan', 'avery', '78702', `#${rows.lead}`, 'Known', 'Austin']) {
      const { body } = await api.call('GET', `/api/leads?q=${encodeURIComponent(q)}`, undefined, viewer)
      expect(body.total, q).toBeGreaterThan(0)
    }
  })
})

it('the audit log shows IP addresses to managers only', async () => {
  const ips = async (role: StaffRole) => {
    const { body } = await api.call('GET', '/api/audit-log', undefined, await headers(role))
    return body.lines.map(({ ip }: { ip: string | null }) => ip).filter((ip: string | null) => ip === IPS[1]).length
  }
  expect([await ips('viewer'), await ips('agent'), await ips('manager')]).toEqual([0, 0, 3])
})
