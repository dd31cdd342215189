import { pathToFileURL } from 'node:url'
import { JOB_NAMES, JOBS, type JobDefinition } from './deliveries/jobs.ts'
import { readMigrateEnv } from './env.ts'
import { loadZipCodes } from './leads/stores/places.ts'
import { type Db, openDb, queryRows } from './platform/db.ts'
import { grantToApp, migrate, recordNeeds, roleOf } from './platform/migrations.ts'
import * as providerRules from './providers/stores/provider-rules.ts'
import { SettingsError } from './settings/read-settings.ts'

/**
 * Opens a pool for `prepareDatabase`, without a query timeout: changes of a table with a million leads, and waiting for
 * their locks, take long.
 */
export function openDbToPrepare(connectionString: string, options: { poolSize: number; name: string }): Db {
  return openDb(connectionString, { ...options, statementTimeout: 0 })
}

/**
 * Prepares a database for this version: its schema, the checks that the registry of job kinds decides, the table of zips, and the network's time zone.
 * Can be repeated at any time. Refuses a database that needs a newer release.
 * @param db a connection of the role that owns the tables
 * @param appRole the role of API and worker, if it is another one
 */
export async function prepareDatabase(
  db: Db,
  timeZone: string,
  appRole?: string,
): Promise<{ migrations: string[]; zips: number }> {
  const migrations = await migrate(db)
  await recordNeeds(db)
  await deriveJobChecks(db)
  if (appRole) await grantToApp(db, appRole)
  await providerRules.setTimeZone(db, timeZone)
  const zips = await loadZipCodes(db)
  return { migrations, zips }
}

function subjectsOf({ subjects, subjectless }: JobDefinition): string {
  const isNone = subjectless ? `subject_kind is null and purpose in (${listed(subjectless)})` : 'subject_kind is null'
  const kinds = subjects.filter((kind) => kind !== 'none')
  return [
    ...(kinds.length > 0 ? [`coalesce(subject_kind in (${listed(kinds)}), false)`] : []),
    ...(subjects.includes('none') ? [isNone] : []),
  ].join(' or ')
}

const listed = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ')

/** The checks of the table `jobs` that the registry of job kinds decides, by the names of the constraints. */
const CHECKS = {
  jobs_name_check: `name in (${listed(JOB_NAMES)})`,
  jobs_subject_check: `case name ${Object.values(JOBS)
    .map((job) => `when '${job.name}' then ${subjectsOf(job)}`)
    .join(' ')} end`,
}

/**
 * Makes the checks of `jobs` those of the registry. Does nothing where they are: each constraint has its condition as its
 * comment, because PostgreSQL stores conditions in its own words. `db` is a connection of the role that owns the table.
 */
export async function deriveJobChecks(db: Db): Promise<void> {
  const present = await queryRows<{ name: string; comment: string | null }>(
    db,
    `select conname as name, obj_description(oid, 'pg_constraint') as comment from pg_constraint
     where conrelid = 'jobs'::regclass and contype = 'c'`,
  )
  const commentOf = new Map(present.map(({ name, comment }) => [name, comment]))
  for (const [name, condition] of Object.entries(CHECKS)) {
    if (commentOf.get(name) === condition) continue
    // Not valid: new rows are checked, and those that there are need not be read.
    await db.raw(
      `alter table jobs drop constraint if exists ${name}, add constraint ${name} check (${condition}) not valid`,
    )
    await db.raw(`comment on constraint ${name} on jobs is '${condition.replaceAll("'", "''")}'`)
  }
}

async function main(): Promise<void> {
  const { NODE_ENV, DATABASE_URL, DATABASE_OWNER_URL = DATABASE_URL, NETWORK_TIME_ZONE } = readMigrateEnv()
  const [owner, app] = [roleOf(DATABASE_OWNER_URL), roleOf(DATABASE_URL)]
  const db = openDbToPrepare(DATABASE_OWNER_URL, { poolSize: 1, name: 'leadwell-migrate' })
  try {
    const { migrations, zips } = await prepareDatabase(db, NETWORK_TIME_ZONE, app === owner ? undefined : app)
    console.log(`Database ready: ${migrations.length} migrations applied, ${zips} zip codes.`)
    if (app === owner && NODE_ENV === 'production') {
      console.warn(
        'API and worker sign in as the role that owns the tables, so the audit log and the consents are not safe from them. docs/operations.md, "Two roles", says how to separate the roles.',
      )
    }
  } catch (error) {
    console.error(`The database could not be prepared: ${(error as Error).message}`)
    process.exitCode = 1
  } finally {
    await db.destroy()
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    await main()
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
