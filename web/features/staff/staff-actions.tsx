import type { StaffAccount } from '../../../core/contract/staff.ts'
import { countOf } from '../../lib/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { useChangeStaff } from './api/change-staff.ts'
import { useEndSessions } from './api/end-sessions.ts'
import { ConfirmButton } from './confirm-button.tsx'
import { ResetPasswordButton } from './reset-password-button.tsx'

export function StaffActions({ account }: { account: StaffAccount }) {
  const { id, name, disabled_at, open_sessions } = account
  const change = useChangeStaff()
  const endSessions = useEndSessions()

  if (disabled_at) {
    return (
      <Button
        variant="outline"
        size="small"
        busy={change.isPending}
        onClick={() => change.mutate({ id, update: { disabled: false } })}
      >
        Enable
      </Button>
    )
  }
  return (
    <div className="flex flex-wrap gap-2">
      <ResetPasswordButton account={account} />
      {open_sessions > 0 && (
        <ConfirmButton
          label="End sessions"
          title={`End the sessions of ${name}?`}
          busy={endSessions.isPending}
          onConfirm={(options) => endSessions.mutate(id, options)}
        >
          {countOf(open_sessions, 'browser')} will have to sign in again.
        </ConfirmButton>
      )}
      <ConfirmButton
        label="Disable"
        title="Disable this account?"
        danger
        busy={change.isPending}
        onConfirm={(options) => change.mutate({ id, update: { disabled: true } }, options)}
      >
        {name} is signed out everywhere and cannot sign in until the account is enabled again. What they did stays in
        the activity.
      </ConfirmButton>
    </div>
  )
}
