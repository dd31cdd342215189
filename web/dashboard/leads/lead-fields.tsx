import type { FieldErrors, UseFormRegister } from 'react-hook-form'
import { TextField } from '../../ui/text-field.tsx'

export type TypedLead = { first_name: string; last_name: string; email: string; phone: string; zip_code: string }

type Props = { register: UseFormRegister<TypedLead>; errors: FieldErrors<TypedLead> }

/** Renders the fields that describe a person, for staff who type them. */
export function LeadFields({ register, errors }: Props) {
  return (
    <div className="grid gap-x-3 sm:grid-cols-2">
      {FIELDS.map(({ name, label, ...input }) => (
        <TextField
          key={name}
          label={label}
          autoComplete="off"
          error={errors[name]?.message}
          {...input}
          {...register(name)}
        />
      ))}
    </div>
  )
}

const FIELDS = [
  { name: 'first_name', label: 'First name' },
  { name: 'last_name', label: 'Last name' },
  { name: 'phone', label: 'Phone number', type: 'tel' },
  { name: 'email', label: 'E-mail', type: 'email' },
  { name: 'zip_code', label: 'Zip code', inputMode: 'numeric' },
] as const
