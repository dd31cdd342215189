import { brand } from '../../../core/brand/brand.ts'
import { HttpError } from '../../lib/http.ts'
import { Button } from '../../ui/button.tsx'
import { PhoneLink } from '../phone-link.tsx'

type Props = {
  label: string
  busyLabel: string
  /** The result of `usePostForm`, and the phone to call if sending fails: ours, unless another is given. */
  logic: { isSubmitting: boolean; failure: Error | null; phone?: string }
}

/** Shows the button that sends a form. Above it stands that the last try failed, until the next one. */
export function SubmitButton({ label, busyLabel, logic: { isSubmitting, failure, phone = brand.phone } }: Props) {
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
