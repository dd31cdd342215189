import type { Db } from '../../core/platform/db.ts'
import { createLog } from '../../core/platform/log.ts'
import type { BulkReport } from '../../core/staff/contract/bulk.ts'
import type { WorkerServices } from '../../worker/handlers/handler.ts'
import { createMailer } from '../../worker/senders/mailer.ts'
import type { ApiClient } from './api-client.ts'
import { CRM, testEnv } from './env.ts'
import { attempt } from './lead-jobs.ts'

/** What a worker needs for bulk actions. It delivers nothing. */
export function bulkServices(db: Db, stopping = new AbortController().signal): WorkerServices {
  const env = testEnv(CRM)
  return { env, db, log: createLog('test', 'silent'), mailer: createMailer(env), crm: null, stopping }
}

/** Makes one attempt at a bulk action, as the worker does. A retry waits for deliveries that the test attempts. */
export async function runBulk(db: Db, id: string): Promise<void> {
  await attempt([id], bulkServices(db))
}

/** Starts a bulk action on leads by `POST /api/leads/bulk`, makes its attempt, and returns the report. */
export async function changeLeads(
  { api, database }: { api: ApiClient; database: { app: Db } },
  body: unknown,
  headers: Record<string, string>,
): Promise<BulkReport> {
  const { status, body: started } = await api.call('POST', '/api/leads/bulk', body, headers)
  if (status !== 202) throw new Error(`A bulk action was answered with ${status}: ${JSON.stringify(started)}`)
  await runBulk(database.app, started.id)
  return (await api.call('GET', `/api/bulk/${started.id}`, undefined, headers)).body.report
}
