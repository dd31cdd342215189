import { Button } from '../../ui/button.tsx'
import { useCurrentRun } from './use-current-run.ts'
import type { Sync } from './use-sync.tsx'
import { progressOf } from './words.ts'

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
