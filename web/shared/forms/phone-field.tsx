import type { ComponentProps, FocusEvent } from 'react'
import { formatPhone } from '../../../core/contract/phones.ts'
import { TextField } from '../../ui/text-field.tsx'

type Props = Omit<ComponentProps<typeof TextField>, 'label' | 'type' | 'autoComplete' | 'onFocus'>

/**
 * Shows a field for a phone number. It reads `(512) 555-0188` once it is left, and has only the digits while it is typed
 * in. Any text is accepted; what is no US number stays as it is typed.
 */
export function PhoneField({ onBlur, ...field }: Props) {
  function format(event: FocusEvent<HTMLInputElement>) {
    replace(event.target, formatPhone(event.target.value))
    return onBlur?.(event)
  }

  return (
    <TextField
      {...field}
      label="Phone"
      type="tel"
      autoComplete="tel"
      onBlur={format}
      onFocus={({ target }) => replace(target, digitsOf(target.value))}
    />
  )
}

/** Returns the digits of a formatted number, and any other text as it is. */
function digitsOf(text: string): string {
  const digits = text.replace(/\D/g, '')
  return text === formatPhone(digits) ? digits : text
}

/** Writes a text into a field. What was selected as a whole stays so, as it is after Tab. */
function replace(input: HTMLInputElement, text: string): void {
  const { value, selectionStart, selectionEnd } = input
  if (value === text) return
  input.value = text
  if (selectionStart === 0 && selectionEnd === value.length) input.select()
}
