import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { type ComponentProps, useId } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import type { Lead } from '../../../core/leads/contract/leads.ts'
import {
  AnswerKind,
  MAX_NOTE_LENGTH,
  OUTCOME_WORDS,
  type OutcomeKind,
  OutcomeReason,
  REASON_WORDS,
  reasonsOf,
  recordOutcome,
  StaffAnswer,
} from '../../../core/leads/contract/outcomes.ts'
import { act } from '../../lib/call.ts'
import { FormDialog } from '../../ui/confirm.tsx'
import { FieldError, fieldsOf, TextField } from '../../ui/text-field.tsx'
import type { LeadDialog } from './lead-dialogs.tsx'
import { useLeadAction } from './use-lead-action.ts'

export const leadDialog: LeadDialog = {
  ...{ position: 2, key: 's', label: () => 'Record an outcome...', right: 'lead.work' },
  isOffered: (lead) => lead.held_reason === null,
  Dialog: LeadOutcomeDialog,
}

function LeadOutcomeDialog({ lead, onClose }: { lead: Lead; onClose: () => void }) {
  const record = useLeadAction({
    act: (body: StaffAnswer) => act(recordOutcome, { params: { id: lead.id }, body }),
    done: 'Outcome recorded',
    failed: 'Failed to record the outcome',
  })
  return (
    <OutcomeDialog
      title={`Outcome for ${lead.first_name} ${lead.last_name}`}
      next={NEXT[lead.outcome ?? 'opened']}
      busy={record.isPending}
      onSubmit={(answer) => record.mutate(answer, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

/** The outcome that usually comes next. Others have none, so that Enter never takes back what is known. */
const NEXT: Partial<Record<OutcomeKind, AnswerKind>> = {
  opened: 'reached',
  no_answer: 'reached',
  wrong_number: 'reached',
  reached: 'booked',
  booked: 'attended',
  attended: 'treated',
}

type Props = {
  title: string
  next?: AnswerKind
  busy?: boolean
  onSubmit: (answer: StaffAnswer) => void
  onClose: () => void
}

export function OutcomeDialog({ title, next, busy, onSubmit, onClose }: Props) {
  const form = useForm({ resolver: standardSchemaResolver(Typed), defaultValues: { ...EMPTY, kind: next ?? '' } })
  const field = fieldsOf(form)
  const kind = AnswerKind.safeParse(form.watch('kind')).data
  const reasons = kind ? reasonsOf(kind) : []

  return (
    <FormDialog {...{ title, busy, onClose }} submit="Record" onSubmit={form.handleSubmit(onSubmit)}>
      <Choice legend="Outcome" options={KINDS} words={OUTCOME_WORDS} {...field('kind')} />
      {reasons.length > 0 && <Choice legend="Reason" options={reasons} words={REASON_WORDS} {...field('reason')} />}
      <div>
        {kind === 'booked' && (
          <TextField label="Day of the appointment (optional)" type="date" {...field('booked_for')} />
        )}
        {kind && WITH_VALUE.includes(kind) && (
          <TextField
            label="Value in dollars (optional)"
            inputMode="decimal"
            autoComplete="off"
            {...field('value_cents')}
          />
        )}
        <TextField label="Note (optional)" maxLength={MAX_NOTE_LENGTH} autoComplete="off" {...field('note')} />
      </div>
    </FormDialog>
  )
}

type ChoiceProps<Value extends string> = ComponentProps<'input'> & {
  legend: string
  options: readonly Value[]
  words: Record<Value, string>
  error?: string
}

function Choice<Value extends string>({ legend, options, words, error, ...radio }: ChoiceProps<Value>) {
  const id = useId()
  return (
    <fieldset aria-describedby={error && id}>
      <legend className="text-sm font-semibold text-ink">{legend}</legend>
      <div className="mt-1.5 flex flex-wrap gap-2">
        {options.map((each) => (
          <label
            key={each}
            className="flex min-h-9 cursor-pointer items-center gap-2 rounded-full border border-edge px-3 text-sm font-semibold text-ink hover:border-secondary has-checked:border-secondary has-checked:bg-lilac has-checked:text-primary max-lg:min-h-11"
          >
            <input {...radio} type="radio" value={each} className="accent-secondary" />
            {words[each]}
          </label>
        ))}
      </div>
      {error && <FieldError id={id} error={error} />}
    </fieldset>
  )
}

/** The outcomes that staff record here. An opt-out has a button of its own. */
const KINDS = AnswerKind.exclude(['opted_out']).options
const WITH_VALUE: AnswerKind[] = ['booked', 'attended', 'treated']

const EMPTY = { kind: '', reason: '', booked_for: '', value_cents: '', note: '' }

const CHOOSE = 'Choose an outcome'

/** The fields as they are typed. Those that the chosen outcome does not have are left out. */
const Typed = z
  .object({
    kind: z.string(CHOOSE).pipe(z.enum(AnswerKind.options, CHOOSE)),
    reason: z.string().nullable(),
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
