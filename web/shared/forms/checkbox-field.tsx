import { type ComponentProps, type ReactNode, useId } from 'react'
import { FieldError } from '../../ui/text-field.tsx'

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
      <div className="flex items-start gap-3 pt-1">
        <input
          id={id}
          {...input}
          type="checkbox"
          aria-invalid={error ? true : undefined}
          aria-describedby={[note && noteId, error && errorId].filter(Boolean).join(' ') || undefined}
          className="mt-0.5 size-6 shrink-0 accent-secondary"
        />
        <label htmlFor={id} className="text-[0.8125rem] leading-snug text-quiet">
          {label}
        </label>
      </div>
      {note && (
        <p id={noteId} className="mt-1.5 pl-9 text-[0.8125rem] leading-snug text-quiet">
          {note}
        </p>
      )}
      <FieldError id={errorId} error={error} />
    </div>
  )
}
