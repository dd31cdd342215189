import type { NewSendingPause, SendingId, SendingPause } from '../../conditions/contract/integrations.ts'
import { type Db, only, queryRows, type Transaction } from '../../platform/db.ts'
import type { Row, RowWith } from '../../tables/table.ts'

/** The kind of job that is sent to each integration. */
export const JOB_OF = { crm: 'sync-crm', mail: 'send-email' } as const satisfies Record<SendingId, string>

/** SQL for a pause that lasts. One of the breaker lasts until a probe is answered. */
const IS_OPEN = `ended_at is null and (kind = 'breaker' or until > now())`
const NAME = `case integration when 'crm' then '${JOB_OF.crm}' else '${JOB_OF.mail}' end`

/** SQL for whether anything is paused. PostgreSQL reads it once for a statement. */
export const ANY_OPEN = `exists (select from sending_pauses where ${IS_OPEN})`
/** SQL for the kinds of jobs whose sending is paused, and for the probes among them, as arrays. Each is read once for a statement. */
export const HELD_KINDS = `array(select ${NAME} from sending_pauses where ${IS_OPEN})`
export const PROBES = `array(select probe_job_id from sending_pauses where ${IS_OPEN} and probe_job_id is not null)`
/** SQL for a row of `jobs` that must not be attempted now, because sending is paused and it is no probe. */
export const IS_HELD = `(jobs.name = any(${HELD_KINDS}) and jobs.id <> all(${PROBES}))`
/** SQL for the end of the pause that holds a row of `jobs`; null if none does. */
export const HELD_UNTIL = `(select max(until) from sending_pauses where ${IS_OPEN} and ${NAME} = jobs.name)`

/**
 * SQL for the time from which jobs of a kind may be attempted: the end of its latest pause, or when the probe of a breaker was let
 * through. A job waits for the workers no longer than since then. Null if nothing was paused.
 */
export const freeSince = (name: string) => `(
  select case when ${IS_OPEN} then probe_since else coalesce(ended_at, until) end from sending_pauses where ${NAME} = ${name}
)`

/** Lists the pauses that last. */
export async function list(db: Db): Promise<SendingPause[]> {
  const rows = await db('sending_pauses')
    .select<PauseRow[]>(...COLUMNS, db.raw(PAUSED_BY))
    .whereRaw(IS_OPEN)
    .orderBy('integration')
  return rows.map(present)
}

/** Finds the end of the latest pause of an integration. */
export async function findEnd(db: Db, integration: SendingId): Promise<Date | null> {
  const last = await db('sending_pauses').where({ integration }).first('ended_at', 'until')
  return last ? (last.ended_at ?? last.until) : null
}

/** Finds the latest pause of an integration, whether or not it lasts, and locks it. Returns null if there was none. */
export async function lock(trx: Transaction, integration: SendingId): Promise<LockedPause | null> {
  // The row of an integration that was never paused cannot be locked.
  await trx.raw(`select pg_advisory_xact_lock(hashtext('sending ' || ?))`, [integration])
  const [row] = await queryRows<LockedPause>(
    trx,
    `select *, (${IS_OPEN}) as "isOpen", until <= now() as "isDue" from sending_pauses where integration = ?`,
    [integration],
  )
  return row ?? null
}

/** `isDue`: its end has come. */
export type LockedPause = Row<'sending_pauses'> & { isOpen: boolean; isDue: boolean }

type Opened = Omit<NewSendingPause, 'until'> & {
  kind: SendingPause['kind']
  actor: string
  trips?: number
  /** An ISO time, or milliseconds from now. */
  until: string | number
}

/** Pauses an integration. Replaces its latest pause. */
export async function open(trx: Transaction, { integration, kind, reason, actor, ...pause }: Opened) {
  const until = typeof pause.until === 'number' ? trx.raw(`now() + ? * interval '1 ms'`, [pause.until]) : pause.until
  const row = {
    ...{ integration, kind, reason, until, paused_by: actor, paused_at: trx.fn.now() },
    ...{ ended_at: null, trips: pause.trips ?? 0, probe_job_id: null, probe_since: null },
  }
  await trx('sending_pauses').insert(row).onConflict('integration').merge()
  const [opened] = await trx('sending_pauses')
    .select<PauseRow[]>(...COLUMNS, trx.raw(PAUSED_BY))
    .where({ integration })
  return present(only(opened ? [opened] : []))
}

/** Opens a breaker again for `pause` milliseconds, after a probe that failed. */
export async function reopen(
  trx: Transaction,
  integration: SendingId,
  { trips, pause }: { trips: number; pause: number },
) {
  await trx('sending_pauses')
    .where({ integration })
    .update({
      ...{ trips, until: trx.raw(`now() + ? * interval '1 ms'`, [pause]) },
      ...{ probe_job_id: null, probe_since: null },
    })
}

/** Ends the pause of an integration. What waited is due at once: the caller wakes the relay. */
export async function end(trx: Transaction, integration: SendingId): Promise<void> {
  await trx('sending_pauses')
    .where({ integration })
    .update({ ended_at: trx.fn.now(), probe_job_id: null, probe_since: null })
}

/** Lets the oldest due delivery through a breaker, as a probe. Returns its id, or null if none is due. */
export async function chooseProbe(trx: Transaction, integration: SendingId): Promise<string | null> {
  const [row] = await queryRows<{ probe_job_id: string }>(
    trx,
    `update sending_pauses set probe_job_id = due.id, probe_since = clock_timestamp()
     from (
       select id from jobs where state = 'waiting' and name = :name and next_attempt_at <= now()
       order by next_attempt_at limit 1
     ) due
     where integration = :integration returning probe_job_id`,
    { integration, name: JOB_OF[integration] },
  )
  return row?.probe_job_id ?? null
}

/** Withdraws a probe that has given no answer. */
export async function withdrawProbe(trx: Transaction, integration: SendingId): Promise<void> {
  await trx('sending_pauses').where({ integration }).update({ probe_job_id: null, probe_since: null })
}

const COLUMNS = ['integration', 'kind', 'until', 'reason', 'paused_at', 'paused_by'] as const
const PAUSED_BY = '(select name from staff_accounts where lower(email) = lower(paused_by)) as paused_by_name'
type PauseRow = RowWith<'sending_pauses', (typeof COLUMNS)[number], Pick<SendingPause, 'paused_by_name'>>

function present({ until, paused_at, ...row }: PauseRow): SendingPause {
  return { ...row, until: until.toISOString(), paused_at: paused_at.toISOString() }
}
