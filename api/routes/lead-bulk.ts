import { assignProvider } from '../../core/commands/leads/assign-provider.ts'
import { deleteLead } from '../../core/commands/leads/delete-lead.ts'
import { releaseLead } from '../../core/commands/leads/release-lead.ts'
import { restoreLead } from '../../core/commands/leads/restore-lead.ts'
import { resendLeadEmails, retryLeadCrm } from '../../core/commands/leads/retry-lead.ts'
import { undoMatch } from '../../core/commands/leads/undo-match.ts'
import * as calls from '../../core/contract/lead-bulk.ts'
import { type BulkLine, type LeadBulk, MAX_LEADS } from '../../core/contract/lead-bulk.ts'
import { AppError } from '../../core/errors.ts'
import * as leadLists from '../../core/stores/lead-lists.ts'
import * as leads from '../../core/stores/leads.ts'
import { undoDelay } from '../../core/stores/match-changes.ts'
import * as providers from '../../core/stores/providers.ts'
import { SECOND } from '../../core/time.ts'
import { actOnMany } from '../bulk.ts'
import type { Handle } from '../handle.ts'
import { answerLines } from '../line-answer.ts'
import type { Actor } from '../middleware/session.ts'
import type { Services } from '../services.ts'

/** The most bulk changes that run at the same time in this process. */
const MAX_RUNS = 2

export function leadBulkRoutes(handle: Handle, { db, env, log, relay, stopping }: Services): void {
  let runs = 0

  handle(calls.changeLeads, async ({ ctx, query: { wait }, body: bulk, actor }) => {
    await checkAction(bulk)
    const ids = await idsOf(bulk)
    if (runs >= MAX_RUNS) {
      throw new AppError('rate_limited', 'Other bulk changes are still running. Please try again in a minute.', {
        retryAfterSeconds: 60,
      })
    }

    runs += 1
    const lines = answerLines<BulkLine>(ctx)
    const act = actionOf(bulk, { ...actor, delay: undoDelay(ids.length) })
    actOnMany(
      ids.map((id) => ({ id })),
      ({ id }) => act(id),
      {
        tell: lines.tell,
        log,
        onActed: () => {
          runs -= 1
          relay.wake()
        },
        ...(wait > 0 && { waiting: { db, stopping, idleTimeout: wait * SECOND } }),
      },
    )
      .then(async ({ failures, ...counts }) => {
        log.info({ action: bulk.action, ...counts }, 'acted on many')
        const names = await leads.listNames(
          db,
          failures.map(({ id }) => id),
        )
        lines.tell({ ...counts, failures: failures.map((row) => ({ ...row, name: names.get(row.id) ?? null })) })
      })
      .catch((error) => log.error({ err: error }, 'the report on many leads broke off'))
      .finally(lines.end)
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
        `No more than ${words(MAX_LEADS)} leads can be changed at once, and ${words(total)} match. Narrow the filter.`,
      )
    }
    const found = await leadLists.ids(db, filter, MAX_LEADS + 1)
    if (found.length !== expected) {
      throw new AppError(
        'conflict',
        `The list has changed: ${words(found.length)} leads match now, not ${words(expected)}. Please check again.`,
      )
    }
    return found
  }

  function actionOf(
    { action, providerId = 0 }: LeadBulk,
    staff: Actor & { delay: number },
  ): (id: number) => Promise<unknown> {
    const actions = {
      'retry-sync': (id) => retryLeadCrm(db, id, staff),
      'retry-email': (id) => resendLeadEmails(db, id, staff),
      'assign-provider': (id) => assignProvider(db, id, providerId, staff),
      'undo-match': (id) => undoMatch(db, id, staff),
      release: (id) => releaseLead(db, id, { ...staff, radiusMiles: env.MATCH_RADIUS_MILES }),
      delete: (id) => deleteLead(db, id, staff),
      restore: (id) => restoreLead(db, id, staff),
    } satisfies Record<LeadBulk['action'], (id: number) => Promise<unknown>>
    return actions[action]
  }
}

const words = (count = 0) => count.toLocaleString('en-US')
