import type { StaffAccount } from '../../../core/contract/staff.ts'
import { countOf } from '../../lib/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { useChangeStaff } from './api/change-staff.ts'
import { useEndSessions } from './api/end-sessions.ts'
import { useResetFactors } from './api/reset-factors.ts'
import { useSendLink } from './api/send-link.ts'

export function StaffActions({ account }: { account: StaffAccount }) {
  const { id, name, disabled_at, open_sessions, factors } = account
  const change = useChangeStaff()
  const endSessions = useEndSessions()
  const reset = useResetFactors()

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
      <LinkButton account={account} />
      {factors.length > 0 && (
        <ConfirmButton
          label="Reset two-step sign-in"
          title={`Reset the two-step sign-in of ${name}?`}
          danger
          busy={reset.isPending}
          onConfirm={(options) => reset.mutate(id, options)}
        >
          For someone who has lost their phone, passkeys and recovery codes. Make sure that it is really {name} who asks
          for it: until they set it up again, the password alone opens the account. Their sessions end, and they are
          told by e-mail.
        </ConfirmButton>
      )}
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

/** Asks first where there is a password to lose. */
function LinkButton({ account: { id, name, email, has_password } }: { account: StaffAccount }) {
  const send = useSendLink()
  if (!has_password) {
    return (
      <Button variant="outline" size="small" busy={send.isPending} onClick={() => send.mutate(id)}>
        Send again
      </Button>
    )
  }
  return (
    <ConfirmButton
      label="Reset password"
      title="Reset this password?"
      danger
      busy={send.isPending}
      onConfirm={(options) => send.mutate(id, options)}
    >
      The password of {name} stops working, and their sessions end. A link to choose a new one is sent to {email}.
    </ConfirmButton>
  )
}
