import {
  type ChangeEvent,
  type ClipboardEvent,
  type ComponentProps,
  type FocusEvent,
  type ReactNode,
  useId,
} from 'react'
import { formatPhone } from '../../../core/contract/texts.ts'
import { fiveDigits } from '../../lib/texts.ts'
import { FieldError, TextField } from '../../ui/text-field.tsx'

export function CheckboxField({
  label,
  note,
  error,
  ...input
}: Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; note?: string; error?: string }) {
  const id = useId()
  const [noteId, errorId] = [`${id}-note`, `${id}-error`]

  return (
    <div>
      <div className={`-mx-2 rounded-lg border px-2 py-1.5 ${error ? 'border-bad bg-bad-soft' : 'border-transparent'}`}>
        <div className="flex items-start gap-3">
          <input
            id={id}
            {...input}
            type="checkbox"
            aria-invalid={error ? true : undefined}
            aria-describedby={[note && noteId, error && errorId].filter(Boolean).join(' ') || undefined}
            className="mt-0.5 size-6 shrink-0 accent-secondary"
          />
          <label htmlFor={id} className="text-sm leading-snug text-quiet">
            {label}
          </label>
        </div>
        {note && (
          <p id={noteId} className="mt-1.5 pl-9 text-sm leading-snug text-quiet">
            {note}
          </p>
        )}
      </div>
      <FieldError id={errorId} error={error} />
    </div>
  )
}

type PhoneProps = Omit<ComponentProps<typeof TextField>, 'label' | 'type' | 'autoComplete'>

/**
 * Shows a field for a phone number. It reads `(512) 555-0188` once it is left. Any text is accepted; what is no US number
 * stays as it is typed. Its text never changes as it gets the focus: what is selected then would no longer be replaced by
 * what is typed, and the number would be there twice.
 */
export function PhoneField({ onBlur, ...field }: PhoneProps) {
  function format(event: FocusEvent<HTMLInputElement>) {
    const { target } = event
    const formatted = formatPhone(target.value)
    if (target.value !== formatted) target.value = formatted
    return onBlur?.(event)
  }

  return <TextField {...field} label="Phone" type="tel" autoComplete="tel" onBlur={format} />
}

type ZipCodeProps = Omit<ComponentProps<typeof TextField>, 'label' | 'onPaste'> & { label?: string }

export function ZipCodeField({ label = 'Zip Code', onChange, ...field }: ZipCodeProps) {
  // maxLength would cut a pasted " 90210-1234" to " 9021".
  function paste(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData('text')
    const zip = fiveDigits(text)
    if (zip === text) return
    event.preventDefault()
    event.currentTarget.value = zip
    onChange?.(event as unknown as ChangeEvent<HTMLInputElement>)
  }

  // Password managers fill in more than maxLength allows.
  function change(event: ChangeEvent<HTMLInputElement>) {
    event.target.value = fiveDigits(event.target.value)
    return onChange?.(event)
  }

  return (
    <TextField
      label={label}
      inputMode="numeric"
      autoComplete="postal-code"
      maxLength={5}
      {...field}
      onPaste={paste}
      onChange={change}
    />
  )
}
