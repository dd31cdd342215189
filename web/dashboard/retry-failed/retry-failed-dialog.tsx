import { type ReactNode, useId } from 'react'
import { JobName } from '../../../core/contract/jobs.ts'
import type { RetryReport } from '../../../core/contract/lead-bulk.ts'
import { formatCount } from '../../lib/numbers.ts'
import { OutcomeDetails } from '../../shared/deliveries/outcome-details.tsx'
import { Alert } from '../../ui/alert.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { deliveries, outcomeOf, SPANS, type Span, useRetryFailed } from './use-retry-failed.ts'

const KINDS: Record<JobName, string> = {
  'send-email': 'E-mails',
  'sync-crm': 'CRM calls',
  'match-lead': 'Matching',
}
const SELECT = 'min-h-10 w-full rounded-lg border border-edge bg-white px-3 text-ink hover:border-secondary'

/** Asks since when, shows how many that are, and tries them again. */
export function RetryFailedDialog({ onClose }: { onClose: () => void }) {
  const retry = useRetryFailed()
  const { total, report, isRunning } = retry
  const count = deliveries(total ?? 0)

  return (
    <ConfirmDialog
      title="Retry what failed"
      confirmLabel={total ? `Retry ${count}` : 'Retry'}
      variant="primary"
      busy={isRunning}
      disabled={!total}
      onConfirm={retry.start}
      onClose={onClose}
    >
      <div className="grid gap-4">
        <p>Deliveries that failed for good are sent again now. Those that were already retried are left out.</p>
        <Field label="Failed in the">
          {(id) => (
            <select
              id={id}
              value={retry.span}
              disabled={isRunning}
              onChange={({ target }) => retry.setSpan(target.value as Span)}
              className={SELECT}
            >
              {Object.keys(SPANS).map((span) => (
                <option key={span}>{span}</option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Kind">
          {(id) => (
            <select
              id={id}
              value={retry.name ?? ''}
              disabled={isRunning}
              onChange={({ target }) => retry.setName(JobName.safeParse(target.value).data)}
              className={SELECT}
            >
              <option value="">All</option>
              {JobName.options.map((name) => (
                <option key={name} value={name}>
                  {KINDS[name]}
                </option>
              ))}
            </select>
          )}
        </Field>
        {retry.error && <Alert title="Error">{retry.error.message || 'Failed to count what failed'}</Alert>}
        <p role="status" className="font-semibold text-ink">
          {isRunning && `${formatCount(retry.progress?.done ?? 0)} of ${count} retried`}
          {!isRunning && total === 0 && 'Nothing is left to retry.'}
          {!isRunning && total !== undefined && total > 0 && `${count} failed.`}
        </p>
        {report && !isRunning && <Outcome report={report} />}
      </div>
    </ConfirmDialog>
  )
}

function Field({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-sm text-quiet">
        {label}
      </label>
      {children(id)}
    </div>
  )
}

/** How the attempts went, and what was refused or could not be tried again. */
function Outcome({ report }: { report: RetryReport }) {
  const { failed, waiting, failures } = report
  return (
    <section role={failed > 0 ? 'alert' : 'status'} aria-label="Outcome">
      <p className={`font-semibold ${failed > 0 ? 'text-bad' : 'text-ink'}`}>{outcomeOf(report)}</p>
      <OutcomeDetails
        waiting={waiting}
        failed={failed}
        failures={failures.map((failure) => ({
          id: failure.id,
          error: failure.error,
          owner: `${failure.name ?? ownerWords(failure)}:`,
        }))}
      />
    </section>
  )
}

function ownerWords({ lead_id, application_id, account_id, sync_id }: RetryReport['failures'][number]): string {
  if (lead_id !== null) return `Lead #${lead_id}`
  if (application_id !== null) return `Application #${application_id}`
  return account_id !== null ? `Account #${account_id}` : `Sync #${sync_id}`
}
