import type { ComponentProps, ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import { brand } from '../../../core/brand/brand.ts'
import type { ConsentText } from '../../../core/contract/consent.ts'
import type { ReturnedForm } from '../../../core/contract/page.ts'
import { HttpError } from '../../lib/http.ts'
import { Button } from '../../ui/button.tsx'
import { Alert } from '../../ui/feedback.tsx'
import { PhoneLink } from '../contact-links.tsx'
import { CheckboxField } from './fields.tsx'

type Props = {
  label: string
  logic: { formProps: ComponentProps<'form'>; initial: ReturnedForm | undefined; consent: ConsentText }
  children: ReactNode
}

export function PostForm({ label, logic: { formProps, initial, consent }, children }: Props) {
  const { pathname, search } = useLocation()
  const problem = initial?.errors.form ?? initial?.errors.consent_version

  return (
    <form {...formProps} aria-label={label} className="compact relative">
      {problem && (
        <div className="mb-4">
          <Alert title="Error">{problem}</Alert>
        </div>
      )}
      <input type="hidden" name="acceptance_message" value={consent.wording} />
      <input type="hidden" name="consent_version" value={consent.version} />
      {/* Where the server shows the form again if it refuses it. */}
      <input type="hidden" name="page" value={pathname + search} />
      {/* A field that people neither see nor reach, so that a value in it means a bot. */}
      <div aria-hidden="true" className="absolute -left-[200vw] size-px overflow-hidden">
        <label>
          Leave this field empty
          <input type="text" name="topic" tabIndex={-1} autoComplete="off" />
        </label>
      </div>
      {children}
    </form>
  )
}

type ConsentProps = {
  logic: {
    consent: ConsentText
    initial: ReturnedForm | undefined
    errorAt(name: 'acceptance_consent'): string | undefined
    form: { register(name: 'acceptance_consent'): ComponentProps<'input'> }
  }
}

export function ConsentField({ logic: { consent, initial, errorAt, form } }: ConsentProps) {
  return (
    <CheckboxField
      label={consent.wording}
      note={consent.sharing?.wording}
      required
      defaultChecked={initial?.values.acceptance_consent}
      error={errorAt('acceptance_consent')}
      {...form.register('acceptance_consent')}
    />
  )
}

type SubmitButtonProps = {
  label: string
  busyLabel: string
  /** The result of `usePostForm`, and the phone to call if sending fails: ours, unless another is given. */
  logic: { isSubmitting: boolean; failure: Error | null; phone?: string }
}

/** Shows the button that sends a form. Above it stands that the last try failed, until the next one. */
export function SubmitButton({
  label,
  busyLabel,
  logic: { isSubmitting, failure, phone = brand.phone },
}: SubmitButtonProps) {
  return (
    <>
      {failure && !isSubmitting && <Failure error={failure} phone={phone} />}
      <Button type="submit" size="large" busy={isSubmitting} className="mt-1 w-full">
        {isSubmitting ? busyLabel : label}
      </Button>
      {/* A button that is disabled loses the focus, and its new words are not read. */}
      <p role="status" className="sr-only">
        {isSubmitting && busyLabel}
      </p>
    </>
  )
}

/** Brings what has failed into the middle of the window: it pushes the button with the focus down, to where the toast is. */
function center(element: Element | null): void {
  element?.scrollIntoView({ block: 'center' })
}

function Failure({ error, phone }: { error: Error; phone: string }) {
  const reason = error instanceof HttpError ? error.sentence : undefined
  return (
    <p
      ref={center}
      role="alert"
      className="mb-3 rounded-lg border border-bad bg-bad-soft px-3 py-2 text-sm leading-snug text-bad"
    >
      <strong className="font-semibold">That did not go through.</strong> {reason} Nothing is lost: what you typed is
      still here. Try again, or call{' '}
      <PhoneLink phone={phone} className="font-semibold whitespace-nowrap underline underline-offset-3" />.
    </p>
  )
}
