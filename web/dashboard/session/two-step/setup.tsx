import { useQueryClient } from '@tanstack/react-query'
import { Button } from '../../../ui/button.tsx'
import { Logo } from '../../../ui/logo.tsx'
import { useLeave } from '../use-leave.ts'
import { TwoStepSettings } from './settings.tsx'

/** In place of the dashboard as long as the account must have two-step sign-in and has none. */
export function TwoStepSetup() {
  const client = useQueryClient()
  const { leave, isLeaving } = useLeave()
  return (
    <div className="w-full max-w-2xl rounded-2xl border border-line bg-white p-6 sm:p-8">
      <div className="text-primary">
        <Logo />
      </div>
      <h1 className="mt-6 font-display text-3xl font-medium text-ink">Set up two-step sign-in</h1>
      <p className="mt-1 text-quiet">
        Your account must have it. Choose an authenticator app or a passkey; then the dashboard opens.
      </p>
      <TwoStepSettings onCodesSaved={() => void client.invalidateQueries({ queryKey: ['session'] })} />
      <div className="mt-2 border-t border-line pt-4">
        <Button variant="ghost" size="small" busy={isLeaving} onClick={leave}>
          Sign out
        </Button>
      </div>
    </div>
  )
}
