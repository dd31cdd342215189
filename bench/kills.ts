import { openDb } from '../core/platform/db.ts'
import { apiClient } from '../tests/support/api-client.ts'
import { startCrmServer } from '../tests/support/crm-server.ts'
import { CRM_SECRET } from '../tests/support/env.ts'
import { createProvider } from '../tests/support/factories.ts'
import { type KillReport, killWorkers } from '../tests/support/kills.ts'
import { startSmtpServer } from '../tests/support/smtp-server.ts'
import { type BenchContext, defineBenchmark, percentile, print, startServer } from './support.ts'

const BACKENDS = ['Redis', 'PostgreSQL'] as const
const FULL = { leads: 2000, kills: 50, backends: BACKENDS.length }
/** In milliseconds: for the jobs of the last worker, and for a loss to show. */
const DELIVERY_TIMEOUT = 600_000

export const kills = defineBenchmark({
  measures:
    'Workers that are killed in the middle of their work, again and again, beside one that is not; fails when a delivery is lost.',
  needs: ['redis-server'],
  full: FULL,
  smoke: { leads: 20, kills: 1, backends: 1 },
  run,
})

async function run(context: BenchContext, { leads, kills, backends }: typeof FULL): Promise<void> {
  const rows: Record<string, Record<string, number | string>> = {}
  const losses: string[] = []
  for (const backend of BACKENDS.slice(0, backends)) {
    const calm = await deliver(onBackend(backend, context), leads, 0)
    const killed = await deliver(onBackend(backend, context), leads, kills)
    const ratio = (share: number) => (percentile(killed.delays, share) / percentile(calm.delays, share)).toFixed(1)
    rows[`queue on ${backend}`] = {
      leads: killed.leads,
      deliveries: killed.deliveries,
      kills,
      'in the middle': killed.interruptions,
      lost: killed.losses.length,
      'mails twice': killed.repeatedMails.length,
      'CRM calls twice': killed.repeatedCalls.length,
      'p50 delay, ratio': ratio(0.5),
      'p95 delay, ratio': ratio(0.95),
    }
    losses.push(...unexcused(calm, leads), ...unexcused(killed, leads))
  }
  print('Deliveries by workers that are killed (goal: none lost); delays as ratios to a worker that is not', rows)
  if (losses.length > 0) throw new Error(losses.slice(0, 20).join('; '))
}

function onBackend(backend: 'Redis' | 'PostgreSQL', context: BenchContext): BenchContext {
  if (backend === 'Redis') return context
  const { REDIS_URL, ...env } = context.env
  // Production refuses to do without Redis.
  return { ...context, env: { ...env, NODE_ENV: 'development' } }
}

function unexcused({ leads, losses, repeatedMails, unrecordedMails }: KillReport, sent: number): string[] {
  const excused = new Set(unrecordedMails)
  return [
    ...(leads === sent ? [] : [`${leads} of ${sent} leads are stored`]),
    ...losses.map((label) => `lost: ${label}`),
    ...repeatedMails.filter((label) => !excused.has(label)).map((label) => `sent again without need: ${label}`),
  ]
}

async function deliver({ env, createDatabase }: BenchContext, leads: number, kills: number): Promise<KillReport> {
  const DATABASE_URL = await createDatabase()
  const db = openDb(DATABASE_URL)
  await createProvider(db)
  const [smtp, crm] = await Promise.all([startSmtpServer(), startCrmServer()])
  const settings = {
    ...env,
    DATABASE_URL,
    SMTP_URL: smtp.url,
    CRM_KIND: 'webhook',
    CRM_WEBHOOK_URL: crm.url,
    CRM_WEBHOOK_SECRET: CRM_SECRET,
  }
  const api = await startServer('dist/api/main.js', settings)
  const workers: { stop(signal: 'SIGKILL'): Promise<void> }[] = []
  const startWorker = async () => {
    const worker = await startServer('dist/worker/main.js', settings)
    workers.push(worker)
    return { kill: worker.stop }
  }
  const size = { leads, kills, within: DELIVERY_TIMEOUT }
  const report = await killWorkers({ db, smtp, crm, startWorker }, apiClient(api.url), size)
  await Promise.all([api, ...workers].map((server) => server.stop('SIGKILL')))
  await Promise.all([smtp.close(), crm.close(), db.destroy()])
  return report
}
