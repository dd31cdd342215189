import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import * as Menu from '@radix-ui/react-dropdown-menu'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router-dom'
import { z } from 'zod'
import { changePassword, PasswordChange, type Person } from '../../../core/staff/contract/session.ts'
import { call } from '../../lib/call.ts'
import { HttpError, sentenceOf } from '../../lib/http.ts'
import { Button } from '../../ui/button.tsx'
import { CloseButton, Dialog } from '../../ui/dialog.tsx'
import { Badge } from '../../ui/feedback.tsx'
import { MENU_CONTENT, MenuChoice, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { fieldsOf, TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { usePreferences } from '../preferences.ts'
import { NewPasswordFields, SessionList } from './parts.tsx'
import { storeSession, useLeave, usePerson } from './session.ts'
import { TwoStepSettings } from './two-step.tsx'

const ROLES = { manager: 'Manager', agent: 'Agent', viewer: 'Viewer' } as const

const DIALOGS = {
  password: { title: 'Change password', words: 'You will be signed out in other browsers.' },
  'two-step': {
    title: 'Two-step sign-in',
    words: 'A stolen password alone does not open your account then. Each change signs you out in other browsers.',
  },
  sessions: { title: 'My sessions', words: 'The browsers in which you are signed in.' },
} as const
type DialogName = keyof typeof DIALOGS

/** Shows the signed-in person and the actions for the account, or that the dashboard is open to everyone. */
export function AccountMenu() {
  const { person, isManager, isOpen } = usePerson()
  const [dialog, setDialog] = useState<DialogName>()
  const wanted = useRef<DialogName>(undefined)
  const { leave } = useLeave()
  const client = useQueryClient()
  function close() {
    // The session tells whether the account still lacks a factor.
    if (dialog === 'two-step') void client.invalidateQueries({ queryKey: ['session'] })
    setDialog(undefined)
  }
  const isAccount = person !== undefined && person.id !== null
  const want = (name: DialogName) => {
    wanted.current = name
  }

  if (!person) return null
  if (isOpen && !isAccount) return <OpenMenu />
  return (
    <>
      <Menu.Root modal={false}>
        <MenuButton person={person} />
        <Menu.Content
          align="end"
          sideOffset={6}
          collisionPadding={16}
          className={`w-64 ${MENU_CONTENT}`}
          // A dialog returns the focus to the element that had it, which must be this button.
          onCloseAutoFocus={() => {
            setDialog(wanted.current)
            wanted.current = undefined
          }}
        >
          <Menu.Label className="border-b border-line px-3 pt-1 pb-3 text-sm text-quiet wrap-anywhere">
            {person.email ?? 'Signed in with the shared password'}
          </Menu.Label>
          <SchemeChoice />
          <MenuSeparator />
          {person.id !== null && <MenuItem onChoose={() => want('password')}>Change password</MenuItem>}
          {person.id !== null && <MenuItem onChoose={() => want('two-step')}>Two-step sign-in</MenuItem>}
          <MenuItem onChoose={() => want('sessions')}>My sessions</MenuItem>
          {isManager && <SetupItem />}
          <MenuItem onChoose={leave}>Sign out</MenuItem>
        </Menu.Content>
      </Menu.Root>
      {dialog && (
        <Dialog
          title={DIALOGS[dialog].title}
          className={`${dialog === 'password' ? 'w-md' : 'w-2xl'} max-w-full p-6`}
          corner={<CloseButton onClick={close} />}
          onClose={close}
        >
          <p className="mt-1 mb-4 text-quiet">
            {dialog === 'sessions' && !isAccount
              ? 'The browsers that are signed in with the shared password.'
              : DIALOGS[dialog].words}
          </p>
          {dialog === 'password' && <PasswordChangeForm email={person.email} onDone={close} />}
          {dialog === 'two-step' && <TwoStepSettings />}
          {dialog === 'sessions' && <SessionList of="me" />}
        </Dialog>
      )}
    </>
  )
}

function MenuButton({ person: { id, name, role } }: { person: Person }) {
  const shown = id === null ? 'Shared password' : name
  return (
    <Menu.Trigger className="flex min-h-9 min-w-0 items-center gap-2 rounded-lg p-1 text-left max-lg:min-h-11 sm:pr-2 text-ink transition-colors hover:bg-mist">
      <span
        aria-hidden="true"
        className="grid size-7 shrink-0 place-items-center rounded-full bg-lilac text-sm font-semibold text-primary"
      >
        {shown.slice(0, 1).toUpperCase()}
      </span>
      <span className="sr-only">Account of</span>
      <span className="min-w-0 max-sm:sr-only">
        <span className="block max-w-48 truncate text-sm leading-tight font-semibold">{shown}</span>{' '}
        <span className="block text-xs leading-tight text-quiet">{ROLES[role]}</span>
      </span>
    </Menu.Trigger>
  )
}

const SCHEMES = { system: 'As the system', light: 'Light', dark: 'Dark' } as const

function SchemeChoice() {
  const { preferences, change } = usePreferences()
  return (
    <MenuChoice label="Colors" words={SCHEMES} value={preferences.scheme} onChoose={(scheme) => change({ scheme })} />
  )
}

/** The menu of a dashboard that is open to everyone, which has no account. */
function OpenMenu() {
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="flex min-h-9 items-center rounded-full px-1 hover:opacity-85 max-lg:min-h-11">
        <Badge tone="wait">
          Open<span className="max-sm:sr-only">&nbsp;to everyone</span>
        </Badge>
      </Menu.Trigger>
      <Menu.Content align="end" sideOffset={6} collisionPadding={16} className={MENU_CONTENT}>
        <SchemeChoice />
        <MenuSeparator />
        <SetupItem />
      </Menu.Content>
    </Menu.Root>
  )
}

function SetupItem() {
  const navigate = useNavigate()
  return <MenuItem onChoose={() => navigate({ search: '?tab=setup' })}>Setup</MenuItem>
}

function PasswordChangeForm({ email, onDone }: { email: string | null; onDone: () => void }) {
  const form = useForm({
    resolver: standardSchemaResolver(TypedTwice),
    defaultValues: { password: '', new_password: '', repeated: '' },
  })
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (body: z.output<typeof PasswordChange>) => call(changePassword, { body }),
    onSuccess: (session) => {
      storeSession(client, session)
      toast({ title: 'Success', description: 'Your password has been changed' })
      onDone()
      // The other sessions have ended.
      return client.invalidateQueries({ queryKey: ['staff', 'sessions'] })
    },
    onError: (error) => {
      const name = error instanceof HttpError && error.fields?.new_password ? 'new_password' : 'password'
      form.setError(name, { message: sentenceOf(error, name) }, { shouldFocus: true })
    },
  })
  return (
    <form
      onSubmit={form.handleSubmit(({ repeated: _, ...passwords }) => change.mutate(passwords))}
      noValidate
      aria-label="Change password"
    >
      {/* Tells password managers whose password it is. */}
      <input type="email" name="email" autoComplete="username" value={email ?? ''} readOnly hidden />
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
        {...fieldsOf(form)('password')}
      />
      <NewPasswordFields register={form.register} errors={form.formState.errors} />
      <Button type="submit" busy={change.isPending} className="mt-4 w-full">
        {change.isPending ? 'Saving...' : 'Save password'}
      </Button>
    </form>
  )
}

const TypedTwice = PasswordChange.extend({ repeated: z.string() }).refine(
  ({ new_password, repeated }) => new_password === repeated,
  { path: ['repeated'], error: 'The passwords do not match' },
)
