import { DEMO_PASSWORD } from '../core/settings/rules.ts'
import { DEMO_MICROSITE } from './demo-providers.ts'
import { lockFolder } from './folder-lock.ts'
import {
  keptSecret,
  type Launch,
  startCrm,
  startDatabase,
  startInbox,
  startQueue,
  startWordPress,
} from './launch-parts.ts'
import { startSite } from './launch-site.ts'
import { PlainError } from './plain-error.ts'
import { freePort, isPortFree } from './ports.ts'
import { asApp } from './postgres.ts'
import { RunningProcesses } from './running-processes.ts'
import { checkSettings, childSettings, localParts, sitePort, withoutEmpty } from './settings.ts'
import type { Terminal } from './terminal.ts'
import { buildWeb } from './web-build.ts'

/**
 * Brings up everything, in this order, and shows where it is.
 * @throws SettingsError or PlainError when something is in the way; the caller then stops what has been started.
 */
export async function launch(options: Omit<Launch, 'given' | 'port' | 'running' | 'step'>): Promise<void> {
  const { terminal, shutdown } = options
  const given = withoutEmpty(process.env)
  checkSettings(given)
  await shutdown.add(await lockFolder(options.dataDir))
  const running = new RunningProcesses(options.dataDir)
  await running.end()
  const port = await claimSitePort(given, options.dev)
  const step: Terminal['step'] = async (label, run) => {
    if (shutdown.isStopping) throw new PlainError('The start was interrupted.')
    return terminal.step(label, run)
  }
  const context: Launch = { ...options, given, port, running, step }

  terminal.print('')
  if (!options.dev) await build(context)
  const parts = localParts(given)
  const databaseUrl = await startDatabase(context)
  const redisUrl = parts.queue ? await startQueue(context) : given.REDIS_URL
  const inbox = parts.mail ? await startInbox(context) : undefined
  const crm = parts.crm ? await startCrm(context) : undefined
  const wordpress = parts.wordpress ? await startWordPress(context) : undefined

  const settings = childSettings(given, {
    port,
    // BullMQ on PostgreSQL changes tables of its own at each start, so it needs the role that owns them.
    databaseUrl: parts.database && redisUrl ? asApp(databaseUrl) : databaseUrl,
    dataKey: await keptSecret(context.dataDir, 'data-key'),
    redisUrl,
    smtpUrl: inbox?.smtpUrl,
    crmUrl: crm?.webhookUrl,
    crmSecret: crm?.secret,
    wordpress,
  })
  await startSite(context, settings)
  const microsite = parts.database ? `http://${DEMO_MICROSITE}:${port}` : undefined
  showAddresses(context, settings, { microsite, inbox: inbox?.url, crm: crm?.url, wordpress: wordpress?.url })
}

/** @throws PlainError while another program has the port. */
async function claimSitePort(given: Launch['given'], dev: boolean): Promise<number> {
  const port = sitePort(given)
  if (port === 0) return freePort()
  if (await isPortFree(port)) return port
  const command = `PORT=${await freePort(port + 1)} npm ${dev ? 'run dev' : 'start'}`
  throw new PlainError(
    `Port ${port} is taken by another program, or not allowed for this user. Use another: ${command}`,
  )
}

async function build({ root, step }: Launch): Promise<void> {
  await step('Building the web', async (say) => {
    const built = await buildWeb(root)
    say(built ? 'Web built' : 'Web is built already')
  })
}

function showAddresses(
  { dataDir, terminal }: Launch,
  settings: Launch['given'],
  local: { microsite?: string; inbox?: string; crm?: string; wordpress?: string },
): void {
  const site = settings.PUBLIC_URL as string
  const isOpen = settings.ADMIN_ACCESS === 'open'
  const own = settings.ADMIN_PASSWORD ? 'your ADMIN_PASSWORD' : 'an account: npm run staff -- --help'
  const password = settings.ADMIN_PASSWORD === DEMO_PASSWORD ? `password: ${DEMO_PASSWORD}` : own
  const rows: [string, string, string?][] = [
    ['Site', site],
    ['Map', `${site}/map`],
    ['Clinics', `${site}/clinics`, 'where clinics apply to join'],
    ['Admin', `${site}/admin`, isOpen ? 'no password in the demo' : password],
    ['Staff', `${site}/getmpx`, password],
    ['Queues', `${site}/admin/queues`],
    ['API docs', `${site}/api/openapi.json`],
  ]
  if (local.microsite) rows.splice(1, 0, ['Microsite', local.microsite, "one of the demo's clinics"])
  if (local.inbox) rows.push(['Mail inbox', local.inbox, 'every e-mail that the demo sends'])
  if (local.crm) rows.push(['CRM', local.crm, 'every lead that the CRM has received'])
  if (local.wordpress) rows.push(['WordPress', local.wordpress, 'the clinics that “Sync Providers” reads'])
  terminal.table(rows)
  terminal.print(`  Data and logs are in ${dataDir}. Ctrl-C stops everything.\n`)
}
