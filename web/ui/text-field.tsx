import { type ComponentProps, useId } from 'react'
import { FieldError } from './field-error.tsx'

/** A labelled input with its error below it. Room for the error is kept free, so that nothing jumps. */
export function TextField({
  label,
  error,
  className = '',
  ...input
}: ComponentProps<'input'> & { label: string; error?: string }) {
  const id = useId()
  const errorId = `${id}-error`

  return (
    <div className={className}>
      <label htmlFor={id} className="block text-sm font-semibold text-ink">
        {label}
      </label>
      <input
        id={id}
        {...input}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? errorId : undefined}
        className="mt-1 block min-h-11 w-full rounded-lg border border-edge bg-white px-3 text-base text-ink transition-colors hover:border-secondary aria-invalid:border-bad aria-invalid:bg-bad-soft"
      />
      <FieldError id={errorId} error={error} />
    </div>
  )
}
