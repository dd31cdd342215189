import type { SyncCounts, SyncRun, SyncRunDetails, SyncStatus } from '../../core/contract/sync.ts'

/** WordPress is connected, and the last sync was applied. */
export function syncStatus(overrides: Partial<SyncStatus> = {}): SyncStatus {
  return {
    is_configured: true,
    schedule: null,
    next_at: null,
    current: null,
    last_success_at: '2026-11-20T14:00:00.000Z',
    is_overdue: false,
    needs_approval: null,
    ...overrides,
  }
}

export type SyncRunOverrides = Omit<Partial<SyncRunDetails>, 'counts'> & { counts?: Partial<SyncCounts> }

/** A sync that staff started and that changed nothing. */
export function syncRun(id: number, { counts, ...overrides }: SyncRunOverrides = {}): SyncRun {
  return {
    id,
    dry_run: false,
    trigger: 'staff',
    started_by: 'staff',
    started_by_name: null,
    state: 'done',
    created_at: '2026-11-20T14:00:00.000Z',
    started_at: '2026-11-20T14:00:00.200Z',
    finished_at: '2026-11-20T14:00:04.400Z',
    pages_done: 3,
    pages_total: 3,
    counts: {
      seen: 0,
      created: 0,
      updated: 0,
      deactivated: 0,
      reactivated: 0,
      unchanged: 0,
      skipped: 0,
      unreadable: 0,
      missing: 0,
      ...counts,
    },
    approval_reasons: [],
    approves: null,
    can_be_approved: false,
    approved: null,
    old_leads: 0,
    old_leads_before: null,
    leads_queued: 0,
    leads_matched: 0,
    error: null,
    ...overrides,
  }
}
