import type { ApprovalReason, SyncRunDetails } from '../../../core/contract/sync.ts'
import { Button } from '../../ui/button.tsx'
import { Approval } from './approval.tsx'
import type { SyncOrder } from './asked-sync.ts'
import { reasonWords } from './words.ts'

type Props = {
  run: SyncRunDetails
  /** Undefined for whoever may only look. */
  onStart: ((order: SyncOrder) => void) | undefined
  isBusy: boolean
  onLeave: () => void
}

/** What is to become of a run that has changed nothing: a dry run, or one that needs approval. */
export function RunQuestion({ run, onStart, isBusy, onLeave }: Props) {
  const { id, state, dry_run, approval_reasons, can_be_approved, approved } = run
  const needsApproval = approval_reasons.length > 0
  const isDryRun = dry_run && state === 'done'
  if (!isDryRun && state !== 'needs_approval') return null
  if (approved) {
    return (
      <p>
        <Approval approved={approved} />. This run itself has changed nothing.
      </p>
    )
  }
  if (needsApproval && !can_be_approved) {
    return <p>It changed nothing and can no longer be approved, because the providers have been synced since then.</p>
  }

  return (
    <div
      className={`grid gap-3 rounded-xl border px-4 py-3 ${needsApproval ? 'border-wait bg-wait-soft' : 'border-line'}`}
    >
      {needsApproval ? (
        <Reasons reasons={approval_reasons} canApprove={onStart !== undefined} />
      ) : (
        <p>Nothing has been changed. {onStart && 'A sync reads WordPress again and applies the changes.'}</p>
      )}
      {onStart && (
        <div className="flex flex-wrap gap-3">
          {needsApproval ? (
            <Button variant="danger" disabled={isBusy} onClick={() => onStart({ kind: 'approve', id })}>
              Approve: {approval_reasons.length === 1 ? approval_reasons.map(reasonWords) : 'all of these changes'}
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

/** What needs a review, the most dangerous first, and what to look for. */
function Reasons({ reasons, canApprove }: { reasons: ApprovalReason[]; canApprove: boolean }) {
  const unchanged = `Nothing has been changed yet${canApprove ? '' : ', and a manager can approve it'}.`
  const [only] = reasons
  if (only?.kind === 'deactivate' && reasons.length === 1) {
    return (
      <p>
        <span className="font-semibold text-ink">A sync would {reasonWords(only)} at once. </span>
        That many need a review first: were they removed from WordPress by mistake? {unchanged}
      </p>
    )
  }
  return (
    <div className="grid gap-2">
      <p className="font-semibold text-ink">These changes decide where leads and visitors go. A sync would:</p>
      <ul className="list-disc pl-5">
        {reasons.map((reason) => (
          <li key={reason.kind}>{reasonWords(reason)}</li>
        ))}
      </ul>
      <p>
        Review them below: an account in WordPress may have been taken over. An approval also confirms the new e-mail
        addresses. {unchanged}
      </p>
    </div>
  )
}
