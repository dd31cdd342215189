import type { ReactNode } from 'react'
import { exportProviders } from '../../core/contract/providers.ts'
import { urlOf } from '../lib/call.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { DownloadLink } from './download-link.tsx'
import { useCurrentRun } from './sync/sync-runs.ts'
import type { Sync } from './sync/use-sync.tsx'
import { progressOf } from './sync/words.ts'

/** Syncs the providers, or joins the run that somebody else has started, and says how far it is until it has ended. */
export function SyncButton({ sync: { start, pending } }: { sync: Sync }) {
  const current = useCurrentRun()
  const isSyncing = pending === 'sync' || pending === 'approve'
  return (
    <div className="flex items-center gap-3">
      {pending && current && <p className="text-sm text-quiet tabular-nums">{progressOf(current)}</p>}
      <Button size="small" busy={isSyncing} disabled={pending === 'dry-run'} onClick={() => start({ kind: 'sync' })}>
        {isSyncing ? 'Syncing...' : 'Sync Providers'}
      </Button>
    </div>
  )
}

/** What managers do with all providers at once. `sync` is the button that syncs them. */
export function ProviderActions({ sync }: { sync: ReactNode }) {
  return (
    <div className="flex flex-wrap gap-3">
      <DownloadLink href={urlOf(exportProviders)} className={buttonClass({ variant: 'outline', size: 'small' })}>
        Export Providers CSV
      </DownloadLink>
      {sync}
    </div>
  )
}
