import { Button } from '../../ui/button.tsx'
import { Logo } from '../../ui/logo.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { usePasswordForm } from './use-password-form.ts'

export function PasswordPrompt({ notice }: { notice?: string }) {
  const { form, submit, isSubmitting } = usePasswordForm()

  return (
    <div className="w-full max-w-sm rounded-2xl border border-line bg-white p-6 sm:p-8">
      <div className="text-primary">
        <Logo />
      </div>
      <h1 className="mt-6 font-display text-3xl font-medium text-ink">Admin Dashboard</h1>
      <p role="status" className="mt-1 text-quiet">
        {notice ?? 'Enter the password to continue.'}
      </p>
      <form onSubmit={submit} noValidate className="mt-5">
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          error={form.formState.errors.password?.message}
          {...form.register('password')}
        />
        <Button type="submit" busy={isSubmitting} className="mt-2 w-full">
          {isSubmitting ? 'Signing in...' : 'Sign in'}
        </Button>
      </form>
    </div>
  )
}
