import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
import { usePasswordChange } from './use-password-change.ts'

type Props = { email: string | null; onDone: () => void }

export function PasswordChangeForm({ email, onDone }: Props) {
  const { form, submit, isSubmitting } = usePasswordChange(onDone)
  const { errors } = form.formState

  return (
    <form onSubmit={submit} noValidate aria-label="Change password" className="mt-5">
      {/* Tells password managers whose password it is. */}
      <input type="email" name="email" autoComplete="username" value={email ?? ''} readOnly hidden />
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
        error={errors.password?.message}
        {...form.register('password')}
      />
      <NewPasswordFields register={form.register} errors={errors} />
      <Button type="submit" busy={isSubmitting} className="mt-4 w-full">
        {isSubmitting ? 'Saving...' : 'Save password'}
      </Button>
    </form>
  )
}
