import type { QueryKey } from '@tanstack/react-query'
import type { Changes } from '../../../core/contract/events.ts'

/** What the rows of the dashboard's tables may be in. */
const ROWS: QueryKey[] = [['leads'], ['applications'], ['providers'], ['sync-runs'], ['audit-log'], ['staff']]

/**
 * The queries that changes make out of date, without the overview.
 * @param currentSync the run of the provider sync that is known to be under way. It tells each second how far it is, which
 * is in no list; whoever sees its end reads those again.
 */
export function changedKeys(changes: Changes, currentSync?: number): QueryKey[] {
  const { leads, jobs, applications, providers, syncs, all } = changes
  if (all) return ROWS
  const keys: QueryKey[] = []
  // A lead may be on any page, and counts in each total.
  if (leads || jobs) keys.push(['leads', 'list'])
  if (leads) keys.push(['leads', 'opt-outs'])
  for (const id of new Set([...(leads ?? []), ...(jobs ?? [])]))
    keys.push(['leads', 'details', id], ['leads', 'jobs', id])
  if (applications) keys.push(['applications'])
  if (providers) keys.push(['providers'])
  if (syncs?.some((id) => id !== currentSync)) keys.push(['sync-runs', 'status'], ['sync-runs', 'list'])
  if (keys.length > 0) keys.push(['audit-log'])
  for (const id of syncs ?? []) keys.push(['sync-runs', 'details', id])
  return keys
}

/**
 * Everything about a period is computed anew, which takes the database some time. And any job may be one by which a lead
 * was matched after a sync.
 */
export function changesOverview({ leads, jobs, all }: Changes): QueryKey[] {
  return [...(leads || jobs || all ? [['overview']] : []), ...(jobs ? [['sync-runs', 'list']] : [])]
}
