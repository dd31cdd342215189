import { useQuery } from '@tanstack/react-query'
import {
  listStaff,
  resetSignIn,
  type StaffAccount,
  type StaffRole,
  type StaffUpdate,
  updateStaff,
} from '../../../core/staff/contract/staff.ts'
import { call } from '../../lib/call.ts'
import { countOf } from '../../lib/numbers.ts'
import { ActionButton, ConfirmAction } from '../../ui/action-button.tsx'

/** Returns the accounts and the state of the shared password. Requires a manager. */
export function useStaff({ enabled }: { enabled: boolean }) {
  return useQuery({
    queryKey: ['staff', 'list'],
    queryFn: () => call(listStaff),
    // Sessions change at any time, so the accounts are read again whenever they are shown.
    refetchOnMount: 'always',
    enabled,
  })
}

/** The name and the rights of each role. */
export const ROLES: Record<StaffRole, { name: string; may: string }> = {
  viewer: {
    name: 'Viewer',
    may: 'Can see leads, applications, providers and the activity without emails and phone numbers, and change nothing.',
  },
  agent: {
    name: 'Agent',
    may: 'Can also see emails and phone numbers, enter and correct leads, record outcomes, pass leads on, resend emails, write notes, and stop contact with a person.',
  },
  manager: {
    name: 'Manager',
    may: 'Can also match, release, delete and export, sync providers, change rules and alerts, and manage accounts.',
  },
}

/** The change of an account, with what is said of it. */
export const changeOf = (id: number, body: StaffUpdate) => ({
  act: () => call(updateStaff, { params: { id }, body }),
  ...CHANGED,
})
export const CHANGED = { done: 'Account changed', failed: 'Failed to change the account', changes: 'staff' } as const

export function StaffActions({ account }: { account: StaffAccount }) {
  const { id, name, disabled_at, open_sessions, two_step } = account
  if (disabled_at) return <ActionButton {...changeOf(id, { disabled: false })}>Enable</ActionButton>
  return (
    <div className="flex flex-wrap gap-2">
      <LinkButton account={account} />
      {two_step && (
        <ConfirmAction
          label="Reset two-step sign-in"
          title={`Reset the two-step sign-in of ${name}?`}
          danger
          act={() => call(resetSignIn, { params: { id }, body: { what: 'factors' } })}
          done="Two-step sign-in reset"
          failed="Failed to reset two-step sign-in"
          changes="staff"
        >
          For someone who lost their phone and recovery codes. Make sure that it is really {name} who asks: until they
          set it up again, the password alone opens the account. Their sessions end, and they are notified by email.
        </ConfirmAction>
      )}
      {open_sessions > 0 && (
        <ConfirmAction
          label="End sessions"
          title={`End the sessions of ${name}?`}
          act={() => call(resetSignIn, { params: { id }, body: { what: 'sessions' } })}
          done="Sessions ended"
          failed="Failed to end sessions"
          changes="staff"
        >
          {countOf(open_sessions, 'browser')} will have to sign in again.
        </ConfirmAction>
      )}
      <ConfirmAction label="Disable" title="Disable this account?" danger {...changeOf(id, { disabled: true })}>
        {name} is signed out everywhere and cannot sign in until the account is enabled again. What they did stays in
        the activity.
      </ConfirmAction>
    </div>
  )
}

/** Sends a link to choose a password. Asks first if the account has a password to lose. */
function LinkButton({ account: { id, name, email, has_password } }: { account: StaffAccount }) {
  const send = {
    act: () => call(resetSignIn, { params: { id }, body: { what: 'password' } }),
    done: `A link is on its way to ${email}`,
    failed: 'Failed to send the link',
    changes: 'staff',
  } as const
  if (!has_password) return <ActionButton {...send}>Send again</ActionButton>
  return (
    <ConfirmAction label="Reset password" title="Reset this password?" danger {...send}>
      The password of {name} stops working, and their sessions end. A link to choose a new one is sent to {email}.
    </ConfirmAction>
  )
}
