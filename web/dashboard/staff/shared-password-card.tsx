import { useQueryClient } from '@tanstack/react-query'
import { type SharedPassword, switchOffSharedPassword } from '../../../core/contract/staff.ts'
import { act } from '../../lib/call.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'

/** Recommends to switch the shared password off as long as it is on. */
export function SharedPasswordCard({ state, can_switch_off }: SharedPassword) {
  const client = useQueryClient()
  const switchOff = useAction({
    act: () => act(switchOffSharedPassword),
    done: () => {
      toast({ title: 'Success', description: 'The shared password is switched off' })
      // Those who came in with it are signed out.
      void client.invalidateQueries({ queryKey: ['session'] })
    },
    failed: 'Failed to switch off the shared password',
    changes: 'staff',
  })
  if (state === 'none') return null
  return (
    <section aria-labelledby="shared-password" className="rounded-2xl border border-line bg-white p-4 sm:p-6">
      <h2 id="shared-password" className="font-display text-2xl font-medium text-ink">
        Shared password
      </h2>
      {state === 'off' ? (
        <p className="mt-1 max-w-prose text-quiet">
          The shared password is switched off: everyone signs in with an account. To switch it on again, run{' '}
          <code className="text-ink">npm run staff -- shared-password-on</code> where Leadwell is installed.
        </p>
      ) : (
        <div className="mt-1 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p className="max-w-prose text-quiet">
            Anyone who knows the shared password is a manager, and the activity cannot say who it was.{' '}
            {can_switch_off
              ? 'We recommend switching it off: managers have accounts of their own now.'
              : 'We recommend switching it off. First, a manager needs an account with a password of their own.'}
          </p>
          {can_switch_off && (
            <ConfirmButton
              label="Switch off"
              title="Switch off the shared password?"
              busy={switchOff.isPending}
              onConfirm={(options) => switchOff.mutate(undefined, options)}
            >
              Everyone who signed in with it is signed out, and only accounts can sign in. It can be switched on again
              only where Leadwell is installed.
            </ConfirmButton>
          )}
        </div>
      )}
    </section>
  )
}
