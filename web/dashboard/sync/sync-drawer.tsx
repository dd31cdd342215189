import { parseAsBoolean, useQueryState } from 'nuqs'
import type { SyncRun, SyncStatus } from '../../../core/contract/sync.ts'
import { formatSince } from '../../lib/dates.ts'
import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { SyncCard } from './sync-card.tsx'
import { useCurrentRun, useSyncStatus } from './sync-runs.ts'
import { SyncRunsCard } from './sync-runs-card.tsx'
import type { Sync } from './use-sync.tsx'
import { progressOf } from './words.ts'

/** Shows the state of the sync as a button, and its details with all runs in a drawer, which is in the address. */
export function SyncDrawer({ sync, canAct }: { sync: Sync; canAct: boolean }) {
  const [isOpen, setOpen] = useQueryState('syncs', parseAsBoolean.withDefault(false))
  const { data, error } = useSyncStatus()
  const current = useCurrentRun()
  const { words, tone } = error && !data ? UNKNOWN : standing(data, current)

  return (
    <>
      <Button
        variant="outline"
        size="small"
        className="rounded-lg! max-lg:min-h-11"
        aria-haspopup="dialog"
        onClick={() => void setOpen(true)}
      >
        <span aria-hidden="true" className={`size-2 rounded-full ${tone}`} />
        Sync · {words}
      </Button>
      {isOpen && (
        <Sheet title="Sync with WordPress" onClose={() => void setOpen(null)}>
          <SyncCard sync={sync} canAct={canAct} />
          <SyncRunsCard />
        </Sheet>
      )}
    </>
  )
}

type Standing = { words: string; tone: string }
const UNKNOWN: Standing = { words: 'not loaded', tone: 'bg-bad' }

/** Returns, for example, `last 12 minutes ago` and the color of the dot. */
function standing(data: { status: SyncStatus; runs: SyncRun[] } | undefined, current: SyncRun | undefined): Standing {
  if (!data) return { words: 'loading…', tone: 'bg-edge' }
  const { is_configured, last_success_at, needs_approval, is_overdue } = data.status
  if (!is_configured) return { words: 'no WordPress', tone: 'bg-edge' }
  if (current) return { words: progressOf(current).toLowerCase(), tone: 'bg-wait' }
  const last = data.runs.find(({ dry_run, finished_at }) => !dry_run && finished_at !== null)
  const since = last_success_at ? `last ${formatSince(last_success_at)}` : 'never'
  if (last?.state === 'failed') return { words: `failed, ${since}`, tone: 'bg-bad' }
  if (needs_approval !== null) return { words: `waits for approval, ${since}`, tone: 'bg-wait' }
  if (is_overdue) return { words: `overdue, ${since}`, tone: 'bg-wait' }
  return { words: since, tone: last_success_at ? 'bg-good' : 'bg-edge' }
}
