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
