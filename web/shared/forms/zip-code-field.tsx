import type { ChangeEvent, ClipboardEvent, ComponentProps } from 'react'
import { fiveDigits } from '../../lib/texts.ts'
import { TextField } from '../../ui/text-field.tsx'

type Props = Omit<ComponentProps<typeof TextField>, 'label' | 'onPaste'> & {
  label?: string
  /** Called with the five digits of a pasted zip code that was longer. */
  onPasteZip?: (zip: string) => void
}

export function ZipCodeField({ label = 'Zip Code', onPasteZip, onChange, ...field }: Props) {
  // maxLength would cut a pasted " 90210-1234" to " 9021".
  function paste(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData('text')
    const zip = fiveDigits(text)
    if (zip === text) return
    event.preventDefault()
    event.currentTarget.value = zip
    onPasteZip?.(zip)
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
