// The most urgent first, where the severity is the same.
import './leads.ts'
import './providers.ts'
import './deliveries.ts'
import './network.ts'
import { HOUR } from '../contract/time.ts'
import * as changes from '../deliveries/stores/changes.ts'
import * as sendingPauses from '../deliveries/stores/sending-pauses.ts'
import { type Db, only, queryRows } from '../platform/db.ts'
import type { Actor } from '../staff/stores/audit-log.ts'
import * as auditLog from '../staff/stores/audit-log.ts'
import { type Condition, type ConditionEnv, type Context, DEFINED, type Found } from './condition.ts'
import {
  type Attention,
  CONDITION_IDS,
  type ConditionId,
  type ConditionLine,
  conditionOf,
  MAX_LINES_PER_KIND,
  type SetAside,
} from './contract/conditions.ts'
import { FAILING } from './deliveries.ts'
import { SILENCE } from './rules/alerts.ts'
import * as alerts from './stores/alerts.ts'

/*
 * What is wrong at present. Each line comes from the rows that are in trouble, so it goes when the trouble does. Needs attention,
 * alerts, notices and the metric read these lines.
 */

const CONDITIONS = Object.fromEntries(DEFINED.map((one) => [one.id, one])) as Record<ConditionId, Condition<object>>

const idsWith = (has: 'act' | 'alerts' | 'isNotice') => CONDITION_IDS.filter((id) => conditionOf(id)[has] !== undefined)
const [IN_LIST, NOTICES] = [idsWith('act'), idsWith('isNotice')]
export const ALERTED = idsWith('alerts')

/** What fails for everybody, and is no line of Needs attention. */
const SYSTEM = CONDITION_IDS.filter((id) => conditionOf(id).severity === 'high' && conditionOf(id).act === undefined)

/** In milliseconds: deliveries that are retried automatically, and leads that are being matched, count after this time. */
const RETRIED_FOR = HOUR
/** The most lines of a condition that are alerted: more than that is one problem, not many. */
const MAX_FOUND = 500

/** SQL for a mark that still hides a line. */
const IS_ASIDE = 'mark.version >= line.version and (snoozed_until is null or snoozed_until > now())'

/** SQL for the lines of these conditions, whose `data` is null where the details say the rest. */
const withLines = (ids: ConditionId[]) => `
  with failing as materialized (${FAILING}), line as materialized (
    select line.*, mark.key is not null as is_aside,
      case when mark.key is not null then jsonb_build_object('until', snoozed_until, 'by', marked_by,
        'by_name', (select name from staff_accounts where lower(email) = lower(marked_by))) end as mark
    from (
      select * from jsonb_to_recordset(cast(:computed as jsonb)) as own (kind text, subject text, version bigint, since timestamptz, data jsonb)
      ${ids
        .map((id) => [id, CONDITIONS[id].find])
        .filter(([, find]) => typeof find === 'string')
        .map(
          ([
            id,
            find,
          ]) => `union all select '${id}', subject::text, floor(extract(epoch from newest) * 1000)::bigint, since, data
            from (${find}) own`,
        )
        .join(' ')}
    ) line
    left join attention_marks mark on mark.key = line.kind || ':' || line.subject and ${IS_ASIDE}
  )`

const DATA = `coalesce(data, case kind ${DEFINED.flatMap(({ id, details }) => (details ? `when '${id}' then (${details})` : [])).join(' ')} end)`

/** SQL for the lines of a condition, the newest first, as JSON. */
const linesWhere = (condition: string, most: string) => `
  (select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'subject', subject, 'version', version, 'since', since, 'mark', mark,
    'data', ${DATA}) order by version desc, subject), '[]') from (
      select *, row_number() over (partition by kind order by version desc, subject) as place
      from line where ${condition}
    ) shown where place <= ${most})`

/** Runs the conditions that the database alone cannot find, one after the other. Returns the bindings of `withLines`. */
async function bindingsOf(db: Db, ids: ConditionId[], context: Context) {
  const computed: (Found<object> & { kind: ConditionId })[] = []
  for (const kind of ids) {
    const { find } = CONDITIONS[kind]
    if (typeof find === 'function') computed.push(...(await find(db, context)).map((found) => ({ kind, ...found })))
  }
  return { computed: JSON.stringify(computed), retriedFor: RETRIED_FOR }
}

type Read = Found<object> & { kind: ConditionId; mark: ConditionLine['mark'] }
type Presented = ConditionLine & { subject: string; alert?: string }

/** Completes lines and puts them in words, the most urgent condition first. */
async function present(db: Db, found: Read[], context: Context): Promise<Presented[]> {
  const timeZone = context.env.NETWORK_TIME_ZONE
  const all: Presented[] = []
  for (const kind of CONDITION_IDS) {
    const own = found.filter((line) => line.kind === kind)
    const condition = CONDITIONS[kind]
    const data = own.map((line) => line.data)
    if (data.length > 0) await condition.complete?.(db, data, context)
    for (const { data, subject, version, mark, ...line } of own) {
      const since = isoOf(line.since)
      const until = mark?.until && isoOf(mark.until)
      all.push({
        ...{ kind, subject, key: `${kind}:${subject}`, version, since },
        mark: mark && { ...mark, until: until || null },
        ...condition.present(data, { since, timeZone }),
      })
    }
  }
  return all
}

/** JSON of PostgreSQL has times with an offset and microseconds. */
const isoOf = (time: string) => new Date(time).toISOString()

/** Lists the newest lines of Needs attention, those set aside or the others, and counts all; with the notices. */
export async function listAttention(
  db: Db,
  { aside, ...context }: Context & { aside: boolean },
): Promise<Omit<Attention, 'quiet_since' | 'pauses' | 'is_red'>> {
  const ids = [...new Set([...IN_LIST, ...NOTICES])]
  type Answer = {
    lines: Read[]
    notices: Read[]
    found: Partial<Record<ConditionId, number>>
    counts: Attention['counts']
    aside: number
  }
  const read = only(
    await queryRows<Answer>(
      db,
      `${withLines(ids)}
       select ${linesWhere('is_aside = :aside and kind = any(:listed)', String(MAX_LINES_PER_KIND))} as lines,
         ${linesWhere('kind = any(:notices)', '1')} as notices,
         (select coalesce(jsonb_object_agg(kind, lines), '{}') from (
           select kind, count(*) as lines from line group by kind
         ) counted) as found,
         (select coalesce(jsonb_object_agg(kind, lines), '{}') from (
           select kind, count(*) as lines from line where not is_aside and kind = any(:listed) group by kind
         ) counted) as counts,
         (select count(*)::integer from line where is_aside) as aside`,
      { ...(await bindingsOf(db, ids, context)), aside, listed: IN_LIST, notices: NOTICES },
    ),
  )
  const notices = await present(db, read.notices, context)
  const lines = await present(db, read.lines, context)
  const leadIds = lines.flatMap(({ leadId }) => leadId ?? [])
  const owners = await readOwners(db, leadIds)
  return {
    lines: lines.map(({ subject, alert, ...line }) =>
      line.leadId === undefined ? line : { ...line, owner: owners.get(line.leadId) ?? null },
    ),
    counts: read.counts,
    total: Object.values(read.counts).reduce((sum, lines) => sum + lines, 0),
    aside: read.aside,
    notices: notices.map(({ kind, title, words, search, open }) => ({
      ...{ kind, title, words, search, open },
      more: (read.found[kind] ?? 1) - 1,
    })),
  }
}

async function readOwners(db: Db, leadIds: number[]): Promise<Map<number, { id: number; name: string }>> {
  const rows = await queryRows<{ lead: number; id: number; name: string }>(
    db,
    `select lead_id as lead, staff_accounts.id, name from lead_work join staff_accounts on staff_accounts.id = owner_id
     where lead_id = any(?)`,
    [leadIds],
  )
  return new Map(rows.map(({ lead, ...owner }) => [lead, owner]))
}

export async function listFound(db: Db, ids: ConditionId[], context: Context): Promise<Presented[]> {
  const { lines } = only(
    await queryRows<{ lines: Read[] }>(
      db,
      `${withLines(ids)} select ${linesWhere('true', String(MAX_FOUND))} as lines`,
      await bindingsOf(db, ids, context),
    ),
  )
  return present(db, lines, context)
}

/** The time for which marks are kept, in days. What is still in trouble then returns. */
const MARKS_KEPT_DAYS = 366

export async function readAttention(db: Db, env: ConditionEnv, { aside }: { aside: boolean }): Promise<Attention> {
  const now = new Date()
  const [found, network, pauses, open] = await Promise.all([
    listAttention(db, { env, now, aside }),
    db('network').first('quiet_since', 'alerts_checked_at'),
    sendingPauses.list(db),
    alerts.countOpen(db),
  ])
  const quietSince = network?.quiet_since?.toISOString() ?? null
  const isSilent = now.getTime() - (network?.alerts_checked_at ?? now).getTime() > SILENCE
  return {
    ...{ ...found, pauses, quiet_since: found.total === 0 ? quietSince : null },
    is_red: isSilent || SYSTEM.some((id) => open.has(id)),
  }
}

/** Records since when nothing needs attention. A time that is recorded already stays. Returns whether that has changed. */
export async function noteQuiet(db: Db, env: ConditionEnv): Promise<boolean> {
  const changed = await queryRows(
    db,
    `${withLines(IN_LIST)}, attention as (select not exists (select from line where not is_aside) as is_quiet)
     update network set quiet_since = case when is_quiet then now() end
     from attention where (quiet_since is null) = is_quiet returning 1`,
    await bindingsOf(db, IN_LIST, { env, now: new Date() }),
  )
  return changed.length > 0
}

/** Sets lines aside until a time or until there is news, or takes them back. Also deletes marks that are too old. */
export async function setAside(db: Db, { lines, until, undo }: SetAside, { actor }: Actor): Promise<void> {
  await db.transaction(async (trx) => {
    await trx('attention_marks')
      .where('marked_at', '<', trx.raw(`now() - ? * interval '1 day'`, [MARKS_KEPT_DAYS]))
      .delete()
    for (const { key, version } of lines) {
      if (undo) {
        if ((await trx('attention_marks').where({ key }).delete()) === 0) continue
      } else {
        await trx('attention_marks')
          .insert({ key, version, snoozed_until: until ?? null, marked_at: trx.fn.now(), marked_by: actor })
          .onConflict('key')
          .merge()
      }
      const subject = Number(key.split(':').at(-1))
      await auditLog.record(trx, {
        ...{ actor, action: 'set-aside', entity: 'attention' },
        entityId: Number.isInteger(subject) ? subject : 'all',
        details: { key, ...(until !== undefined && { until }), ...(undo && { undone: true }) },
      })
    }
    await changes.announce(trx, { attention: true })
  })
}
