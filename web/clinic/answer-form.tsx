import type { ReactNode } from 'react'
import type {
  GivenAnswer,
  OUTCOME_REASONS,
  OutcomeKind,
  OutcomeReason,
  OutcomeSource,
  RequestEnd,
  RequestPage,
  TypedAnswer,
} from '../../core/leads/contract/outcomes.ts'
import { REQUEST_ANSWERS, type RequestAnswer } from '../../core/leads/contract/outcomes.ts'
import { formatIsoDay } from '../lib/dates.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Alert } from '../ui/feedback.tsx'
import { FieldError, TextAreaField, TextField } from '../ui/text-field.tsx'
import { Card, PageTitle } from './clinic-shell.tsx'

/** The title and the sentence of a link that shows no request. */
export const ENDS: Record<RequestEnd, { title: string; text: string }> = {
  invalid: {
    title: 'This link is not complete',
    text: 'Please open the link in our email again. Some mail programs cut long links in two.',
  },
  expired: {
    title: 'This link is too old',
    text: 'To protect the people who contact us, a link works for 60 days.',
  },
  deleted: {
    title: 'This request was deleted',
    text: 'Please do not call, and delete the details that you may have kept.',
  },
  opted_out: {
    title: 'This person has asked not to be contacted',
    text: 'Please do not call, text or write to them, and remove them from your own lists.',
  },
  number_stopped: {
    title: 'Please do not call this number',
    text: 'It must no longer be called or texted. Please remove it from your own lists.',
  },
  passed_on: {
    title: 'This request was passed to another clinic. Please do not call.',
    text: 'If you have already spoken with this person, please let us know.',
  },
  taken_back: {
    title: 'This request was taken back',
    text: 'Please do not call. If you have already spoken with this person, please let us know.',
  },
  replaced: {
    title: 'There is a newer email',
    text: 'This request came to your clinic a second time. Please open the link in our newest email about it.',
  },
  other_address: {
    title: 'This link belongs to another address',
    text: 'Your clinic no longer uses the address to which we sent this link. Please open the request on your clinic’s pages.',
  },
  left: {
    title: 'This clinic is no longer in our network',
    text: 'Its links no longer work. If you have a question about a request, please write to us or call us.',
  },
  held: {
    title: 'We are checking this request',
    text: 'Please do not call yet. You will get an email if it is yours.',
  },
}

/** What happens after an answer. */
const NEXT: Record<Exclude<OutcomeKind, 'opened' | 'opted_out'>, string> = {
  reached: 'Thank you. When there is an appointment, please come back to this page and choose “Booked”.',
  booked: 'Thank you. After the appointment, please say here whether they came. If the day changes, change it here.',
  no_answer: 'Thank you. Please try again at another time of day, and tell us here when you have reached them.',
  wrong_number:
    'Thank you. We are asking the person by email for the right number, and will send you the request again. You need not call until then.',
  declined: 'Thank you for telling us. Our team will find another provider for this person. You need not call.',
  attended: 'Thank you. Nothing else is needed.',
  no_show: 'If there is a new appointment, please choose “Booked” again.',
  treated: 'Thank you. Nothing else is needed.',
}

const BY: Record<OutcomeSource, string> = {
  clinic: 'your clinic',
  staff: 'our team',
  visitor: 'the person',
  crm: 'our CRM',
}

type Reasons<Kind extends keyof typeof OUTCOME_REASONS> = Record<(typeof OUTCOME_REASONS)[Kind][number], string>

const DECLINED_REASONS: Reasons<'declined'> = {
  no_capacity: 'We have no capacity',
  too_far: 'Too far away',
  not_a_fit: 'Not a fit for the treatment',
  price: 'The price',
  wants_other_clinic: 'They want another clinic',
  no_longer_wanted: 'They no longer want it',
  other: 'Another reason',
}

const STOPS: Reasons<'opted_out'> = {
  asked_to_stop: REQUEST_ANSWERS.stop,
  wrong_person: REQUEST_ANSWERS.wrong_person,
}

const REASONS: Record<OutcomeReason, string> = { ...DECLINED_REASONS, ...STOPS }

/** What the page says before contact is stopped: with the person, or by the number only. */
const STOP_WORDS: Record<'stop' | 'wrong_person', { title: string; text: string; button: string }> = {
  stop: {
    title: 'Stop all contact with this person?',
    text: 'We stop all emails to this person, ask every clinic and system that has the request to stop, and close it. You confirm that your clinic no longer calls, texts or writes to them.',
    button: 'Stop all contact',
  },
  wrong_person: {
    title: 'Does this number belong to someone else?',
    text: 'We ask every clinic and system that has this number to stop calling and texting it, and close the request. You confirm that your clinic no longer calls or texts it. If it is only mistyped, go back and choose “Wrong number”: then we ask the person for the right one.',
    button: 'Stop calls to this number',
  },
}

/** Returns an answer in words: `Booked for Dec 1, 2026`, `Cannot help: Too far away`. */
export function answerInWords(answer: Pick<GivenAnswer, 'kind' | 'booked_for' | 'reason'>): string {
  const { kind, booked_for, reason } = answer
  if (kind === 'opted_out') return REASONS[reason ?? 'asked_to_stop']
  const label = kind === 'opened' ? '' : REQUEST_ANSWERS[kind]
  if (booked_for) return `${label} for ${formatIsoDay(booked_for)}`
  return reason ? `${label}: ${REASONS[reason]}` : label
}

export function nextSteps({ kind }: GivenAnswer): string {
  return kind === 'opened' || kind === 'opted_out' ? '' : NEXT[kind]
}

export const byWhom = ({ source }: GivenAnswer) => BY[source]

const ASKS_AGAIN = 'The next step explains what this does and asks you to confirm.'

const ALL = Object.keys(REQUEST_ANSWERS) as RequestAnswer[]
const USUAL: RequestAnswer[] = ['reached', 'booked', 'no_answer', 'wrong_number', 'declined']
const AFTER_BOOKING: RequestAnswer[] = ['attended', 'no_show', 'booked']

type FormProps = { typed: TypedAnswer; errors: Record<string, string>; current: GivenAnswer | null }

/**
 * Asks for the answer of a clinic. What the link has chosen stands first, and the others are folded. The form posts to the
 * address of the page and works without JavaScript: the style sheet alone shows the fields of the chosen answer. A browser that
 * cannot do that shows them all, and the server ignores those of other answers.
 */
export function AnswerForm({ typed, errors, current }: FormProps) {
  const chosen = ALL.filter((answer) => answer === typed.answer)
  const isBooked = current?.kind === 'booked'
  const asked = isBooked ? AFTER_BOOKING : current ? [] : USUAL
  const first = chosen.length > 0 ? chosen : asked
  const title = chosen.length > 0 ? 'You say' : isBooked ? 'After the appointment' : 'How did it go?'
  const choice = (answer: RequestAnswer) => {
    const fields = fieldsOf(answer, typed, errors)
    return (
      // Not `checked` alone, which also means the chosen option of a select.
      <div
        key={answer}
        className="group rounded-xl border border-edge bg-white has-[input:checked]:border-secondary has-[input:checked]:bg-mist"
      >
        <label className="flex min-h-12 cursor-pointer items-center gap-3 px-4 py-2 font-semibold text-ink">
          <input
            type="radio"
            name="answer"
            value={answer}
            defaultChecked={typed.answer === answer}
            required
            className="size-5 shrink-0 accent-secondary"
          />
          {isBooked && answer === 'booked' ? 'New day' : REQUEST_ANSWERS[answer]}
        </label>
        {fields && <div className="px-4 pt-1 group-not-has-[input:checked]:hidden">{fields}</div>}
      </div>
    )
  }
  return (
    <Card title={first.length > 0 ? title : undefined}>
      <form method="post" className="compact grid gap-3">
        {Object.keys(errors).length > 0 && (
          <Alert title="Your answer was not saved">{errors.answer ?? 'Please correct what is marked below.'}</Alert>
        )}
        {first.length > 0 && (
          <>
            <fieldset className="grid gap-2">
              <legend className="sr-only">Your answer</legend>
              {first.map(choice)}
            </fieldset>
            {SEND}
          </>
        )}
        <details open={errors.note !== undefined}>
          <summary className="cursor-pointer py-2.5 font-semibold text-secondary">
            {first.length > 0 ? 'Something else, or a note' : 'Change your answer'}
          </summary>
          <div className="grid gap-3 pt-2">
            <fieldset className="grid gap-2">
              <legend className="sr-only">Other answers</legend>
              {ALL.filter((answer) => !first.includes(answer)).map(choice)}
            </fieldset>
            <TextAreaField
              name="note"
              label="Note (optional)"
              rows={2}
              maxLength={500}
              defaultValue={typed.note}
              error={errors.note}
            />
            {SEND}
          </div>
        </details>
      </form>
    </Card>
  )
}

const SEND = (
  <Button type="submit" size="large">
    Send the answer
  </Button>
)

function fieldsOf(answer: RequestAnswer, typed: TypedAnswer, errors: Record<string, string>): ReactNode {
  if (answer === 'booked') {
    return (
      <TextField
        type="date"
        name="booked_for"
        label="Day of the appointment (optional)"
        defaultValue={typed.booked_for}
        error={errors.booked_for}
      />
    )
  }
  if (answer === 'declined') return <ReasonField chosen={typed.reason} error={errors.reason} />
  const text = {
    wrong_number: 'For a number that does not work or is mistyped. We ask the person by email for the right one.',
    wrong_person: `Someone else answers there. ${ASKS_AGAIN}`,
    stop: ASKS_AGAIN,
  }[answer as string]
  return text && <p className="pb-3 text-sm">{text}</p>
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
