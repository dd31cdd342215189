import { type ComponentProps, type ReactNode, useId } from 'react'
import { FieldError } from './field-error.tsx'

export function CheckboxField({
  label,
  error,
  ...input
}: Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; error?: string }) {
  const id = useId()
  const errorId = `${id}-error`

  return (
    <div>
      <div className="flex items-start gap-3 pt-1">
        <input
          id={id}
          {...input}
          type="checkbox"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? errorId : undefined}
          className="mt-0.5 size-6 shrink-0 accent-secondary"
        />
        <label htmlFor={id} className="text-[0.8125rem] leading-snug text-quiet">
          {label}
        </label>
      </div>
      <FieldError id={errorId} error={error} />
    </div>
  )
}
