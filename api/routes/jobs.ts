import { formatCount } from '../../core/contract/texts.ts'
import * as jobsCalls from '../../core/deliveries/contract/jobs.ts'
import { MAX_JOBS } from '../../core/deliveries/contract/jobs.ts'
import { recordRetryFailed } from '../../core/deliveries/retry-deliveries.ts'
import { countFailed, listFailed } from '../../core/deliveries/stores/failed-jobs.ts'
import { AppError } from '../../core/errors.ts'
import { undoDelay } from '../../core/leads/stores/lead-changes.ts'
import * as leadLists from '../../core/leads/stores/lead-lists.ts'
import * as providers from '../../core/providers/stores/providers.ts'
import * as calls from '../../core/staff/contract/bulk.ts'
import { BulkAction, type LeadBulk, MAX_IDS, MAX_LEADS, retryFailedJobs } from '../../core/staff/contract/bulk.ts'
import * as bulkStore from '../../core/staff/stores/bulk.ts'
import { startBulk } from '../../core/staff/stores/bulk.ts'
import type { Handle } from '../handle.ts'
import { requireConfirmation } from '../middleware/session.ts'
import type { Services } from '../services.ts'

const ONE_AT_A_TIME = {
  of: ['retry-failed' as const],
  most: 1,
  sentence: 'Failed deliveries are already being retried. Please try again in a minute.',
}

export function jobRoutes(handle: Handle, { db }: Services): void {
  handle(jobsCalls.countFailedJobs, async ({ query }) => ({ total: await countFailed(db, query) }))

  handle(retryFailedJobs, async ({ body: { expected, ...query }, actor }) => {
    const failed = await listFailed(db, query, MAX_JOBS + 1)
    requireExpectedCount(failed.length, expected)
    const items = failed.map(({ id, subject_kind, subject_id }) => ({
      retried_job: id,
      lead_id: subject_kind === 'lead' ? subject_id : null,
    }))
    const record = (trx: typeof db) => recordRetryFailed(trx, query, { ...actor, count: items.length })
    const id = await startBulk(db, { purpose: 'retry-failed', items, limit: ONE_AT_A_TIME, record }, actor)
    return { id }
  })
}

function requireExpectedCount(found: number, expected: number): void {
  if (found > MAX_JOBS) {
    throw new AppError(
      'conflict',
      `More than ${formatCount(MAX_JOBS)} deliveries have failed since then. Choose a shorter period.`,
    )
  }
  if (found !== expected) {
    throw new AppError(
      'conflict',
      `The number has changed: ${formatCount(found)} failed since then, not ${formatCount(expected)}. Please check again.`,
    )
  }
}

/** At most two bulk changes act at the same time. One that only waits for deliveries does not count. */
const LIMIT = {
  of: BulkAction.options,
  most: 2,
  sentence: 'Other bulk changes are still running. Please try again in a minute.',
}

export function bulkRoutes(handle: Handle, { db, env }: Services): void {
  handle(calls.changeLeads, async ({ staff, body: bulk, actor }) => {
    // Sends the data of many people to a clinic that the caller names.
    if (bulk.action === 'assign-provider') requireConfirmation(staff)
    await checkAction(bulk)
    const { action: purpose, providerId, outcome, work, waiting_at: waitingAt, to_clinic: toClinic } = bulk
    const ids = await idsOf(bulk)
    const input = { providerId, outcome, work, waitingAt, toClinic, delay: undoDelay(ids.length) }
    const items = ids.map((lead_id) => ({ lead_id }))
    const id = await startBulk(db, { purpose, ...input, items, limit: LIMIT }, actor)
    return { id, ...(ids.length <= MAX_IDS && { ids }) }
  })

  handle(calls.listBulk, async ({ actor }) => ({ running: await bulkStore.listRunning(db, actor.actor) }))

  handle(calls.readBulk, async ({ params: { id } }) => {
    const bulk = await bulkStore.read(db, id)
    if (!bulk) throw new AppError('not_found', 'There is no such bulk action.')
    return bulk
  })

  /** Checks the conditions that are the same for all leads. @throws AppError if one is not met */
  async function checkAction({ action, providerId }: LeadBulk): Promise<void> {
    if (action === 'retry-sync' && env.CRM_KIND === 'none') {
      throw new AppError('conflict', 'No CRM is connected. Set CRM_KIND to connect one.')
    }
    if (providerId === undefined) return
    const provider = await providers.find(db, providerId)
    if (!provider) throw new AppError('not_found', 'There is no such provider.')
    if (provider.status === 'f') throw new AppError('conflict', `${provider.name} is inactive and cannot get leads.`)
  }

  /** Reads the ids once, before any change, because the actions change which leads match the filter. */
  async function idsOf({ ids, filter: wanted, expected }: LeadBulk): Promise<number[]> {
    if (!wanted) return [...new Set(ids)]
    const filter = { ...wanted, timeZone: env.NETWORK_TIME_ZONE }

    const total = await leadLists.count(db, filter)
    if (total > MAX_LEADS) {
      throw new AppError(
        'conflict',
        `No more than ${formatCount(MAX_LEADS)} leads can be changed at once, and ${formatCount(total)} match. Narrow the filter.`,
      )
    }
    const found = await leadLists.ids(db, filter, MAX_LEADS + 1)
    if (found.length !== expected) {
      throw new AppError(
        'conflict',
        `The list has changed: ${formatCount(found.length)} leads match now, not ${formatCount(expected ?? 0)}. Please check again.`,
      )
    }
    return found
  }
}
