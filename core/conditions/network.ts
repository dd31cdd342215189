import { countOf } from '../contract/format.ts'
import { formatMoment } from '../dates.ts'
import * as answerClocks from '../leads/stores/answer-clocks.ts'
import { queryRows } from '../platform/db.ts'
import { businessTimeBetween } from '../providers/rules/business-hours.ts'
import { isOverdue } from '../sync/rules/sync-approval.ts'
import * as syncRuns from '../sync/stores/sync-runs.ts'
import { DAY, HOUR } from '../time.ts'
import { defineCondition, type Found, searchOf } from './condition.ts'
import { readSettings } from './stores/alerts.ts'

/** In milliseconds: more than the business hours that staff can choose. */
const MAX_QUIET = 120 * DAY

type SyncTrouble = { trouble: 'overdue' | 'failed' | 'approval'; runId: number | null; error: string | null }

export const sync = defineCondition<SyncTrouble>({
  async find(db, { env, now }) {
    const { current, lastSuccessAt, needsApproval } = await syncRuns.status(db)
    const runs = await queryRows<{ id: number; at: Date; error: string | null; state: string }>(
      db,
      `select id, finished_at as at, error, state from provider_syncs
       where id = :needsApproval::integer
         or id = (select max(id) from provider_syncs where not dry_run and finished_at is not null)`,
      { needsApproval },
    )
    const found: Found<SyncTrouble>[] = []
    const add = (trouble: SyncTrouble['trouble'], at: Date, run?: { id: number; error: string | null }) =>
      found.push({
        ...{ subject: run ? `${trouble}:${run.id}` : trouble, version: at.getTime(), since: at.toISOString() },
        data: { trouble, runId: run?.id ?? null, error: run?.error ?? null },
      })
    const approval = runs.find(({ id }) => id === needsApproval)
    const failed = runs.find(({ state }) => state === 'failed')
    const { WORDPRESS_URL: url, WORDPRESS_SYNC_CRON: schedule, NETWORK_TIME_ZONE: timeZone } = env
    if (approval) add('approval', approval.at, approval)
    // A sync that fails again and again becomes overdue, which is the same trouble.
    if (failed && current === null) add('failed', failed.at, failed)
    else if (url && schedule && lastSuccessAt && isOverdue(schedule, lastSuccessAt, now, timeZone))
      add('overdue', lastSuccessAt)
    return found
  },
  present({ trouble, runId, error }, { since, timeZone }) {
    const search = searchOf('providers', runId === null ? { syncs: 'true' } : { sync: runId })
    switch (trouble) {
      case 'overdue':
        return {
          title: 'Sync overdue',
          words: `The last successful sync ended on ${formatMoment(since, timeZone)}. Two scheduled ones were missed since then`,
          ...{ search, open: 'See the sync', alert: 'The sync of providers is overdue.' },
        }
      case 'failed':
        return {
          ...{ title: 'Sync failed', words: error ?? 'It has changed nothing', search, open: 'See the sync' },
          alert: `The newest sync of providers failed. ${error ?? ''}`.trim(),
        }
      case 'approval':
        return {
          ...{ title: 'Sync waits for approval', search, open: 'See the changes' },
          words: error ?? 'It would make sensitive changes, so it has changed nothing',
          alert: `Sync no. ${runId} waits for approval.`,
        }
    }
  },
})

export const oldLeads = defineCondition<{ leads: number; runId: number }>({
  find: `
    select run.id as subject, run.finished_at as newest, run.finished_at as since,
      jsonb_build_object('leads', count(*), 'runId', run.id) as data
    from provider_syncs run join leads on leads.id = any(run.old_leads)
    where run.old_leads <> '{}' and run.finished_at is not null and not dry_run
      and leads.provider_id is null and held_reason is null and not is_test
    group by run.id`,
  present({ leads, runId }) {
    const [have, are] = leads === 1 ? ['has', 'is'] : ['have', 'are']
    return {
      title: countOf(leads, 'lead'),
      words: `${have} a clinic in reach since a sync, and ${are} too old to be matched automatically`,
      ...{ search: searchOf('leads', { asked_by_sync: runId }), open: 'See the leads' },
    }
  },
})

/** Counts business hours of the network since the newest lead. A network that never had one misses none. */
export const noLeads = defineCondition<{ hours: number }>({
  async find(db, { usual, now }) {
    const newest = await db('leads').where('is_test', false).orderBy('created_at', 'desc').first('created_at')
    if (!newest || !usual) return []
    const { noLeadHours } = await readSettings(db)
    const calendar = await answerClocks.findOfNetwork(db, newest.created_at, usual)
    const at = newest.created_at.getTime()
    // A long quiet time must not cost more each day.
    const from = Math.max(at, now.getTime() - MAX_QUIET)
    if (businessTimeBetween(from, now.getTime(), calendar) < noLeadHours * HOUR) return []
    const since = newest.created_at.toISOString()
    return [{ subject: 'network', version: at, since, data: { hours: noLeadHours } }]
  },
  present({ hours }) {
    const alert = `No lead has come for ${hours === 1 ? 'one business hour' : `${hours} business hours`}.`
    return { title: 'The network', words: alert, search: searchOf('leads'), alert }
  },
})

/** For a day, so that the operator sees it. The session may be stolen. */
export const readLimit = defineCondition<{ actor: string }>({
  find: `select id as subject, at as newest, at as since, jsonb_build_object('actor', actor) as data
    from audit_log where action = 'read-limit' and at > now() - interval '1 day'`,
  present({ actor }) {
    const alert = `${actor} opened more people’s details within an hour than the role allows, and was stopped.`
    return { title: actor, words: alert, search: searchOf('activity'), alert }
  },
})
