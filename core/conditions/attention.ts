import * as changes from '../deliveries/stores/changes.ts'
import { type Db, queryRows, type Transaction } from '../platform/db.ts'
import type { Actor } from '../staff/stores/audit-log.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import type { ConditionEnv } from './condition.ts'
import { countAttention, listAttention } from './conditions.ts'
import type { Attention, SetAside } from './contract/conditions.ts'

/** The time for which marks are kept, in days. What is still in trouble then returns. */
const MARKS_KEPT_DAYS = 366

/** Reads what needs the attention of staff, or what they have set aside. */
export async function readAttention(db: Db, env: ConditionEnv, { aside }: { aside: boolean }): Promise<Attention> {
  const [found, network] = await Promise.all([
    listAttention(db, { env, now: new Date(), aside }),
    db('network').first('quiet_since'),
  ])
  const quietSince = network?.quiet_since?.toISOString() ?? null
  return { ...found, quiet_since: found.total === 0 ? quietSince : null }
}

/** Records since when nothing needs attention. A time that is recorded already stays. Returns whether that has changed. */
export async function noteQuiet(db: Db, env: ConditionEnv): Promise<boolean> {
  const isQuiet = (await countAttention(db, { env, now: new Date() })) === 0
  const changed = await queryRows(
    db,
    `update network set quiet_since = case when :isQuiet then now() end
     where (quiet_since is null) = :isQuiet returning 1`,
    { isQuiet },
  )
  return changed.length > 0
}

/** Sets a line aside until a time, or until there is news. Also deletes marks that are too old. */
export async function setAside(db: Db, { key, version, until }: SetAside, { actor }: Actor): Promise<void> {
  await db.transaction(async (trx) => {
    await trx('attention_marks')
      .where('marked_at', '<', trx.raw(`now() - ? * interval '1 day'`, [MARKS_KEPT_DAYS]))
      .delete()
    await trx('attention_marks')
      .insert({ key, version, snoozed_until: until ?? null, marked_at: trx.fn.now(), marked_by: actor })
      .onConflict('key')
      .merge()
    await record(trx, { key, ...(until !== undefined && { until }) }, actor)
  })
}

/** Takes a line back. Does nothing if it was not set aside. */
export async function takeBack(db: Db, key: string, { actor }: Actor): Promise<void> {
  await db.transaction(async (trx) => {
    if ((await trx('attention_marks').where({ key }).delete()) > 0) await record(trx, { key, undone: true }, actor)
  })
}

async function record(
  trx: Transaction,
  details: { key: string; until?: string; undone?: true },
  actor: string,
): Promise<void> {
  const subject = Number(details.key.split(':').at(-1))
  const entityId = Number.isInteger(subject) ? subject : 'all'
  await auditLog.record(trx, { actor, action: 'set-aside', entity: 'attention', entityId, details })
  await changes.announce(trx, { attention: true })
}
