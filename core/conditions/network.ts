import { DAY, HOUR } from '../contract/time.ts'
import { formatMoment } from '../dates.ts'
import * as answerClocks from '../leads/stores/answer-clocks.ts'
import { queryRows } from '../platform/db.ts'
import { businessTimeBetween } from '../providers/rules/business-hours.ts'
import { isOverdue } from '../sync/rules/sync-approval.ts'
import * as syncRuns from '../sync/stores/sync-runs.ts'
import { defineCondition, type Found, searchOf } from './condition.ts'
import { readSettings } from './stores/alerts.ts'

/** In milliseconds: more than the business hours that staff can choose. */
const MAX_QUIET = 120 * DAY

type SyncTrouble = { trouble: 'overdue' | 'failed' | 'approval'; runId: number | null; error: string | null }

defineCondition<SyncTrouble>({
  ...{ id: 'sync', label: 'Provider sync' },
  about: 'The newest sync with WordPress failed, two scheduled ones were missed, or one waits for approval.',
  ...{ severity: 'medium', act: 'open', alerts: 'start-and-end', isNotice: true },
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

/** Counts business hours of the network since the newest lead. A network that never had one misses none. */
defineCondition<{ hours: number }>({
  ...{ id: 'no-leads', label: 'No leads' },
  about: 'No lead has come for a number of business hours.',
  ...{ severity: 'medium', alerts: 'start-and-end' },
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
    const words = `No lead has come for ${hours === 1 ? 'one business hour' : `${hours} business hours`}.`
    return { title: 'The network', words, search: searchOf('leads') }
  },
})

/** For a day, so that the operator sees it. The session may be stolen. */
defineCondition<{ actor: string }>({
  ...{ id: 'read-limit', label: 'Reading limit reached' },
  about: 'Somebody of the staff opened more people’s details within an hour than the role allows, and was stopped.',
  ...{ severity: 'high', alerts: 'start' },
  find: `select id as subject, at as newest, at as since, jsonb_build_object('actor', actor) as data
    from audit_log where action = 'read-limit' and at > now() - interval '1 day'`,
  present({ actor }) {
    const words = `${actor} opened more people’s details within an hour than the role allows, and was stopped.`
    return { title: actor, words, search: searchOf('activity') }
  },
})
