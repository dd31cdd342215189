import type { SyncRunDetails } from '../../../core/contract/sync.ts'
import { countOf } from '../../lib/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Approval } from './approval.tsx'
import type { SyncOrder } from './asked-sync.ts'

type Props = {
  run: SyncRunDetails
  /** Undefined for whoever may only look. */
  onStart: ((order: SyncOrder) => void) | undefined
  isBusy: boolean
  onLeave: () => void
}

/** What is to become of a run that has changed nothing: a dry run, or one that would deactivate too many. */
export function RunQuestion({ run, onStart, isBusy, onLeave }: Props) {
  const { id, state, dry_run, is_mass_deactivation, can_be_approved, approved, counts } = run
  const isDryRun = dry_run && state === 'done'
  if (!isDryRun && state !== 'needs_approval') return null
  if (approved) {
    return (
      <p>
        <Approval approved={approved} />. This run itself has changed nothing.
      </p>
    )
  }
  if (is_mass_deactivation && !can_be_approved) {
    return <p>It changed nothing and can no longer be approved, because the providers have been synced since then.</p>
  }

  const providers = countOf(counts.deactivated, 'provider')
  return (
    <div
      className={`grid gap-3 rounded-xl border px-4 py-3 ${is_mass_deactivation ? 'border-wait bg-wait-soft' : 'border-line'}`}
    >
      {is_mass_deactivation ? (
        <p>
          <span className="font-semibold text-ink">A sync would deactivate {providers} at once. </span>
          That many need a review first: were they removed from WordPress by mistake? Nothing has been changed yet
          {!onStart && ', and a manager can approve it'}.
        </p>
      ) : (
        <p>Nothing has been changed. {onStart && 'A sync reads WordPress again and applies the changes.'}</p>
      )}
      {onStart && (
        <div className="flex flex-wrap gap-3">
          {is_mass_deactivation ? (
            <Button variant="danger" disabled={isBusy} onClick={() => onStart({ kind: 'approve', id })}>
              Approve: deactivate {providers}
            </Button>
          ) : (
            <Button disabled={isBusy} onClick={() => onStart({ kind: 'sync' })}>
              Sync now
            </Button>
          )}
          <Button variant="outline" onClick={onLeave}>
            Cancel
          </Button>
        </div>
      )}
    </div>
  )
}
