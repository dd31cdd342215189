import { SHORTEST_PASSWORD } from '../../../core/contract/staff.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { usePasswordChange } from './use-password-change.ts'

type Props = {
  /** What the password is called that is good until now. */
  current: string
  email: string | null
  onDone?: () => void
}

export function PasswordChangeForm({ current, email, onDone }: Props) {
  const { form, submit, isSubmitting } = usePasswordChange(onDone)
  const { errors } = form.formState

  return (
    <form onSubmit={submit} noValidate aria-label="Change password" className="mt-5">
      {/* Tells password managers whose password it is. */}
      <input type="email" name="email" autoComplete="username" value={email ?? ''} readOnly hidden />
      <TextField
        label={current}
        type="password"
        autoComplete="current-password"
        required
        error={errors.password?.message}
        {...form.register('password')}
      />
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        error={errors.new_password?.message}
        {...form.register('new_password')}
      />
      <TextField
        label="Confirm new password"
        type="password"
        autoComplete="new-password"
        required
        error={errors.repeated?.message}
        {...form.register('repeated')}
      />
      <p className="text-sm text-quiet">
        {SHORTEST_PASSWORD} characters or more. A few words in a row are easy to remember and hard to guess.
      </p>
      <Button type="submit" busy={isSubmitting} className="mt-4 w-full">
        {isSubmitting ? 'Saving...' : 'Save password'}
      </Button>
    </form>
  )
}
