import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import {
  deviceName,
  endSession,
  listSessions,
  type Person,
  requestReset,
} from '../../../core/staff/contract/session.ts'
import { act, call } from '../../lib/call.ts'
import { formatMoment, formatSince } from '../../lib/dates.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Badge } from '../../ui/feedback.tsx'
import { Loaded } from '../../ui/load-error.tsx'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { ROLES, usePreferences } from '../access.tsx'
import { useAttention } from '../attention/attention.ts'
import { Red } from '../notices.tsx'
import { useKnownTabs } from '../tabs.tsx'
import { useLeave, usePerson } from './session.ts'
import { TwoStepSettings } from './two-step.tsx'

const DIALOGS = {
  password: {
    title: 'Change password',
    words: 'We email you a link to choose a new one. When you use it, you are signed out in your other browsers.',
  },
  'two-step': {
    title: 'Two-step sign-in',
    words: 'A stolen password alone does not open your account then. Each change signs you out in other browsers.',
  },
  sessions: { title: 'My sessions', words: 'The browsers in which you are signed in.' },
} as const
type DialogName = keyof typeof DIALOGS

export function AccountMenu() {
  const { person, isOpen } = usePerson()
  const [dialog, setDialog] = useState<DialogName>()
  const { leave } = useLeave()
  const client = useQueryClient()
  function close() {
    // The session tells whether the account still lacks a factor.
    if (dialog === 'two-step') void client.invalidateQueries({ queryKey: ['session'] })
    setDialog(undefined)
  }
  const isAccount = person !== undefined && person.id !== null
  const hasSession = isAccount || !isOpen
  const { preferences, change } = usePreferences()

  if (!person) return null
  return (
    <>
      <Menu
        className="w-64"
        button={{
          className:
            'flex min-h-9 min-w-0 items-center gap-2 rounded-lg p-1 text-left max-lg:min-h-11 sm:pr-2 text-ink transition-colors hover:bg-mist',
          children: hasSession ? <Signed person={person} /> : OPEN,
        }}
      >
        {hasSession && (
          <p className="border-b border-line px-3 pt-1 pb-3 text-sm text-quiet wrap-anywhere">
            {person.email ?? 'Signed in with the shared password'}
          </p>
        )}
        <MenuChoice
          label="Colors"
          words={SCHEMES}
          value={preferences.scheme}
          onChoose={(scheme) => change({ scheme })}
        />
        <MenuSeparator />
        {(Object.keys(DIALOGS) as DialogName[])
          .filter((name) => isAccount || (hasSession && name === 'sessions'))
          .map((name) => (
            <MenuItem key={name} onChoose={() => setDialog(name)}>
              {DIALOGS[name].title}
            </MenuItem>
          ))}
        <PageItems />
        {hasSession && <MenuItem onChoose={leave}>Sign out</MenuItem>}
      </Menu>
      {dialog && (
        <Dialog
          title={DIALOGS[dialog].title}
          className={`${dialog === 'password' ? 'w-md' : 'w-2xl'} max-w-full p-6`}
          hasClose
          onClose={close}
        >
          <p className="mt-1 mb-4 text-quiet">
            {dialog === 'sessions' && !isAccount
              ? 'The browsers that are signed in with the shared password.'
              : DIALOGS[dialog].words}
          </p>
          {dialog === 'password' && (
            <ActionButton
              act={() => act(requestReset, { body: { email: String(person.email) } })}
              done={() => {
                close()
                return `A link is on its way to ${person.email}, if your account has a password`
              }}
              failed="Failed to send the link"
              changes="staff"
            >
              Email me the link
            </ActionButton>
          )}
          {dialog === 'two-step' && <TwoStepSettings />}
          {dialog === 'sessions' && <SessionList />}
        </Dialog>
      )}
    </>
  )
}

function Signed({ person: { id, name, role } }: { person: Person }) {
  const shown = id === null ? 'Shared password' : name
  return (
    <>
      <span
        aria-hidden="true"
        className="grid size-7 shrink-0 place-items-center rounded-full bg-lilac text-sm font-semibold text-primary"
      >
        {shown.slice(0, 1).toUpperCase()}
      </span>
      <span className="sr-only">Account of</span>
      <span className="min-w-0 max-sm:sr-only">
        <span className="block max-w-48 truncate text-sm leading-tight font-semibold">{shown}</span>{' '}
        <span className="block text-xs leading-tight text-quiet">{ROLES[role].name}</span>
      </span>
    </>
  )
}

const SCHEMES = { system: 'As the system', light: 'Light', dark: 'Dark' } as const

const OPEN = (
  <Badge tone="wait">
    Open<span className="max-sm:sr-only">&nbsp;to everyone</span>
  </Badge>
)

/** Settings, which has no place in the bar of a phone, and Help. */
function PageItems() {
  const navigate = useNavigate()
  const first = useKnownTabs().find(({ isSetting }) => isSetting)
  const isRed = useAttention().data?.is_red
  return (
    <>
      {first && (
        <MenuItem onChoose={() => navigate({ search: `?tab=${first.id}` })}>
          <span>{isRed ? <Red>Settings</Red> : 'Settings'}</span>
        </MenuItem>
      )}
      <MenuItem onChoose={() => navigate({ search: '?tab=help' })}>Help</MenuItem>
    </>
  )
}

function SessionList() {
  const query = useQuery({
    queryKey: ['staff', 'sessions'],
    queryFn: () => call(listSessions),
    // Sessions change at any time, so they are read again whenever they are shown.
    refetchOnMount: 'always',
  })
  return (
    <Loaded of={query} fallback="Failed to load sessions" className="h-16 w-full">
      {({ sessions }) => (
        <ul aria-label="My sessions" className="divide-y divide-line">
          {sessions.map(({ id, current, user_agent, ip, created_at, last_seen_at }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
              <div className="min-w-0">
                <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold text-ink wrap-anywhere">
                  {deviceName(user_agent)}
                  {current && <Badge tone="good">This browser</Badge>}
                </p>
                <p className="text-sm text-quiet wrap-anywhere">
                  Last used {formatSince(last_seen_at)}
                  {ip && `, from ${ip}`}. Signed in {formatMoment(created_at)}.
                </p>
              </div>
              {!current && (
                <ActionButton
                  aria-label={`End session in ${deviceName(user_agent)}`}
                  act={() => act(endSession, { params: { id } })}
                  done="Session ended"
                  failed="Failed to end session"
                  changes="staff"
                >
                  End session
                </ActionButton>
              )}
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  )
}
