import { type Db, queryRows } from '../../platform/db.ts'
import { JOB_NAMES, JOBS, type JobDefinition, type OwnerKind } from '../jobs.ts'

/** The conditions, without those on reports. A lead's job may name the run that made it. */
const OWNED_BY: Record<OwnerKind, string> = {
  lead: 'lead_id is not null and application_id is null and account_id is null',
  application: 'application_id is not null and lead_id is null and account_id is null',
  account: 'account_id is not null and lead_id is null and application_id is null',
  sync: 'sync_id is not null and lead_id is null and application_id is null and account_id is null',
  provider: `told_provider_id is not null and ${noRow()}`,
  report: `report_id is not null and told_provider_id is null and ${noRow()}`,
  none: `told_provider_id is null and ${noRow()}`,
}

function noRow(): string {
  return 'sync_id is null and lead_id is null and application_id is null and account_id is null'
}

/** The condition that a job belongs to a row of this kind. Only a report's job names a report. */
const conditionOf = (owner: OwnerKind) =>
  owner === 'report' ? `(${OWNED_BY.report})` : `(report_id is null and ${OWNED_BY[owner]})`

function ownersOf({ owners, ownerless }: JobDefinition): string {
  const withPurpose = (owner: OwnerKind) =>
    owner === 'none' && ownerless
      ? `(${conditionOf(owner)} and purpose in (${ownerless.map((purpose) => `'${purpose}'`).join(', ')}))`
      : conditionOf(owner)
  return owners.map(withPurpose).join(' or ')
}

/** The checks of the table `jobs` that the registry of job kinds decides, by the names of the constraints. */
const CHECKS = {
  jobs_name_check: `name in (${JOB_NAMES.map((name) => `'${name}'`).join(', ')})`,
  jobs_owner_check: `case name ${Object.values(JOBS)
    .map((job) => `when '${job.name}' then ${ownersOf(job)}`)
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
