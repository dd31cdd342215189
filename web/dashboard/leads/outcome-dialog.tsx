import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import type { Lead } from '../../../core/leads/contract/leads.ts'
import {
  AnswerKind,
  MAX_NOTE_LENGTH,
  OUTCOME_WORDS,
  OutcomeReason,
  REASON_WORDS,
  reasonsOf,
  recordOutcome,
  StaffAnswer,
} from '../../../core/leads/contract/outcomes.ts'
import { act } from '../../lib/call.ts'
import { FormButtons } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FieldError, TextField } from '../../ui/text-field.tsx'
import { useLeadAction } from './use-lead-action.ts'

/** Asks for the outcome of one lead, and records it. */
export function LeadOutcomeDialog({ lead, onClose }: { lead: Lead; onClose: () => void }) {
  const record = useLeadAction({
    act: (body: StaffAnswer) => act(recordOutcome, { params: { id: lead.id }, body }),
    done: 'Outcome recorded',
    failed: 'Failed to record the outcome',
  })
  return (
    <OutcomeDialog
      title={`Outcome for ${lead.first_name} ${lead.last_name}`}
      busy={record.isPending}
      onSubmit={(answer) => record.mutate(answer, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

type Props = { title: string; busy?: boolean; onSubmit: (answer: StaffAnswer) => void; onClose: () => void }

/** Asks for an outcome. By keyboard: arrow keys choose it, and Enter in any field records it. */
export function OutcomeDialog({ title, busy, onSubmit, onClose }: Props) {
  const form = useForm({ resolver: standardSchemaResolver(Typed), defaultValues: EMPTY })
  const { errors } = form.formState
  const kind = form.watch('kind')
  const reasons = reasonsOf(kind)

  return (
    <Dialog title={title} onClose={onClose} className="w-lg max-w-full p-6">
      <form onSubmit={form.handleSubmit(onSubmit)} noValidate className="mt-4 grid gap-3">
        <fieldset>
          <legend className="text-sm font-semibold text-ink">Outcome</legend>
          <div className="mt-1.5 flex flex-wrap gap-2">
            {KINDS.map((each) => (
              <label
                key={each}
                className="flex min-h-9 cursor-pointer items-center gap-2 rounded-full max-lg:min-h-11 border border-edge px-3 text-sm font-semibold text-ink hover:border-secondary has-checked:border-secondary has-checked:bg-lilac has-checked:text-primary"
              >
                <input type="radio" value={each} className="accent-secondary" {...form.register('kind')} />
                {OUTCOME_WORDS[each]}
              </label>
            ))}
          </div>
        </fieldset>
        <div>
          {reasons.length > 0 && (
            <ReasonSelect reasons={reasons} error={errors.reason?.message} {...form.register('reason')} />
          )}
          {kind === 'booked' && (
            <TextField
              label="Day of the appointment (optional)"
              type="date"
              error={errors.booked_for?.message}
              {...form.register('booked_for')}
            />
          )}
          {WITH_VALUE.includes(kind) && (
            <TextField
              label="Value in dollars (optional)"
              inputMode="decimal"
              autoComplete="off"
              error={errors.value_cents?.message}
              {...form.register('value_cents')}
            />
          )}
          <TextField
            label="Note (optional)"
            maxLength={MAX_NOTE_LENGTH}
            autoComplete="off"
            error={errors.note?.message}
            {...form.register('note')}
          />
        </div>
        <FormButtons submit="Record" busy={busy} onClose={onClose} />
      </form>
    </Dialog>
  )
}

type ReasonProps = Omit<React.ComponentProps<'select'>, 'id'> & { reasons: readonly OutcomeReason[]; error?: string }

function ReasonSelect({ reasons, error, ...select }: ReasonProps) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="block text-sm font-semibold text-ink">
        Reason
      </label>
      <select
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        className="mt-1 block min-h-11 w-full rounded-lg border border-edge bg-background px-2 text-base text-ink hover:border-secondary aria-invalid:border-bad"
        {...select}
      >
        <option value="">Choose...</option>
        {reasons.map((reason) => (
          <option key={reason} value={reason}>
            {REASON_WORDS[reason]}
          </option>
        ))}
      </select>
      <FieldError id={`${id}-error`} error={error} />
    </div>
  )
}

/** The outcomes that staff record here. An opt-out has a button of its own. */
const KINDS = AnswerKind.exclude(['opted_out']).options
/** The outcomes that may have a value. */
const WITH_VALUE: AnswerKind[] = ['booked', 'attended', 'treated']

const EMPTY = { kind: 'reached' as AnswerKind, reason: '', booked_for: '', value_cents: '', note: '' }

/** The fields as they are typed. Those that the chosen outcome does not have are left out. */
const Typed = z
  .object({
    kind: AnswerKind,
    reason: z.string(),
    booked_for: z.string(),
    value_cents: z
      .string()
      .trim()
      .regex(/^(\$?[\d,]+(\.\d{1,2})?)?$/, 'Write an amount like 1200 or 99.50'),
    note: z.string(),
  })
  .transform(({ kind, reason, booked_for, value_cents, note }) => ({
    kind,
    ...(reasonsOf(kind).length > 0 && { reason: OutcomeReason.safeParse(reason).data }),
    ...(kind === 'booked' && { booked_for: booked_for || undefined }),
    ...(WITH_VALUE.includes(kind) && value_cents && { value_cents: inCents(value_cents) }),
    ...(note && { note }),
  }))
  .pipe(StaffAnswer)

const inCents = (dollars: string) => Math.round(Number(dollars.replace(/[$,]/g, '')) * 100)
