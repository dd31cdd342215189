import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { GateCard } from './gate-card.tsx'
import { usePasswordForm } from './use-password-form.ts'

export function PasswordPrompt({ notice }: { notice?: string }) {
  const { form, submit, isSubmitting, withAccount, switchWay } = usePasswordForm()
  const { errors } = form.formState
  const usual = withAccount ? 'Enter your e-mail and your password.' : 'Enter the password to continue.'

  return (
    <GateCard title="Admin Dashboard" notice={notice ?? usual}>
      <form onSubmit={submit} noValidate className="mt-5">
        {withAccount && (
          <TextField
            label="Email"
            type="email"
            autoComplete="username"
            required
            error={errors.email?.message}
            {...form.register('email')}
          />
        )}
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          error={errors.password?.message}
          {...form.register('password')}
        />
        <Button type="submit" busy={isSubmitting} className="mt-2 w-full">
          {isSubmitting ? 'Signing in...' : 'Sign in'}
        </Button>
      </form>
      <div className="mt-5 border-t border-line pt-4 text-center">
        <Button variant="ghost" size="small" onClick={switchWay}>
          {withAccount ? 'Use the shared password instead' : 'Use my account instead'}
        </Button>
      </div>
    </GateCard>
  )
}
