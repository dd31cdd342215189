import type { ComponentProps, FocusEvent } from 'react'
import { formatPhone } from '../../../core/contract/contact.ts'
import { TextField } from '../../ui/text-field.tsx'

type Props = Omit<ComponentProps<typeof TextField>, 'label' | 'type' | 'autoComplete'>

/**
 * Shows a field for a phone number. It reads `(512) 555-0188` once it is left. Any text is accepted; what is no US number
 * stays as it is typed. Its text never changes as it gets the focus: what is selected then would no longer be replaced by
 * what is typed, and the number would be there twice.
 */
export function PhoneField({ onBlur, ...field }: Props) {
  function format(event: FocusEvent<HTMLInputElement>) {
    const { target } = event
    const formatted = formatPhone(target.value)
    if (target.value !== formatted) target.value = formatted
    return onBlur?.(event)
  }

  return <TextField {...field} label="Phone" type="tel" autoComplete="tel" onBlur={format} />
}
