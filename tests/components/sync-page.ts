import { screen } from '@testing-library/react'
import { expect } from 'vitest'
import type { SyncChange, SyncRun, SyncRunDetails } from '../../core/contract/sync.ts'
import { answer, type MadeCall } from './api.ts'
import { type SyncRunOverrides, syncRun, syncStatus } from './sync-samples.ts'

/** A run as it is shown by itself, with what it changed and what it skipped. */
export function syncRunDetails(id: number, overrides: SyncRunOverrides = {}): SyncRunDetails {
  const { changes = [], skipped = [] } = overrides
  return { ...syncRun(id, overrides), changes, skipped, doubts: overrides.doubts ?? [] }
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
    state: 'needs_approval',
    error:
      '12 providers would be deactivated at once, which is more than 5. Nothing was changed: a manager must approve it first.',
    approval_reasons: [{ kind: 'deactivate', count: 12 }],
    can_be_approved: true,
    counts: { seen: 38, deactivated: 12, unchanged: 38 },
    changes: numbers.map((number) => syncChange('deactivate', number, { reason: 'missing' })),
    ...overrides,
  })
}

/** The run by which Ada Park approved another one. */
export const APPROVED = {
  id: 8,
  trigger: 'staff',
  started_by: 'ada@leadwell.example',
  started_by_name: 'Ada Park',
  created_at: '2026-11-20T15:05:18.000Z',
} as const

/** What happens to a provider in a run. */
export function syncChange(kind: SyncChange['kind'], number: number, overrides: Partial<SyncChange> = {}): SyncChange {
  return {
    kind,
    wordpress_id: 4700 + number,
    provider_id: kind === 'create' ? null : number,
    name: `Dr. Number ${number}`,
    zipCode: '78701',
    reason: null,
    fields: [],
    ...overrides,
  }
}

/**
 * Makes the server know this run, and an older one.
 * @returns the calls for the lists of runs and for the run alone, from then on
 */
export function know(run: SyncRun): Record<'lists' | 'details', MadeCall[]> {
  const status = syncStatus({
    current: run.finished_at === null ? run : null,
    needs_approval: run.state === 'needs_approval' ? run.id : null,
  })
  return {
    lists: answer('GET /api/sync-runs', { runs: [run, syncRun(6)], total: 2, status }),
    details: answer('GET /api/sync-runs/{id}', { changes: [], skipped: [], ...run }),
  }
}

export const syncButton = () => screen.getByRole('button', { name: 'Sync Providers' })

/** Waits until the button says that it syncs, and takes no click. */
export async function isSyncing(): Promise<void> {
  expect(await screen.findByRole('button', { name: 'Syncing...' })).toHaveProperty('disabled', true)
}
