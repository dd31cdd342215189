import { type ComponentProps, type ReactNode, useId } from 'react'

const INPUT =
  'mt-1 block min-h-11 w-full rounded-lg border border-edge bg-background px-3 text-base text-ink transition-colors hover:border-secondary aria-invalid:border-bad aria-invalid:bg-bad-soft'

type Labelled = { label: string; error?: string; className?: string }

/** A labelled input with its error below it. Room for the error is kept free, so that nothing jumps. */
export function TextField({ label, error, className, ...input }: ComponentProps<'input'> & Labelled) {
  return (
    <Field label={label} error={error} className={className}>
      {(ids) => <input {...input} {...ids} className={INPUT} />}
    </Field>
  )
}

/** Renders a field for several lines of text, with its label and error. */
export function TextAreaField({ label, error, className, ...textArea }: ComponentProps<'textarea'> & Labelled) {
  return (
    <Field label={label} error={error} className={className}>
      {(ids) => <textarea {...textArea} {...ids} className={`${INPUT} py-2`} />}
    </Field>
  )
}

/** The attributes that tie an input to its label and its error. */
type Ties = { id: string; 'aria-invalid'?: true; 'aria-describedby'?: string }

function Field({ label, error, className = '', children }: Labelled & { children: (ties: Ties) => ReactNode }) {
  const id = useId()
  const errorId = `${id}-error`

  return (
    <div className={className}>
      <label htmlFor={id} className="block text-sm font-semibold text-ink">
        {label}
      </label>
      {children(error ? { id, 'aria-invalid': true, 'aria-describedby': errorId } : { id })}
      <FieldError id={errorId} error={error} />
    </div>
  )
}

export function FieldError({ id, error }: { id: string; error?: string }) {
  return (
    <p id={id} className="mb-2 min-h-5.5 pt-1 text-[0.8125rem] leading-snug text-bad">
      {error}
    </p>
  )
}
