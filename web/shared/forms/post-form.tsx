import type { ComponentProps, ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import type { ConsentText } from '../../../core/contract/consent.ts'
import type { RefusedForm } from '../../../core/contract/page.ts'
import { Alert } from '../../ui/alert.tsx'

type Props = {
  label: string
  /** What `usePostForm` gives. */
  logic: { formProps: ComponentProps<'form'>; initial: RefusedForm | undefined; consent: ConsentText }
  children: ReactNode
}

/** The form around the fields, with what a plain post must carry besides them. */
export function PostForm({ label, logic: { formProps, initial, consent }, children }: Props) {
  const { pathname, search } = useLocation()
  const problem = initial?.errors.form ?? initial?.errors.consent_version

  return (
    <form {...formProps} aria-label={label} className="relative">
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

/** A field that people neither see nor reach; what fills it in is a program. */
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
