import type { ComponentProps, ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import type { ConsentText } from '../../../core/contract/consent.ts'
import type { ReturnedForm } from '../../../core/contract/page.ts'
import { Alert } from '../../ui/feedback.tsx'

type Props = {
  label: string
  /** The result of `usePostForm`. */
  logic: { formProps: ComponentProps<'form'>; initial: ReturnedForm | undefined; consent: ConsentText }
  children: ReactNode
}

/** Shows the form around its fields, with the hidden fields that a plain post requires. */
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
      <Trap />
      {children}
    </form>
  )
}

/** Shows a field that people neither see nor reach, so that a value in it means a bot. */
function Trap() {
  return (
    <div aria-hidden="true" className="absolute -left-[200vw] size-px overflow-hidden">
      <label>
        Leave this field empty
        <input type="text" name="topic" tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  )
}
