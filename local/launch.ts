import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readSetting } from '../core/env.ts'
import { openDbToPrepare, prepareDatabase } from '../core/migrate.ts'
import { DEMO_PASSWORD } from '../core/settings/rules.ts'
import { buildProduct } from './build.ts'
import { startCrmStandIn } from './crm-stand-in.ts'
import { addDemoHistory } from './demo-history.ts'
import { addDemoProviders, DEMO_MICROSITE } from './demo-providers.ts'
import { readIfExists } from './files.ts'
import { keepRunning } from './keep-running.ts'
import { endLeftoverSite, type Launch, startSite } from './launch-site.ts'
import { startMailInbox } from './mail-inbox.ts'
import { freePort, isPortFree } from './ports.ts'
import { APP_ROLE, asApp, startPostgres } from './postgres.ts'
import { lockFolder, PlainError, type Service } from './process.ts'
import { hasRedis, startRedis } from './redis.ts'
import { checkSettings, childSettings, type Settings, sitePort, withoutEmpty } from './settings.ts'
import type { Terminal } from './terminal.ts'
import { startWordPressStandIn } from './wordpress-stand-in.ts'

/** The ports of the parts when they are free: next to the site's 3000, and the same at every start. */
const PORTS = { inbox: 3025, crm: 3026, smtp: 3027, postgres: 3028, redis: 3029, wordpress: 3030 }

/** The file with the address of the local database, for the commands that work on it. */
export const DATABASE_ADDRESS = 'database-url'

/**
 * Starts everything, in this order, and shows the addresses.
 * @throws SettingsError or PlainError when it cannot start; the caller then stops what has been started.
 */
export async function launch(options: Omit<Launch, 'given' | 'port' | 'step'>): Promise<void> {
  const { dataDir, dev, root, shutdown, terminal } = options
  const given = withoutEmpty(process.env)
  checkSettings(given)
  await shutdown.add(lockFolder(dataDir))
  await endLeftoverSite(dataDir)
  const port = await claimSitePort(given, dev)
  const step: Terminal['step'] = async (label, run) => {
    if (shutdown.isStopping) throw new PlainError('The start was interrupted.')
    return terminal.step(label, run)
  }
  const context: Launch = { ...options, given, port, step }

  terminal.print('')
  // Beside what PostgreSQL has to do.
  const building = dev ? undefined : buildProduct(root)
  building?.catch(() => {})
  const databaseUrl = given.DATABASE_URL ?? (await startDatabase(context))
  await prepare(context, databaseUrl)
  const redisUrl = given.REDIS_URL ?? (await startQueue(context))
  const portOf = (part: keyof typeof PORTS) => freePort(portBeside(port, PORTS[part]))
  const startInbox = async () =>
    startMailInbox({ dataDir, port: await portOf('inbox'), smtpPort: await portOf('smtp') })
  const inbox = given.SMTP_URL ? undefined : await startPart(context, 'mail inbox', startInbox)
  const crmSecret = given.CRM_WEBHOOK_SECRET ?? (await keptSecret(dataDir, 'crm-secret', 'whsec_'))
  const startCrm = async () => startCrmStandIn({ dataDir, secret: crmSecret, port: await portOf('crm') })
  const hasCrm = given.CRM_WEBHOOK_URL || (given.CRM_KIND ?? 'webhook') !== 'webhook'
  const crm = hasCrm ? undefined : await startPart(context, 'CRM stand-in', startCrm)
  // Only beside the local database: in any other its clinics would take real leads.
  const hasWordPress = given.DATABASE_URL || given.WORDPRESS_URL
  const startWordPress = async () => startWordPressStandIn({ port: await portOf('wordpress') })
  const wordpress = hasWordPress ? undefined : await startPart(context, 'WordPress stand-in', startWordPress)

  const settings = childSettings(given, {
    port,
    // BullMQ on PostgreSQL changes tables of its own at each start, so it needs the role that owns them.
    databaseUrl: given.DATABASE_URL || !redisUrl ? databaseUrl : asApp(databaseUrl),
    dataKey: await keptSecret(dataDir, 'data-key'),
    redisUrl,
    smtpUrl: inbox?.smtpUrl,
    crmUrl: crm?.webhookUrl,
    crmSecret: crm && crmSecret,
    wordpress,
  })
  if (building) {
    await step('Building the product', async (say) => {
      const seconds = await building
      say(seconds ? `Product built in ${seconds.toFixed(1)} s, most of it meanwhile` : 'Product is built already')
    })
  }
  await startSite(context, settings)
  const microsite = given.DATABASE_URL ? undefined : `http://${DEMO_MICROSITE}:${port}`
  showAddresses(context, settings, { microsite, inbox: inbox?.url, crm: crm?.url, wordpress: wordpress?.url })
}

/** @throws PlainError while another program has the port. */
async function claimSitePort(given: Settings, dev: boolean): Promise<number> {
  const port = sitePort(given)
  if (port === 0) return freePort()
  if (await isPortFree(port)) return port
  const command = `PORT=${await freePort(port + 1)} npm ${dev ? 'run dev' : 'start'}`
  throw new PlainError(
    `Port ${port} is taken by another program, or not allowed for this user. Use another: ${command}`,
  )
}

/** Returns the address of the database, as the role that owns it. */
async function startDatabase(launch: Launch): Promise<string> {
  return launch.step('Starting PostgreSQL', async (say) => {
    const folder = join(launch.dataDir, 'postgres')
    const server = await keepServer(launch, 'PostgreSQL', PORTS.postgres, (port) =>
      startPostgres({ dataDir: folder, port }),
    )
    const { dataDir: home, port } = server
    await writeFile(join(launch.dataDir, DATABASE_ADDRESS), server.url, { mode: 0o600 })
    say(
      `PostgreSQL on port ${port}${home === folder ? '' : `, with its data in ${home}, as this folder is closed to it`}`,
    )
    return server.url
  })
}

/** Demo data goes only into the local database: in any other its providers would take real leads. */
async function prepare({ step, given }: Launch, url: string): Promise<void> {
  const db = openDbToPrepare(url, { poolSize: 2, name: 'leadwell-start' })
  let isNew = false
  try {
    await step('Preparing the database', async (say) => {
      const appRole = given.DATABASE_URL ? undefined : APP_ROLE
      const { migrations, zips } = await prepareDatabase(db, readSetting('NETWORK_TIME_ZONE', given), appRole)
      const applied = migrations.length ? ', schema brought up to date' : ''
      say(`Database ready: ${zips.toLocaleString('en-US')} zip codes${applied}`)
    })
    await step('Adding demo providers', async (say) => {
      if (given.DATABASE_URL) return say('No demo providers in your own database (npm run seed:demo adds them)')
      const added = await addDemoProviders(db)
      say(added ? `${added} demo providers added` : 'Providers are there already')
      // Only once: deleted history stays deleted.
      isNew = added > 0
    })
    if (isNew) {
      await step('Adding demo leads', async (say) => {
        const leads = await addDemoHistory(db, { timeZone: readSetting('NETWORK_TIME_ZONE', given) })
        say(`${leads} made-up leads of two months added (npm run seed:demo -- --delete removes them)`)
      })
    }
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    throw new PlainError(`The database could not be prepared: ${message || code}`)
  } finally {
    await db.destroy()
  }
}

/** Starts the queue's Redis. Returns undefined without redis-server: BullMQ then runs on the database. */
async function startQueue(launch: Launch): Promise<string | undefined> {
  return launch.step('Starting the queue', async (say) => {
    if (!hasRedis()) {
      say('Queue on PostgreSQL, as there is no redis-server on the PATH')
      return undefined
    }
    const server = await keepServer(launch, 'Redis', PORTS.redis, async (port) => {
      const redis = await startRedis({ dataDir: join(launch.dataDir, 'redis'), port })
      if (!redis) throw new PlainError('redis-server is no longer on the PATH.')
      return redis
    })
    say(`Queue on Redis, port ${server.port}`)
    return server.url
  })
}

/** Keeps a server running, always on the same port. */
async function keepServer<S extends Service & { port: number }>(
  { port: site, shutdown, terminal }: Launch,
  name: string,
  wanted: number,
  start: (port: number) => Promise<S>,
): Promise<S> {
  let port = portBeside(site, wanted)
  const startOnPort = async () => {
    const server = await start(port)
    port = server.port
    return server
  }
  const kept = await keepRunning(startOnPort, { name, warn: terminal.warn, maxFirstTries: 1 })
  await shutdown.add(kept.stop, kept.kill)
  return kept.first
}

/** Starts a part that runs in this process, and remembers how to stop it. */
function startPart<P extends { stop(): Promise<void> }>(
  { step, shutdown }: Launch,
  name: string,
  start: () => Promise<P>,
): Promise<P> {
  return step(`Starting the ${name}`, async (say) => {
    const part = await start()
    await shutdown.add(part.stop)
    say(`${name.charAt(0).toUpperCase()}${name.slice(1)}`)
    return part
  })
}

/** Returns a secret that is made once and kept, because what is signed before a restart must be valid after it. */
async function keptSecret(dataDir: string, name: string, prefix = ''): Promise<string> {
  const file = join(dataDir, name)
  const known = readIfExists(file)
  if (known) return known
  const secret = `${prefix}${randomBytes(32).toString('base64')}`
  await writeFile(file, secret, { mode: 0o600 })
  return secret
}

/** Returns the wanted port of a part, or 0 (any) when the site has it. */
function portBeside(sitePort: number, wanted: number): number {
  return wanted === sitePort ? 0 : wanted
}

function showAddresses(
  { dataDir, terminal }: Launch,
  settings: Settings,
  local: { microsite?: string; inbox?: string; crm?: string; wordpress?: string },
): void {
  const site = settings.PUBLIC_URL as string
  const isOpen = settings.ADMIN_ACCESS === 'open'
  const own = settings.ADMIN_PASSWORD ? 'your ADMIN_PASSWORD' : 'an account: npm run staff -- --help'
  const password = settings.ADMIN_PASSWORD === DEMO_PASSWORD ? `password: ${DEMO_PASSWORD}` : own
  const rows: [string, string | undefined, string?][] = [
    ['Site', site],
    ['Microsite', local.microsite, "one of the demo's clinics"],
    ['Map', `${site}/map`],
    ['Clinics', `${site}/clinics`, 'where clinics apply to join'],
    ['Admin', `${site}/admin`, isOpen ? 'no password in the demo' : password],
    ['Staff', `${site}/getmpx`, password],
    ['API docs', `${site}/api/openapi.json`],
    ['Mail inbox', local.inbox, 'every email that the demo sends'],
    ['CRM', local.crm, 'every lead that the CRM has received'],
    ['WordPress', local.wordpress, 'the clinics that “Sync Providers” reads'],
  ]
  terminal.table(rows.filter((row): row is [string, string, string?] => row[1] !== undefined))
  terminal.print(`  Data and logs are in ${dataDir}. Ctrl-C stops everything.\n`)
}
