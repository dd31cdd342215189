import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import {
  addStaff,
  NewStaff,
  resetSignIn,
  type SharedPassword,
  type StaffAccount,
  type StaffLink,
  StaffRole,
  type StaffUpdate,
  switchOffSharedPassword,
  updateStaff,
} from '../../../core/staff/contract/staff.ts'
import { act, call } from '../../lib/call.ts'
import { formatDay, formatMoment, formatSince } from '../../lib/dates.ts'
import { HttpError, sentenceOf } from '../../lib/http.ts'
import { countOf, formatCount } from '../../lib/numbers.ts'
import { ActionButton, ConfirmAction } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CheckField } from '../../ui/check-field.tsx'
import { DialogButton, FormDialog } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Badge, type Tone } from '../../ui/feedback.tsx'
import { SavedSelect } from '../../ui/saved-select.tsx'
import { Cell, LoadedTable, Row } from '../../ui/table.tsx'
import { fieldsOf, TextField } from '../../ui/text-field.tsx'
import { ROLES, useStaff } from '../access.tsx'
import { usePerson } from '../session/session.ts'

export function StaffPanel() {
  const { person, isOpen } = usePerson()
  const query = useStaff()

  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-prose text-quiet">
          With accounts, everyone acts under their own name, and access can be removed one person at a time.
        </p>
        <DialogButton variant="primary" dialog={(close) => <AddStaffDialog onClose={close} />}>
          Add an account
        </DialogButton>
      </div>
      <LoadedTable
        of={query}
        fallback="Failed to load the accounts"
        columns={COLUMNS}
        rows={({ staff }) =>
          staff.map((account) => <StaffRow key={account.id} account={account} isOwn={account.id === person?.id} />)
        }
        empty={isOpen ? OPEN_EMPTY : 'No accounts yet. Until then, everyone signs in with the shared password.'}
      />
      {query.data && <SharedPasswordCard {...query.data.shared_password} />}
    </div>
  )
}

const OPEN_EMPTY = 'No accounts yet. This dashboard is open: everyone who opens it is a manager.'

function SharedPasswordCard({ state, can_switch_off }: SharedPassword) {
  const client = useQueryClient()
  if (state === 'none') return null
  return (
    <Card title="Shared password">
      {state === 'off' ? (
        <p className="max-w-prose text-quiet">
          The shared password is turned off: everyone signs in with an account. To turn it on again, run{' '}
          <code className="text-ink">npm run staff -- shared-password-on</code> on the server.
        </p>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p className="max-w-prose text-quiet">
            Anyone who knows the shared password is a manager, and the activity log cannot show who acted.{' '}
            {can_switch_off
              ? 'We recommend turning it off: managers have accounts now.'
              : 'We recommend turning it off. First, a manager needs an account with a password.'}
          </p>
          {can_switch_off && (
            <ConfirmAction
              label="Turn off"
              title="Turn off the shared password?"
              act={() => act(switchOffSharedPassword)}
              done={() => {
                // Sessions of the shared password have ended, possibly this one.
                void client.invalidateQueries({ queryKey: ['session'] })
                return 'The shared password is turned off'
              }}
              failed="Failed to turn off the shared password"
              changes="staff"
            >
              Everyone who signed in with it is signed out, and only accounts can sign in. It can be turned on again
              only on the server.
            </ConfirmAction>
          )}
        </div>
      )}
    </Card>
  )
}

const COLUMNS = ['Name', 'Role', 'Last Seen', 'Active Sessions', 'Actions'] as const

/** Shows an account. Its own role and state cannot be changed here, so that managers do not lock themselves out. */
function StaffRow({ account, isOwn }: { account: StaffAccount; isOwn: boolean }) {
  return (
    <Row>
      <Cell label="Name" className="col-span-2 sm:col-span-4">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold text-ink wrap-anywhere">
          {account.name}
          {isOwn && <Badge>You</Badge>}
          {account.disabled_at && <Badge tone="bad">Disabled</Badge>}
          <LinkBadge {...account} />
          {account.two_step && <Badge tone="good">Two-step sign-in</Badge>}
        </span>
        <span className="block text-sm text-quiet wrap-anywhere">{account.email}</span>
        <LinkDetails {...account} />
        <span className="block text-sm text-quiet">Since {formatDay(account.created_at)}</span>
      </Cell>
      <Cell label="Role">
        {isOwn ? (
          ROLES[account.role].name
        ) : (
          <SavedSelect
            label={`Role of ${account.name}`}
            words={ROLE_WORDS}
            value={account.role}
            act={(role) => changeOf(account.id, { role }).act()}
            {...CHANGED}
          />
        )}
      </Cell>
      <Cell label="Last Seen">{account.last_seen_at ? formatSince(account.last_seen_at) : '–'}</Cell>
      <Cell label="Active Sessions">{formatCount(account.open_sessions)}</Cell>
      <Cell label="Actions" className="col-span-2 sm:col-span-4">
        {isOwn ? (
          <p className="max-w-xs text-sm text-quiet">Only another manager can change your account.</p>
        ) : (
          <StaffActions account={account} />
        )}
      </Cell>
    </Row>
  )
}

const ROLE_WORDS = StaffRole.options.map((role) => [role, ROLES[role].name] as const)

const NAMES: Record<StaffLink['kind'], string> = { invitation: 'Invitation', reset: 'Reset link' }

const STATES: Record<StaffLink['state'], { words: string; tone: Tone }> = {
  sending: { words: 'is being sent', tone: 'wait' },
  retrying: { words: 'not delivered yet', tone: 'wait' },
  sent: { words: 'sent', tone: 'wait' },
  failed: { words: 'could not be delivered', tone: 'bad' },
  expired: { words: 'expired', tone: 'bad' },
}

function LinkBadge({ has_password, link, disabled_at }: StaffAccount) {
  if (has_password || disabled_at) return null
  if (!link) return <Badge tone="bad">No password yet</Badge>
  const { words, tone } = STATES[link.state]
  return <Badge tone={tone}>{`${NAMES[link.kind]} ${words}`}</Badge>
}

function LinkDetails({ has_password, link, disabled_at }: StaffAccount) {
  if (has_password || disabled_at || !link) return null
  const { state, error, expires_at } = link
  if (error) return <span className="block text-sm text-bad wrap-anywhere">{error}</span>
  if (state !== 'sent' || !expires_at) return null
  return <span className="block text-sm text-quiet">The link works until {formatMoment(expires_at)}.</span>
}

function AddStaffDialog({ onClose }: { onClose: () => void }) {
  const [added, setAdded] = useState<StaffAccount>()
  const form = useForm({
    resolver: standardSchemaResolver(NewStaff),
    defaultValues: { name: '', email: '', role: 'viewer' as const },
  })
  const field = fieldsOf(form)
  const client = useQueryClient()
  const add = useMutation({
    mutationFn: (body: NewStaff) => call(addStaff, { body }),
    onSuccess: (account) => {
      setAdded(account)
      return client.invalidateQueries({ queryKey: ['staff'] })
    },
    onError: (error) => {
      // A conflict is about the email.
      const name = error instanceof HttpError && error.fields?.name ? 'name' : 'email'
      form.setError(name, { message: sentenceOf(error, name) }, { shouldFocus: true })
    },
  })
  if (added) {
    return (
      <Dialog title="Account added" className="w-lg max-w-full p-6" onClose={onClose}>
        <p className="mt-2">
          An invitation is on its way to <strong className="text-ink">{added.email}</strong>. With its link,{' '}
          {added.name} chooses a password within 72 hours. The list shows whether the email was delivered.
        </p>
        <div className="mt-6 flex justify-end">
          <Button onClick={onClose}>Done</Button>
        </div>
      </Dialog>
    )
  }
  return (
    <FormDialog
      title="Add an account"
      submit="Add account"
      busy={add.isPending}
      onSubmit={form.handleSubmit((newcomer) => add.mutate(newcomer))}
      onClose={onClose}
    >
      <TextField label="Name" autoComplete="off" required {...field('name')} />
      <TextField label="Email" type="email" autoComplete="off" required {...field('email')} />
      <fieldset>
        <legend className="text-sm font-semibold text-ink">Role</legend>
        {StaffRole.options.map((role) => (
          <CheckField
            key={role}
            type="radio"
            value={role}
            label={ROLES[role].name}
            hint={ROLES[role].may}
            {...form.register('role')}
          />
        ))}
      </fieldset>
    </FormDialog>
  )
}

const changeOf = (id: number, body: StaffUpdate) => ({
  act: () => call(updateStaff, { params: { id }, body }),
  ...CHANGED,
})
const CHANGED = { done: 'Account changed', failed: 'Failed to change the account', changes: 'staff' } as const

function StaffActions({ account }: { account: StaffAccount }) {
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
