import type { FieldErrors, UseFormRegister } from 'react-hook-form'
import { MIN_PASSWORD_LENGTH } from '../../../core/contract/staff.ts'
import { TextField } from '../../ui/text-field.tsx'

type Typed = { new_password: string; repeated: string }

/** A new password, typed twice, and what makes a good one. */
export function NewPasswordFields({
  register,
  errors,
}: {
  register: UseFormRegister<Typed>
  errors: FieldErrors<Typed>
}) {
  return (
    <>
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        error={errors.new_password?.message}
        {...register('new_password')}
      />
      <TextField
        label="Confirm new password"
        type="password"
        autoComplete="new-password"
        required
        error={errors.repeated?.message}
        {...register('repeated')}
      />
      <p className="text-sm text-quiet">
        {MIN_PASSWORD_LENGTH} characters or more. A few words in a row are easy to remember and hard to guess.
      </p>
    </>
  )
}
