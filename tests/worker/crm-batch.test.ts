import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createLog } from '../../core/log.ts'
import * as deletedLeads from '../../core/stores/deleted-leads.ts'
import * as leadActions from '../../core/stores/lead-actions.ts'
import type { WorkerServices } from '../../worker/handlers/handler.ts'
import { createLedger } from '../../worker/ledger.ts'
import { performBatch } from '../../worker/perform.ts'
import { createCrmSender } from '../../worker/senders/crm.ts'
import { createHubspotSender } from '../../worker/senders/hubspot.ts'
import { createMailer } from '../../worker/senders/mailer.ts'
import { startCrmServer, type TestCrmServer } from '../support/crm-server.ts'
import { emptyDatabase, useDatabase } from '../support/database.ts'
import { CRM_SECRET, testEnv } from '../support/env.ts'
import { createLead, createProvider } from '../support/factories.ts'
import { HUBSPOT_TOKEN, startHubspot, type TestHubspot } from '../support/hubspot-server.ts'

const STAFF = { actor: 'staff' }
const LOG = createLog('test', 'silent')

const database = useDatabase()
let hubspot: TestHubspot
let webhooks: TestCrmServer
let services: WorkerServices
beforeAll(async () => {
  hubspot = await startHubspot()
  webhooks = await startCrmServer()
})
beforeEach(() => {
  services = servicesWith({ CRM_KIND: 'hubspot', HUBSPOT_TOKEN, HUBSPOT_BASE_URL: hubspot.url, HUBSPOT_RATE: '10000' })
})
afterEach(async () => {
  expect(hubspot.rejected).toEqual([])
  expect(webhooks.rejected).toEqual([])
  hubspot.reset()
  webhooks.events.length = 0
  services.crm?.close?.()
  services.mailer.close()
  await emptyDatabase(database.db)
})
afterAll(async () => {
  await hubspot.close()
  await webhooks.close()
})

function servicesWith(settings: Record<string, string>): WorkerServices {
  const env = testEnv(settings)
  return {
    env,
    db: database.db,
    ledger: createLedger(database.db),
    mailer: createMailer(env),
    crm: createCrmSender(env),
  }
}
const toWebhook = () =>
  servicesWith({ CRM_KIND: 'webhook', CRM_WEBHOOK_URL: webhooks.url, CRM_WEBHOOK_SECRET: CRM_SECRET })

const matchedLeads = async (count: number) => {
  const { id: providerId } = await createProvider(database.db)
  const ids: number[] = []
  for (let lead = 0; lead < count; lead++) ids.push(await createLead(database.db, { providerId }))
  return ids
}
const jobOf = (leadId: number, purpose = 'created') =>
  database.db('jobs').where({ lead_id: leadId, name: 'sync-crm', purpose }).orderBy('generation', 'desc').first()
const jobIds = (leadIds: number[]) => Promise.all(leadIds.map(async (id) => (await jobOf(id)).id as string))
const lead = (id: number) => database.db('leads').where({ id }).first()
const attempts = (jobId: string) => database.db('job_attempts').where({ job_id: jobId })
const run = async (ids: string[]) => performBatch(ids, services, LOG)

describe('a batch of leads', () => {
  it('is one call to the CRM, and each lead has its own outcome, attempt and id', async () => {
    const ids = await matchedLeads(5)
    const jobs = await jobIds(ids)
    expect(await run(jobs)).toEqual({ jobs: expect.arrayContaining(ids) })

    expect(hubspot.calls.map((inputs) => inputs.length)).toEqual([5])
    for (const id of ids) {
      const { email, ...row } = await lead(id)
      expect(row).toMatchObject({
        crm_sync_status: 'success',
        crm_external_id: hubspot.contacts.get(email)?.id,
      })
      const job = await jobOf(id)
      expect(job).toMatchObject({ state: 'done', attempts: 1, result: { status: 200 } })
      expect(await attempts(job.id)).toMatchObject([{ outcome: 'done', status: 200, error: null }])
    }
  })

  it('that is taken in part is done for some and not for others', async () => {
    const [good, bad, later] = (await matchedLeads(3)) as [number, number, number]
    const { email: badEmail } = await lead(bad)
    const { email: laterEmail } = await lead(later)
    hubspot.refuse(({ id }) => {
      if (id === badEmail) return { category: 'VALIDATION_ERROR', message: `${badEmail} is invalid` }
      return id === laterEmail ? { category: 'INTERNAL_ERROR', message: 'Try again' } : undefined
    })
    await run(await jobIds([good, bad, later]))

    expect(await jobOf(good)).toMatchObject({ state: 'done', attempts: 1 })
    expect(await jobOf(bad)).toMatchObject({ state: 'failed', attempts: 1, result: { status: 207 } })
    expect(await jobOf(later)).toMatchObject({ state: 'waiting', attempts: 1 })
    expect((await jobOf(bad)).last_error).toContain('is invalid')
    expect([await lead(good), await lead(bad), await lead(later)].map((row) => row.crm_sync_status)).toEqual([
      'success',
      'failed',
      'pending',
    ])
  })

  it('whose new contact was made by another call meanwhile (CONFLICT) is done the next time', async () => {
    const [id] = (await matchedLeads(1)) as [number]
    hubspot.refuse(() => ({ category: 'CONFLICT', message: 'Contact already exists. Existing ID: 1' }))
    await run(await jobIds([id]))
    expect(await jobOf(id)).toMatchObject({ state: 'waiting', attempts: 1, result: { status: 207 } })

    hubspot.refuse(() => undefined)
    await run(await jobIds([id]))
    expect(await jobOf(id)).toMatchObject({ state: 'done', attempts: 2 })
  })

  it('that fails as a whole is tried again as a whole', async () => {
    const ids = await matchedLeads(3)
    hubspot.answer(() => ({ status: 503, headers: { 'retry-after': '900' } }))
    await run(await jobIds(ids))
    for (const id of ids) {
      const job = await jobOf(id)
      expect(job).toMatchObject({ state: 'waiting', attempts: 1, result: { status: 503 } })
      expect(job.next_attempt_at.getTime()).toBeGreaterThan(Date.now() + 800_000)
    }

    hubspot.answer(undefined)
    await run(await jobIds(ids))
    for (const id of ids) expect(await jobOf(id)).toMatchObject({ state: 'done', attempts: 2 })
  })

  it('leaves out what is settled, held, deleted or gone', async () => {
    const [told, done, deleted] = (await matchedLeads(3)) as [number, number, number]
    const [toldJob, doneJob, deletedJob] = (await jobIds([told, done, deleted])) as [string, string, string]
    await run([doneJob])
    await leadActions.remove(database.db, deleted, STAFF)
    hubspot.reset()
    const changes = await run([toldJob, doneJob, deletedJob, '00000000-0000-4000-8000-000000000000'])

    expect(changes).toEqual({ jobs: [told] })
    expect(hubspot.calls.map((inputs) => inputs.length)).toEqual([1])
    expect(await jobOf(deleted)).toMatchObject({ state: 'waiting', attempts: 0 })

    hubspot.reset()
    expect(await run([toldJob, doneJob])).toEqual({})
    expect(hubspot.calls).toEqual([])
  })

  it('leaves neither the visitor nor our token in the log, whatever the CRM says', async () => {
    const ids = await matchedLeads(2)
    const [{ email }, other] = await Promise.all(ids.map(lead))
    const lines: string[] = []
    const keep = (fields: object) => void lines.push(JSON.stringify(fields))
    const log = { info: keep, warn: keep } as unknown as typeof LOG
    const said = { message: `${email} and Bearer ${HUBSPOT_TOKEN} are bad`, category: 'VALIDATION_ERROR' }

    for (const status of [400, 401, 500]) {
      hubspot.answer(() => ({ status, body: said }))
      await performBatch(await jobIds(ids), services, log)
      await database.db('jobs').update({ state: 'waiting', finished_at: null })
    }
    hubspot.answer(undefined)
    hubspot.refuse(() => said)
    await performBatch(await jobIds(ids), services, log)

    expect(lines).toHaveLength(8)
    for (const secret of [email, other.email, HUBSPOT_TOKEN]) expect(lines.join()).not.toContain(secret)
    const ledger = await database.db('jobs').where('name', 'sync-crm')
    expect(JSON.stringify(ledger)).not.toContain(HUBSPOT_TOKEN)
  })

  it('goes to a webhook one by one, and one that fails stops no other', async () => {
    services = toWebhook()
    const ids = await matchedLeads(3)
    webhooks.answer(({ data }) => ({ status: data.lead.id === ids[1] ? 422 : 200 }))
    for (const job of await jobIds(ids)) await run([job])
    expect(await Promise.all(ids.map(async (id) => (await jobOf(id)).state))).toEqual(['done', 'failed', 'done'])
  })
})

describe('several leads of one person', () => {
  const EMAIL = 'twice@visitors.example'
  const leadOf = async (phone: string, email = EMAIL, options: { heldReason?: 'too_fast' } = {}) => {
    const id = await createLead(database.db, { form: { email, phone }, ...options })
    return { id, jobs: options.heldReason ? [] : await jobIds([id]) }
  }
  const phone = () => hubspot.contacts.get(EMAIL)?.properties.phone

  it('are one contact with what the newest says, also when an older one comes later', async () => {
    const mistyped = await leadOf('(512) 555-0100')
    hubspot.answer(() => ({ status: 503 }))
    await run(mistyped.jobs)
    hubspot.answer(undefined)
    const corrected = await leadOf('(512) 555-0101', 'Twice@Visitors.example')
    await run(corrected.jobs)
    await run(mistyped.jobs)

    expect(phone()).toBe('(512) 555-0101')
    expect(hubspot.calls).toHaveLength(3)
    for (const { id } of [mistyped, corrected]) {
      expect(await lead(id)).toMatchObject({
        crm_sync_status: 'success',
        crm_external_id: hubspot.contacts.get(EMAIL)?.id,
      })
    }
  })

  it('are read after the wait for a turn: what has changed meanwhile is told', async () => {
    const own = await startHubspot({ properties: ['email', 'phone', 'clinic'] })
    onTestFinished(() => own.close())
    const provider = await createProvider(database.db, { name: 'Dr. Late' })
    const older = await leadOf('(512) 555-0100')
    const crm = createHubspotSender({
      url: `${own.url}/crm/v3/objects/contacts/batch/upsert`,
      token: HUBSPOT_TOKEN,
      mapping: [
        { field: 'phone', property: 'phone' },
        { field: 'provider_name', property: 'clinic' },
      ],
      limit: {
        async take() {
          const { id } = await leadOf('(512) 555-0101')
          await leadActions.assignProvider(database.db, id, provider.id, STAFF)
        },
        pause: async () => {},
        close() {},
      },
    })
    await performBatch(older.jobs, { ...services, crm }, LOG)

    expect(own.contacts.get(EMAIL)?.properties).toEqual({ email: EMAIL, phone: '(512) 555-0101', clinic: 'Dr. Late' })
    expect(await lead(older.id)).toMatchObject({ crm_sync_status: 'success' })
  })

  it.each([false, true])(
    'of which the newest is refused: the next older one counts (as 400 for all: %s)',
    async (whole) => {
      const good = await leadOf('(512) 555-0100')
      const bad = await leadOf('(000) 000-0000')
      const others = await jobIds(await matchedLeads(2))
      const refused = { category: 'VALIDATION_ERROR', message: 'No such phone: (000) 000-0000' }
      hubspot.refuse(({ properties }) => (properties.phone === '(000) 000-0000' ? refused : undefined), { whole })
      await run([...good.jobs, ...bad.jobs, ...others])

      expect(await lead(bad.id)).toMatchObject({ crm_sync_status: 'failed' })
      expect(await jobOf(good.id)).toMatchObject({
        state: 'waiting',
        last_error: 'HubSpot refused what this person said in a newer lead. This one goes by itself next.',
      })
      await run(good.jobs)
      expect(await lead(good.id)).toMatchObject({ crm_sync_status: 'success' })
      expect(phone()).toBe('(512) 555-0100')
    },
  )

  it('of which the newest is held: the next older one counts', async () => {
    const { jobs } = await leadOf('(512) 555-0100')
    await leadOf('(512) 555-0101', EMAIL, { heldReason: 'too_fast' })
    await run(jobs)
    expect(phone()).toBe('(512) 555-0100')
  })

  it('that cannot be read are told later, and nobody is named', async () => {
    const rename = (from: string, to: string) =>
      database.db.raw(`alter function ${from}(text, text, text, text) rename to ${to}`)
    const { id, jobs } = await leadOf('(512) 555-0100')
    await rename('lead_words', 'away')
    await run(jobs).finally(() => rename('away', 'lead_words'))
    expect(hubspot.calls).toEqual([])
    const { state, last_error } = await jobOf(id)
    expect([state, last_error]).toEqual(['waiting', 'Our database could not be asked for the newest leads.'])
  })
})

describe('a lead that is deleted for good', () => {
  const purge = async (id: number) => {
    await leadActions.remove(database.db, id, STAFF)
    await database.db('deleted_leads').update({ deleted_at: new Date(0) })
    expect(await deletedLeads.purge(database.db)).toBe(1)
  }

  it('is told to a webhook that knows it, by its id alone', async () => {
    services = toWebhook()
    webhooks.answer({ status: 200 })
    const [id] = (await matchedLeads(1)) as [number]
    await run(await jobIds([id]))
    await purge(id)
    const job = await jobOf(id, 'deleted')
    expect(await database.db('jobs').where('lead_id', id)).toEqual([job])

    webhooks.answer({ status: 503 })
    await run([job.id])
    expect(await jobOf(id, 'deleted')).toMatchObject({ state: 'waiting', attempts: 1 })
    webhooks.answer({ status: 204 })
    await run([job.id])

    expect(await jobOf(id, 'deleted')).toMatchObject({ state: 'done', attempts: 2 })
    expect(webhooks.events.map(({ type }) => type)).toEqual(['lead.created', 'lead.deleted', 'lead.deleted'])
    expect(webhooks.events[2]).toMatchObject({ id: `msg_${job.id}`, data: { lead: { id } } })
    expect(Object.keys(webhooks.events[2]?.data.lead)).toEqual(['id'])
  })

  it('is told to nobody who never heard of it', async () => {
    const [id] = (await matchedLeads(1)) as [number]
    await purge(id)
    expect(await database.db('jobs')).toEqual([])
  })

  it('leaves its contact in HubSpot, and the ledger says so', async () => {
    const [id] = (await matchedLeads(1)) as [number]
    await run(await jobIds([id]))
    await purge(id)
    const { id: jobId } = await jobOf(id, 'deleted')
    await run([jobId])
    expect(await jobOf(id, 'deleted')).toMatchObject({
      state: 'cancelled',
      last_error: expect.stringContaining('HubSpot keeps its contact'),
    })
    expect(hubspot.contacts.size).toBe(1)
  })
})
