import { type ComponentProps, type ReactNode, useId } from 'react'
import type { FieldValues, Path, RegisterOptions, UseFormReturn } from 'react-hook-form'

const INPUT =
  'mt-1 block min-h-11 w-full rounded-lg border border-edge bg-background px-3 text-base text-ink transition-colors hover:border-secondary focus-visible:-outline-offset-1 aria-invalid:border-bad aria-invalid:bg-bad-soft'

type Labelled = { label: string; error?: string; className?: string }

export function fieldsOf<T extends FieldValues, Out>({
  register,
  formState: { errors },
}: UseFormReturn<T, unknown, Out>) {
  return <Name extends Path<T>>(name: Name, options?: RegisterOptions<T, Name>) => ({
    error: errors[name]?.message as string | undefined,
    ...register(name, options),
  })
}

/** Shows errors at their fields, and focuses the first. Returns whether there was one. */
export function showErrors<T extends FieldValues>(
  form: UseFormReturn<T>,
  errors: Record<string, string> = {},
): boolean {
  const entries = Object.entries(errors)
  for (const [position, [path, message]] of entries.entries()) {
    form.setError(path.split('.')[0] as Path<T>, { message }, { shouldFocus: position === 0 })
  }
  return entries.length > 0
}

/** A labelled input with its error below. Room for one line is kept free, so that nothing jumps. */
export function TextField({ label, error, className, ...input }: ComponentProps<'input'> & Labelled) {
  return (
    <Field label={label} error={error} className={className}>
      {(ids) => <input {...input} {...ids} className={INPUT} />}
    </Field>
  )
}

export function TextAreaField({ label, error, className, ...textArea }: ComponentProps<'textarea'> & Labelled) {
  return (
    <Field label={label} error={error} className={className}>
      {(ids) => <textarea {...textArea} {...ids} className={`${INPUT} py-2`} />}
    </Field>
  )
}

export function ListField({ label, error, className, ...list }: ComponentProps<'select'> & Labelled) {
  return (
    <Field label={label} error={error} className={className}>
      {(ids) => <select {...list} {...ids} className={INPUT} />}
    </Field>
  )
}

/** The attributes that tie an input to its label and its error. */
type Ties = { id: string; 'aria-invalid'?: true; 'aria-describedby'?: string }

function Field({ label, error, className = '', children }: Labelled & { children: (ties: Ties) => ReactNode }) {
  const id = useId()
  const errorId = `${id}-error`
  const ties = error ? ({ id, 'aria-invalid': true, 'aria-describedby': errorId } as const) : { id }

  return (
    <div className={className}>
      <label htmlFor={id} className="block text-sm font-semibold text-ink">
        {label}
      </label>
      {children(ties)}
      <FieldError id={errorId} error={error} />
    </div>
  )
}

const BELOW =
  'mb-2 min-h-6 pt-1 text-[0.8125rem] leading-snug in-[.compact]:mb-0 in-[.compact]:min-h-5 in-[.compact]:pt-0.5'

/** Shows what is wrong with a field. It is always there, because a screen reader announces only what changes in it. */
export function FieldError({ id, error }: { id: string; error?: string }) {
  return (
    <p id={id} aria-live="polite" className={`${BELOW} text-bad`}>
      {error}
    </p>
  )
}
