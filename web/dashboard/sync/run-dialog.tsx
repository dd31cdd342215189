import { useQuery } from '@tanstack/react-query'
import type { ApprovalReason, SyncRunDetails } from '../../../core/sync/contract/sync.ts'
import { formatMoment } from '../../lib/dates.ts'
import { countOf, formatDuration } from '../../lib/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Alert } from '../../ui/feedback.tsx'
import { Loaded } from '../../ui/load-error.tsx'
import { useAccess } from '../access.tsx'
import { Approval, OldLeads, RunChanges, RunLink, SkippedPosts, SpokenProgress, SyncProgress } from './run-changes.tsx'
import { type SyncOrder, syncRunQuery, useOpenRun, useSync } from './use-sync.tsx'
import { countsSentence, impactWords, isCounted, leadsSentence, reasonWords, starterOf, stateOf } from './words.ts'

export function RunDialog() {
  const { openId, close } = useOpenRun()
  return openId === undefined ? null : <Run key={openId} id={openId} onClose={close} />
}

function Run({ id, onClose }: { id: number; onClose: () => void }) {
  const query = useQuery(syncRunQuery(id))
  const run = query.data
  return (
    <Dialog
      title={run ? `${run.dry_run ? 'Dry run' : 'Sync'} of ${formatMoment(run.created_at)}` : 'Sync'}
      onClose={onClose}
      className="grid w-3xl max-w-full grid-cols-[minmax(0,1fr)] gap-4 p-5 sm:p-6"
      hasClose
    >
      <SpokenProgress run={run} />
      <Loaded of={query} fallback="Failed to load the run" className="h-60 w-full">
        {(run) => (
          <>
            <Outcome run={run} />
            <RunQuestion run={run} onClose={onClose} />
            {isCounted(run) && <RunCounts run={run} />}
            <SkippedPosts run={run} />
            <RunChanges run={run} />
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

function Outcome({ run }: { run: SyncRunDetails }) {
  const { state, error, started_at, finished_at, pages_done, approves } = run
  if (finished_at === null) return <SyncProgress run={run} />
  const took = formatDuration(Date.parse(finished_at) - Date.parse(started_at ?? finished_at))
  return (
    <>
      <p className="text-quiet">
        Run {run.id}. {!run.dry_run && `${stateOf(run).label}. `}Started by: {starterOf(run)}.{' '}
        {countOf(pages_done, 'page')} read in {took}.
        {approves !== null && (
          <>
            {' '}
            Its sensitive changes were approved: <RunLink id={approves} />.
          </>
        )}
      </p>
      {state === 'failed' && <Alert title="Failed">{error}</Alert>}
    </>
  )
}

function RunCounts({ run }: { run: SyncRunDetails }) {
  const { counts, state, dry_run } = run
  return (
    <div className="grid gap-1 text-[0.9375rem]">
      <p className="font-semibold text-ink">{countsSentence(run)}</p>
      {state === 'done' && !dry_run && <p>{leadsSentence(run)}</p>}
      <OldLeads run={run} />
      {counts.missing > 0 && (
        <p>
          {countOf(counts.missing, 'active provider')} {counts.missing === 1 ? 'is' : 'are'} missing in WordPress. A
          provider missing from three complete syncs in a row is deactivated.
        </p>
      )}
      {counts.unreadable > 0 && <p>WordPress counts {countOf(counts.unreadable, 'post')} that we may not read.</p>}
    </div>
  )
}

function RunQuestion({ run, onClose }: { run: SyncRunDetails; onClose: () => void }) {
  const { start, pending } = useSync()
  const mayStart = useAccess()('sync.run')
  const isBusy = pending !== undefined
  const onStart = (order: SyncOrder) => {
    start(order)
    onClose()
  }
  const { id, state, dry_run, approval_reasons, can_be_approved, approved, impact } = run
  const needsApproval = approval_reasons.length > 0
  const isDryRun = dry_run && state === 'done'
  if (!isDryRun && state !== 'needs_approval') return null
  if (approved) {
    return (
      <p>
        <Approval approved={approved} />. This run changed nothing.
      </p>
    )
  }
  if (needsApproval && !can_be_approved) {
    return <p>It changed nothing and can no longer be approved, because a newer sync has run.</p>
  }

  return (
    <div
      className={`grid gap-3 rounded-xl border px-4 py-3 ${needsApproval ? 'border-wait bg-wait-soft' : 'border-line'}`}
    >
      {needsApproval ? (
        <>
          <Reasons reasons={approval_reasons} />
          {impact && <p className="text-ink tabular-nums">{impactWords(impact)}</p>}
        </>
      ) : (
        <p>Nothing has been changed. {mayStart && 'A sync reads WordPress again and applies the changes.'}</p>
      )}
      {mayStart && (
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
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </div>
      )}
    </div>
  )
}

function Reasons({ reasons }: { reasons: ApprovalReason[] }) {
  const unchanged = `Nothing has been changed yet${useAccess()('sync.run') ? '' : ', and a manager can approve it'}.`
  const [only] = reasons
  if (only?.kind === 'deactivate' && reasons.length === 1) {
    return (
      <p>
        <span className="font-semibold text-ink">A sync would {reasonWords(only)} at once. </span>
        Please review them first: were they removed from WordPress by mistake? {unchanged}
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
        Review them below: an account in WordPress may have been taken over. An approval also confirms the new email
        addresses. {unchanged}
      </p>
    </div>
  )
}
