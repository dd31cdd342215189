import { listOldLeads, matchWaitingLeads } from '../leads/pass-on.ts'
import { WAITING_DAYS } from '../leads/rules/matching.ts'
import * as answerClocks from '../leads/stores/answer-clocks.ts'
import { type Db, only, type Transaction } from '../platform/db.ts'
import * as clinicPeople from '../providers/stores/clinic-people.ts'
import { DAY } from '../time.ts'
import { MAX_LISTED, type SyncChange, type SyncRun } from './contract/sync.ts'
import { reasonsFor, refusalOf, type SensitiveChange, sensitiveIn, withoutApproved } from './rules/sync-approval.ts'
import { planSync, type SyncPlan, unactivatedBy, withoutDoubtfulPlaces } from './rules/sync-plan.ts'
import type { WordPressPosts } from './rules/wordpress-mapping.ts'
import { announceEnd, type BegunRun, ended, LostRun, own, type Progress } from './start-sync.ts'
import * as providerSync from './stores/provider-sync.ts'

/**
 * Compares the posts with the providers, writes the differences, all or nothing, and ends the run. A dry run, and a run
 * that needs approval, only records them. Adds jobs that match waiting leads again; older leads are
 * listed for staff.
 * @returns the plan, and the state of the run
 * @throws LostRun
 */
export async function applySync(
  db: Db,
  run: BegunRun,
  reading: WordPressPosts,
  { pagesDone, radiusMiles, mainDomain }: Pick<Progress, 'pagesDone'> & { radiusMiles: number; mainDomain: string },
): Promise<{ plan: SyncPlan; state: SyncRun['state'] }> {
  return db.transaction(async (trx) => {
    const row = await own(trx, run).forUpdate().first('approves', 'approves_all')
    if (!row) throw new LostRun()
    const { known, foreignDomains } = await providerSync.readKnown(trx)
    const zips = [...known.map(({ zipCode }) => zipCode), ...reading.posts.map(({ fields }) => fields.zipCode)]
    const centers = await providerSync.readZipCenters(
      trx,
      zips.flatMap((zip) => zip?.slice(0, 5) ?? []),
    )
    const { posts, doubts } = withoutDoubtfulPlaces(reading.posts, known, centers)
    const plan = planSync(known, { ...reading, posts }, foreignDomains, mainDomain, centers)
    const unapproved = withoutApproved(plan.sensitive, await approvedBy(trx, row, plan))
    const unactivated = unactivatedBy(plan, known, withoutApproved(plan.sensitive, unapproved))
    const earlier = await unapprovedToday(trx)
    const reasons = reasonsFor(unapproved, plan.allowedChanges, earlier)
    const isRefused = !run.dryRun && reasons.length > 0
    const state = isRefused ? 'needs_approval' : 'done'

    const writes = state === 'done' && !run.dryRun
    const providers = writes ? await providerSync.write(trx, plan, { unactivated, seenAt: await lastSuccess(trx) }) : []
    if (writes) {
      // Providers may have moved to another time zone.
      await answerClocks.markStale(trx, providers)
      await clinicPeople.change(trx, run.id, plan.newEmails, unapproved)
      // The first sync creates all providers: no notices.
      if (known.length > 0) await providerSync.add(trx, run.id, plan, { known, unapproved, unactivated })
    }
    const oldBefore = new Date(Date.now() - WAITING_DAYS * DAY)
    const leads = writes ? await matchWaitingLeads(trx, run.id, oldBefore) : []
    const oldLeads = writes ? await listOldLeads(trx, oldBefore, radiusMiles) : []
    await own(trx, run).update({
      ...ended(trx, state, isRefused ? refusalOf(reasons, plan.allowedChanges) : null),
      ...plan.counts,
      pages_done: pagesDone,
      pages_total: pagesDone,
      approval_reasons: JSON.stringify(reasonsFor(plan.sensitive, plan.allowedChanges, earlier)),
      sensitive_changes: JSON.stringify(plan.sensitive),
      leads_queued: leads.length,
      old_leads: oldLeads,
      old_leads_before: writes ? oldBefore : null,
      changes: JSON.stringify(listed(plan)),
      skipped_posts: JSON.stringify(plan.skipped.slice(0, MAX_LISTED)),
      doubts: JSON.stringify(doubts.slice(0, MAX_LISTED)),
    })
    await announceEnd(trx, run.id, { providers, jobs: leads })
    return { plan, state }
  })
}

type Approval = { approves: number | null; approves_all: boolean }

/** Lists the approved changes: those of the run that a manager approved; from the command line, all deactivations. */
async function approvedBy(
  trx: Transaction,
  { approves, approves_all }: Approval,
  { sensitive }: SyncPlan,
): Promise<SensitiveChange[]> {
  if (approves_all) return sensitive.filter(({ kind }) => kind === 'deactivate')
  if (approves === null) return []
  return (await trx('provider_syncs').where('id', approves).first('sensitive_changes'))?.sensitive_changes ?? []
}

/** Lists the sensitive changes that runs of the last day made without an approval. */
async function unapprovedToday(trx: Transaction): Promise<SensitiveChange[]> {
  const runs = await trx('provider_syncs as run')
    .leftJoin('provider_syncs as approval', 'approval.id', 'run.approves')
    .where({ 'run.dry_run': false, 'run.state': 'done' })
    .where('run.finished_at', '>', trx.raw(`now() - interval '1 day'`))
    .select<{ made: SensitiveChange[]; approved: SensitiveChange[] | null; approves_all: boolean }[]>(
      { made: 'run.sensitive_changes', approved: 'approval.sensitive_changes' },
      'run.approves_all',
    )
  return runs.flatMap(({ made, approved, approves_all }) =>
    withoutApproved(made, approves_all ? made.filter(({ kind }) => kind === 'deactivate') : (approved ?? [])),
  )
}

/** Returns the first changes, and all sensitive ones, because a manager approves what is listed. */
function listed({ changes }: SyncPlan): SyncChange[] {
  const sensitive = changes.filter((change) => sensitiveIn(change).length > 0).length
  return changes.slice(0, Math.max(MAX_LISTED, sensitive))
}

async function lastSuccess(trx: Transaction): Promise<Date | null> {
  return only(await trx('provider_syncs').where({ dry_run: false, state: 'done' }).max({ at: 'started_at' })).at
}
