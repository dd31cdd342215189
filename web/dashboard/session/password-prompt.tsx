import { Button, buttonClass } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { GateCard } from './gate-card.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { singleSignOnUrl } from './single-sign-on.ts'
import { usePasswordForm } from './use-password-form.ts'

export function PasswordPrompt({ notice }: { notice?: string }) {
  const { form, submit, isSubmitting, withAccount, switchWay, canSwitch, isEmpty, canUsePasskey, singleSignOn } =
    usePasswordForm()
  const { errors } = form.formState
  const usual = withAccount ? 'Enter your e-mail and your password.' : 'Enter the password to continue.'

  if (isEmpty) return <FirstManager />
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
      {canUsePasskey && <PasskeyButton label="Sign in with a passkey" />}
      {singleSignOn !== null && (
        <a href={singleSignOnUrl()} className={`${buttonClass({ variant: 'outline' })} mt-3 w-full`}>
          {singleSignOn}
        </a>
      )}
      <div className="mt-5 grid justify-items-center gap-2 border-t border-line pt-4 text-center">
        {withAccount && <p className="text-sm text-quiet">Forgot your password? Ask a manager to reset it.</p>}
        {canSwitch && (
          <Button variant="ghost" size="small" onClick={switchWay}>
            {withAccount ? 'Use the shared password instead' : 'Use my account instead'}
          </Button>
        )}
      </div>
    </GateCard>
  )
}

/** While there is nothing to sign in with. */
function FirstManager() {
  return (
    <GateCard
      title="Admin Dashboard"
      notice="No one can sign in yet. Make the account of the first manager on the machine where Leadwell is installed, then reload this page:"
    >
      <pre className="mt-4 rounded-lg border border-line bg-mist px-4 py-3 font-mono text-sm whitespace-pre-wrap text-ink">
        npm run staff -- add --name &quot;Ada Park&quot; --email ada@example.com --role manager
      </pre>
      <p className="mt-3 text-sm text-quiet">
        In a container: <code>node dist/core/cli/staff.js add …</code>
      </p>
    </GateCard>
  )
}
