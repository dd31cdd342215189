import type { SyncRun } from '../../../core/contract/sync.ts'

/** A sync, a dry run, or a sync that may deactivate what the run with that id would have. */
export type SyncOrder = { kind: 'sync' | 'dry-run' } | { kind: 'approve'; id: number }

/** What was asked for. Its run has this id or a later one. */
export type AskedSync = { order: SyncOrder; firstId: number }

/** @param runs the newest, as far as they are known; without them only a run that is under way can be found */
export function askFor(order: SyncOrder, runs: SyncRun[] | undefined): AskedSync {
  if (!runs) return { order, firstId: Number.MAX_SAFE_INTEGER }
  const joined = runs.find((run) => isOf(order, run) && run.finished_at === null)
  return { order, firstId: joined?.id ?? (runs[0]?.id ?? 0) + 1 }
}

/** The run that was started or joined by asking, among the newest ones; undefined when there is none. */
export function runOf({ order, firstId }: AskedSync, runs: SyncRun[]): SyncRun | undefined {
  const possible = runs.filter((run) => isOf(order, run))
  return possible.findLast(({ id }) => id >= firstId) ?? possible.find(({ finished_at }) => finished_at === null)
}

function isOf(order: SyncOrder, { dry_run, approves }: SyncRun): boolean {
  return order.kind === 'approve' ? approves === order.id : dry_run === (order.kind === 'dry-run')
}
