import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readTimeZone } from '../core/env.ts'
import { openDbToPrepare, prepareDatabase } from '../core/migrate.ts'
import { type CrmStandIn, startCrmStandIn } from './crm-stand-in.ts'
import { addDemoProviders } from './demo-providers.ts'
import { keepRunning } from './keep-running.ts'
import { type MailInbox, startMailInbox } from './mail-inbox.ts'
import { PlainError } from './plain-error.ts'
import { freePort } from './ports.ts'
import { startPostgres } from './postgres.ts'
import { APP_ROLE } from './postgres-cluster.ts'
import { readIfExists } from './read-file.ts'
import { hasRedis, startRedis } from './redis.ts'
import type { RunningProcesses } from './running-processes.ts'
import type { Shutdown } from './shutdown.ts'
import type { Terminal } from './terminal.ts'
import { startWordPressStandIn, type WordPressStandIn } from './wordpress-stand-in.ts'

/** Where the parts listen when nobody else does; next to the site's 3000, and the same at every start. */
const PORTS = { inbox: 3025, crm: 3026, smtp: 3027, postgres: 3028, redis: 3029, wordpress: 3030 }

/** What every part of the start has at hand. */
export interface Launch {
  /** The project's folder. */
  root: string
  /** Where everything is kept between runs. */
  dataDir: string
  /** The settings that were given, none of them empty. */
  given: Record<string, string | undefined>
  /** The site's port. */
  port: number
  dev: boolean
  verbose: boolean
  terminal: Terminal
  shutdown: Shutdown
  running: RunningProcesses
  /** As the terminal's, but nothing new begins once the end has come. */
  step: Terminal['step']
}

/** The database, ready for use. Returns its address, as the role that owns it. */
export async function startDatabase(launch: Launch): Promise<string> {
  const url = launch.given.DATABASE_URL ?? (await startOwnDatabase(launch))
  await prepare(launch, url)
  return url
}

async function startOwnDatabase({ step, terminal, shutdown, dataDir, port }: Launch): Promise<string> {
  return step('Starting PostgreSQL', async (say) => {
    let wanted = portBeside(port, PORTS.postgres)
    const folder = join(dataDir, 'postgres')
    const start = async () => {
      const server = await startPostgres({ dataDir: folder, port: wanted })
      wanted = server.port
      return server
    }
    const kept = await keepRunning(start, { name: 'PostgreSQL', warn: terminal.warn, firstTries: 1 })
    await shutdown.add(kept.stop, kept.kill)
    const { dataDir: home, port: used } = kept.first
    say(
      `PostgreSQL on port ${used}${home === folder ? '' : `, with its data in ${home}, as this folder is closed to it`}`,
    )
    return kept.first.url
  })
}

/** Demo providers go into our own database only: in somebody's real one they would take real leads. */
async function prepare({ step, given }: Launch, url: string): Promise<void> {
  const db = openDbToPrepare(url, { poolSize: 2, name: 'leadwell-start' })
  try {
    await step('Preparing the database', async (say) => {
      const { migrations, zips } = await prepareDatabase(
        db,
        readTimeZone(given),
        given.DATABASE_URL ? undefined : APP_ROLE,
      )
      const applied = migrations.length ? ', schema brought up to date' : ''
      say(`Database ready: ${zips.toLocaleString('en-US')} zip codes${applied}`)
    })
    await step('Adding demo providers', async (say) => {
      if (given.DATABASE_URL) return say('No demo providers in your own database (npm run seed:demo adds them)')
      const added = await addDemoProviders(db)
      say(added ? `${added} demo providers added` : 'Providers are there already')
    })
  } catch (error) {
    throw new PlainError(
      `The database could not be prepared: ${(error as Error).message || (error as NodeJS.ErrnoException).code}`,
    )
  } finally {
    await db.destroy()
  }
}

/** The queue's Redis. Returns undefined where there is none: BullMQ then runs on the database. */
export async function startQueue({ step, terminal, shutdown, dataDir, port }: Launch): Promise<string | undefined> {
  return step('Starting the queue', async (say) => {
    if (!hasRedis()) {
      say('Queue on PostgreSQL, as there is no redis-server on the PATH')
      return undefined
    }
    let wanted = portBeside(port, PORTS.redis)
    const start = async () => {
      const server = await startRedis({ dataDir: join(dataDir, 'redis'), port: wanted })
      if (!server) throw new PlainError('redis-server is no longer on the PATH.')
      wanted = server.port
      return server
    }
    const kept = await keepRunning(start, { name: 'Redis', warn: terminal.warn, firstTries: 1 })
    await shutdown.add(kept.stop, kept.kill)
    say(`Queue on Redis, port ${kept.first.port}`)
    return kept.first.url
  })
}

export async function startInbox({ step, shutdown, dataDir, port }: Launch): Promise<MailInbox> {
  return step('Starting the mail inbox', async (say) => {
    const inbox = await startMailInbox({
      dataDir,
      port: await freePort(portBeside(port, PORTS.inbox)),
      smtpPort: await freePort(portBeside(port, PORTS.smtp)),
    })
    await shutdown.add(inbox.stop)
    say('Mail inbox')
    return inbox
  })
}

export async function startCrm({
  step,
  shutdown,
  dataDir,
  port,
  given,
}: Launch): Promise<CrmStandIn & { secret: string }> {
  return step('Starting the CRM stand-in', async (say) => {
    const secret = given.CRM_WEBHOOK_SECRET ?? (await keptSecret(dataDir, 'crm-secret', 'whsec_'))
    const crm = await startCrmStandIn({ dataDir, secret, port: await freePort(portBeside(port, PORTS.crm)) })
    await shutdown.add(crm.stop)
    say('CRM stand-in')
    return { ...crm, secret }
  })
}

export async function startWordPress({ step, shutdown, port }: Launch): Promise<WordPressStandIn> {
  return step('Starting the WordPress stand-in', async (say) => {
    const wordpress = await startWordPressStandIn({ port: await freePort(portBeside(port, PORTS.wordpress)) })
    await shutdown.add(wordpress.stop)
    say('WordPress stand-in')
    return wordpress
  })
}

/** Makes a secret once and keeps it, because what is signed before a restart must be good after it. */
export async function keptSecret(dataDir: string, name: string, prefix = ''): Promise<string> {
  const file = join(dataDir, name)
  const known = await readIfExists(file)
  if (known) return known
  const secret = `${prefix}${randomBytes(32).toString('base64')}`
  await writeFile(file, secret, { mode: 0o600 })
  return secret
}

/** The port that a part would like, unless the site will have it. */
function portBeside(sitePort: number, wanted: number): number {
  return wanted === sitePort ? 0 : wanted
}
