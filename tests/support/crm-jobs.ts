import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { Changes } from '../../core/contract/events.ts'
import type { Db } from '../../core/platform/db.ts'
import { createLog } from '../../core/platform/log.ts'
import type { WorkerServices } from '../../worker/handlers/handler.ts'
import { createCrmSender } from '../../worker/senders/crm.ts'
import { createMailer } from '../../worker/senders/mailer.ts'
import { startCrmServer, type TestCrmServer } from './crm-server.ts'
import { useDatabase } from './database.ts'
import { CRM_SECRET, testEnv } from './env.ts'
import { createLead, createProvider, jobsOf } from './factories.ts'
import { HUBSPOT_TOKEN, startHubspot, type TestHubspot } from './hubspot-server.ts'
import { attempt } from './lead-jobs.ts'

export type CrmJobs = {
  db: Db
  hubspot: TestHubspot
  webhooks: TestCrmServer
  services: WorkerServices
  /** Makes one attempt at these jobs, together. */
  run(jobIds: string[], services?: Partial<WorkerServices>): Promise<Changes>
  /** From now on the CRM is a webhook, until the end of the test. */
  toWebhook(): void
  /** Makes leads of one provider. Returns their ids. */
  matchedLeads(count: number): Promise<number[]>
  /** The newest generation of a lead's job for the CRM. Columns as in the table. */
  // biome-ignore lint/suspicious/noExplicitAny: a row with every column
  jobOf(leadId: number, purpose?: string): Promise<any>
  jobIds(leadIds: number[]): Promise<string[]>
  // biome-ignore lint/suspicious/noExplicitAny: a row with every column
  lead(id: number): Promise<any>
}

/** A database, a HubSpot and a webhook for the tests of a file, with HubSpot as the CRM. All are empty for each test. */
export function useCrmJobs(): CrmJobs {
  const database = useDatabase()
  const crm = {} as CrmJobs

  const servicesWith = (settings: Record<string, string>): WorkerServices => {
    const env = testEnv(settings)
    const { db } = database
    const [log, stopping] = [createLog('test', 'silent'), new AbortController().signal]
    return { env, db, log, mailer: createMailer(env), crm: createCrmSender(env), stopping }
  }
  beforeAll(async () => {
    Object.assign(crm, { db: database.db, hubspot: await startHubspot(), webhooks: await startCrmServer() })
  })
  beforeEach(() => {
    const { url } = crm.hubspot
    crm.services = servicesWith({ CRM_KIND: 'hubspot', HUBSPOT_TOKEN, HUBSPOT_BASE_URL: url, HUBSPOT_RATE: '10000' })
  })
  afterEach(() => {
    const { hubspot, webhooks, services } = crm
    expect(hubspot.rejected).toEqual([])
    expect(webhooks.rejected).toEqual([])
    hubspot.reset()
    webhooks.events.length = 0
    services.crm?.close?.()
    services.mailer.close()
  })
  afterAll(async () => {
    await crm.hubspot.close()
    await crm.webhooks.close()
  })

  const jobOf = (leadId: number, purpose = 'created') =>
    jobsOf(database.db, leadId, { name: 'sync-crm', purpose }).orderBy('generation', 'desc').first()
  return Object.assign(crm, {
    run: (jobIds: string[], services = {}) => attempt(jobIds, { ...crm.services, ...services }),
    toWebhook() {
      const { url } = crm.webhooks
      crm.services = servicesWith({ CRM_KIND: 'webhook', CRM_WEBHOOK_URL: url, CRM_WEBHOOK_SECRET: CRM_SECRET })
    },
    async matchedLeads(count: number) {
      const { id: providerId } = await createProvider(database.db)
      const ids: number[] = []
      for (let lead = 0; lead < count; lead++) ids.push(await createLead(database.db, { providerId }))
      return ids
    },
    jobOf,
    jobIds: (leadIds: number[]) => Promise.all(leadIds.map(async (id) => (await jobOf(id))?.id as string)),
    lead: (id: number) => database.db('leads').where({ id }).first(),
  })
}
