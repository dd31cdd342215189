import type { SyncChange, SyncCounts, SyncRun, SyncRunDetails, SyncStatus } from '../../core/sync/contract/sync.ts'

/** WordPress is connected, and the last sync was applied. */
export function syncStatus(overrides: Partial<SyncStatus> = {}): SyncStatus {
  return {
    ...{ is_configured: true, schedule: null, next_at: null, current: null },
    ...{ last_success_at: '2026-11-20T14:00:00.000Z', is_overdue: false, needs_approval: null },
    ...overrides,
  }
}

export type SyncRunOverrides = Omit<Partial<SyncRunDetails>, 'counts'> & { counts?: Partial<SyncCounts> }
const NOTHING = { seen: 0, created: 0, updated: 0, deactivated: 0, reactivated: 0, unchanged: 0, skipped: 0 }

/** A sync that staff started and that changed nothing. */
export function syncRun(id: number, { counts, ...overrides }: SyncRunOverrides = {}): SyncRun {
  return {
    ...{ id, dry_run: false, trigger: 'staff', started_by: 'staff', started_by_name: null, state: 'done' },
    ...{ created_at: '2026-11-20T14:00:00.000Z', started_at: '2026-11-20T14:00:00.200Z' },
    ...{ finished_at: '2026-11-20T14:00:04.400Z', pages_done: 3, pages_total: 3, error: null },
    counts: { ...NOTHING, unreadable: 0, missing: 0, ...counts },
    ...{ approval_reasons: [], approves: null, can_be_approved: false, approved: null },
    ...{ old_leads: 0, old_leads_before: null, leads_queued: 0, leads_matched: 0 },
    ...overrides,
  }
}

/** A run as it is shown by itself, with what it changed and what it skipped. */
export function syncRunDetails(id: number, overrides: SyncRunOverrides = {}): SyncRunDetails {
  const { changes = [], skipped = [] } = overrides
  return {
    ...syncRun(id, overrides),
    changes,
    skipped,
    doubts: overrides.doubts ?? [],
    impact: overrides.impact ?? null,
  }
}

/** A run whose third page of twelve has been read. */
export function runningSync(id: number, overrides: SyncRunOverrides = {}): SyncRunDetails {
  const progress = { state: 'running', finished_at: null, pages_done: 3, pages_total: 12 } as const
  return syncRunDetails(id, { ...progress, ...overrides })
}

/** A run that would deactivate so many providers that a manager has to approve it. */
export function massDeactivation(id: number, overrides: SyncRunOverrides = {}): SyncRunDetails {
  const numbers = Array.from({ length: 12 }, (_, index) => index + 1)
  return syncRunDetails(id, {
    ...{ state: 'needs_approval', error: '12 providers would be deactivated at once, which is more than 5.' },
    ...{ approval_reasons: [{ kind: 'deactivate', count: 12 }], can_be_approved: true },
    counts: { seen: 38, deactivated: 12, unchanged: 38 },
    changes: numbers.map((number) => syncChange('deactivate', number, { reason: 'missing' })),
    ...overrides,
  })
}

export function syncChange(kind: SyncChange['kind'], number: number, overrides: Partial<SyncChange> = {}): SyncChange {
  return {
    ...{ kind, wordpress_id: 4700 + number, provider_id: kind === 'create' ? null : number, fields: [] },
    ...{ name: `Dr. Number ${number}`, zipCode: '78701', reason: null },
    ...overrides,
  }
}
