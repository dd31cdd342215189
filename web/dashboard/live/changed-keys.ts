import type { QueryKey } from '@tanstack/react-query'
import type { Changes } from '../../../core/contract/events.ts'

/** The queries that hold rows of the dashboard's tables. */
const ROWS: QueryKey[] = ['leads', 'applications', 'providers', 'sync-runs', 'audit-log', 'staff', 'erasures'].map(
  (name) => [name],
)

/**
 * Returns the queries that changes make out of date.
 * @param currentSync the run of the provider sync that is known to be under way. It tells each second how far it is, which
 * is in no list; `useEndOfRun` reads the lists again when it has ended.
 */
export function changedKeys(changes: Changes, currentSync?: number): QueryKey[] {
  const { leads, jobs, applications, providers, syncs, accounts, overview, all } = changes
  const keys: QueryKey[] = all ? [...ROWS] : []
  // A lead may be on any page, and counts in each total.
  if (leads || jobs) keys.push(['leads', 'list'])
  if (leads) keys.push(['leads', 'opt-outs'])
  for (const id of new Set([...(leads ?? []), ...(jobs ?? [])]))
    keys.push(['leads', 'details', id], ['leads', 'jobs', id])
  if (applications) keys.push(['applications'])
  if (providers) keys.push(['providers'])
  if (accounts) keys.push(['staff'])
  if (syncs?.some((id) => id !== currentSync)) keys.push(['sync-runs', 'status'], ['sync-runs', 'list'])
  if (keys.length > 0) keys.push(['audit-log'])
  for (const id of syncs ?? []) keys.push(['sync-runs', 'details', id])
  // The clinics and the CRM are told of an erasure by jobs.
  if (jobs || applications) keys.push(['erasures'])
  // Any job may be one by which a lead was matched after a sync.
  if (overview) keys.push(['overview'], ['sync-runs', 'list'])
  return keys
}
