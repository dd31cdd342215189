import type { ReactNode } from 'react'
import type { RequestPage, TypedAnswer } from '../../core/leads/contract/outcomes.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Alert } from '../ui/feedback.tsx'
import { FieldError, TextAreaField, TextField } from '../ui/text-field.tsx'
import { Card, PageTitle } from './clinic-shell.tsx'
import { CHOICES, DECLINED_REASONS, STOP_WORDS } from './request-words.ts'

const ASKS_AGAIN = 'The next step says what this does, and asks you once more.'

type FieldsProps = { typed: TypedAnswer; errors: Record<string, string> }

/** Asks for the answer of a clinic. The form posts to the address of the page and works without JavaScript. */
export function AnswerForm({ isAnswered, ...fields }: FieldsProps & { isAnswered: boolean }) {
  return (
    <Card title={isAnswered ? 'Change your answer' : 'How did it go?'}>
      <form method="post" className="grid gap-4">
        <AnswerFields {...fields} />
        <Button type="submit" size="large">
          Send the answer
        </Button>
      </form>
    </Card>
  )
}

/**
 * Renders the answers with the fields of the chosen one. The style sheet alone shows and hides them; a browser that cannot
 * do that shows them all, and the server ignores those of other answers.
 */
export function AnswerFields({ typed, errors }: FieldsProps) {
  const fields = {
    booked: (
      <TextField
        type="date"
        name="booked_for"
        label="Day of the appointment (optional)"
        defaultValue={typed.booked_for}
        error={errors.booked_for}
      />
    ),
    declined: <ReasonField chosen={typed.reason} error={errors.reason} />,
    wrong_number: (
      <p className="pb-3 text-sm">
        For a number that does not work or is mistyped. We ask the person by email for the right one.
      </p>
    ),
    wrong_person: <p className="pb-3 text-sm">Somebody else answers there. {ASKS_AGAIN}</p>,
    stop: <p className="pb-3 text-sm">{ASKS_AGAIN}</p>,
  }
  return (
    <>
      {Object.keys(errors).length > 0 && (
        <Alert title="Your answer was not saved">{errors.answer ?? 'Please correct what is marked below.'}</Alert>
      )}
      <fieldset className="grid gap-2">
        <legend className="sr-only">Your answer</legend>
        {CHOICES.map(([value, label]) => (
          <Choice key={value} {...{ value, label }} isChosen={typed.answer === value}>
            {fields[value as keyof typeof fields]}
          </Choice>
        ))}
      </fieldset>
      <TextAreaField
        name="note"
        label="Note (optional)"
        rows={2}
        maxLength={500}
        defaultValue={typed.note}
        error={errors.note}
      />
    </>
  )
}

type ChoiceProps = { value: string; label: string; isChosen: boolean; children?: ReactNode }

function Choice({ value, label, isChosen, children }: ChoiceProps) {
  return (
    // Not `checked` alone, which also means the chosen option of a select.
    <div className="group rounded-xl border border-edge bg-white has-[input:checked]:border-secondary has-[input:checked]:bg-mist">
      <label className="flex min-h-12 cursor-pointer items-center gap-3 px-4 py-2 font-semibold text-ink">
        <input
          type="radio"
          name="answer"
          value={value}
          defaultChecked={isChosen}
          required
          className="size-5 shrink-0 accent-secondary"
        />
        {label}
      </label>
      {children && <div className="px-4 pt-1 group-not-has-[input:checked]:hidden">{children}</div>}
    </div>
  )
}

function ReasonField({ chosen, error }: { chosen: string | undefined; error: string | undefined }) {
  return (
    <div>
      <label htmlFor="reason" className="block text-sm font-semibold text-ink">
        Reason
      </label>
      <select
        id="reason"
        name="reason"
        defaultValue={chosen ?? ''}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? 'reason-error' : undefined}
        className="mt-1 block min-h-11 w-full rounded-lg border border-edge bg-white px-3 text-base text-ink aria-invalid:border-bad aria-invalid:bg-bad-soft"
      >
        <option value="">Please choose</option>
        {Object.entries(DECLINED_REASONS).map(([reason, words]) => (
          <option key={reason} value={reason}>
            {words}
          </option>
        ))}
      </select>
      <FieldError id="reason-error" error={error} />
    </div>
  )
}

/** Asks once more before contact is stopped. */
export function StopForm({ answer, leadId, name, note }: Extract<RequestPage, { state: 'stop' }>) {
  const { title, text, button } = STOP_WORDS[answer]
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <p className="text-ink wrap-anywhere">
        <span dir="auto">{name}</span>, request no. {leadId}
      </p>
      <p className="max-w-[56ch]">{text}</p>
      <Card>
        <form method="post" className="grid gap-4">
          <input type="hidden" name="answer" value={answer} />
          <input type="hidden" name="confirmed" value="yes" />
          <input type="hidden" name="note" value={note} />
          <Button type="submit" variant="danger" size="large">
            {button}
          </Button>
          <a href="?" className={buttonClass({ variant: 'outline' })}>
            Back to the request
          </a>
        </form>
      </Card>
    </>
  )
}
