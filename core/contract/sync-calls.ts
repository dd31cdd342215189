import type { Call } from './call.ts'
import { RowParams } from './rows.ts'
import { SyncAnswer, SyncRunDetails, SyncRunList, SyncRunListQuery } from './sync.ts'

/** The calls about reading the providers from WordPress. */
export const SYNC_CALLS: Call[] = [
  {
    method: 'post',
    path: '/api/sync',
    summary:
      'Read the providers from WordPress: starts a run, or joins the one that is under way, and waits for its end.',
    access: 'manager',
    answer: { status: 200, schema: SyncAnswer },
  },
  {
    method: 'post',
    path: '/api/sync/dry-run',
    summary: 'Find out what a sync would change, without changing it. Waits for the end.',
    access: 'manager',
    answer: { status: 200, schema: SyncAnswer },
  },
  {
    method: 'get',
    path: '/api/sync-runs',
    summary: 'The runs of the provider sync, the newest first, and how the sync stands.',
    access: 'viewer',
    query: SyncRunListQuery,
    answer: { status: 200, schema: SyncRunList },
  },
  {
    method: 'get',
    path: '/api/sync-runs/{id}',
    summary: 'One run of the provider sync, with what it changed and what it skipped.',
    access: 'viewer',
    params: RowParams,
    answer: { status: 200, schema: SyncRunDetails },
  },
  {
    method: 'post',
    path: '/api/sync-runs/{id}/approve',
    summary: 'Sync again, and make the sensitive changes that this run would have made. Waits for the end.',
    access: 'manager',
    params: RowParams,
    answer: { status: 200, schema: SyncAnswer },
  },
]
