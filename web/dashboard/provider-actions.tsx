import { exportProviders } from '../../core/contract/providers.ts'
import { urlOf } from '../lib/call.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { DownloadLink } from './exports.tsx'
import { useCurrentRun } from './sync/sync-runs.ts'
import { useSync } from './sync/use-sync.tsx'
import { progressOf } from './sync/words.ts'

/** Shows the buttons with which managers export and sync the providers. */
export function ProviderActions() {
  return (
    <div className="flex flex-wrap gap-2">
      <DownloadLink href={urlOf(exportProviders)} className={buttonClass({ variant: 'outline', size: 'small' })}>
        Export Providers CSV
      </DownloadLink>
      <SyncButton />
    </div>
  )
}

/** Starts a sync or joins the one in progress, and shows the progress until it ends. */
function SyncButton() {
  const { start, pending } = useSync()
  const current = useCurrentRun()
  const isSyncing = pending === 'sync' || pending === 'approve'
  return (
    <div className="flex items-center gap-3">
      {pending && current && <p className="text-sm text-quiet tabular-nums">{progressOf(current)}</p>}
      <Button
        variant="outline"
        size="small"
        busy={isSyncing}
        disabled={pending === 'dry-run'}
        onClick={() => start({ kind: 'sync' })}
      >
        {isSyncing ? 'Syncing...' : 'Sync Providers'}
      </Button>
    </div>
  )
}
