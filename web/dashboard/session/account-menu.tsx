import { type ReactNode, useState } from 'react'
import type { Person } from '../../../core/contract/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { ChangePasswordDialog } from './change-password-dialog.tsx'
import { SessionsDialog } from './sessions-dialog.tsx'
import { TwoStepDialog } from './two-step/dialog.tsx'
import { useLeave } from './use-leave.ts'
import { usePerson } from './use-person.ts'

const MENU = 'account-menu'
const ROLES = { manager: 'Manager', agent: 'Agent', viewer: 'Viewer' } as const

/** Who is signed in, and what they can do about it. An open dashboard has nobody, and nothing to sign out of. */
export function AccountMenu() {
  const { person, isOpen } = usePerson()
  const [dialog, setDialog] = useState<'password' | 'two-step' | 'sessions'>()
  const { leave } = useLeave()
  const close = () => setDialog(undefined)

  if (!person) return null
  if (isOpen) {
    return (
      <Badge tone="wait">
        Open<span className="max-sm:sr-only">&nbsp;to everybody</span>
      </Badge>
    )
  }
  return (
    <>
      <MenuButton person={person} />
      <div
        id={MENU}
        popover="auto"
        className="absolute inset-auto top-15 right-4 m-0 w-64 rounded-xl border border-line bg-white p-2 text-foreground shadow-lg sm:right-6 xl:right-[calc((100vw-80rem)/2+1.5rem)]"
      >
        <p className="border-b border-line px-3 pt-1 pb-3 text-sm text-quiet wrap-anywhere">
          {person.email ?? 'Signed in with the shared password'}
        </p>
        <div className="grid pt-2">
          {person.id !== null && <MenuItem onChoose={() => setDialog('password')}>Change password</MenuItem>}
          {person.id !== null && <MenuItem onChoose={() => setDialog('two-step')}>Two-step sign-in</MenuItem>}
          <MenuItem onChoose={() => setDialog('sessions')}>My sessions</MenuItem>
          <MenuItem onChoose={leave}>Sign out</MenuItem>
        </div>
      </div>
      {dialog === 'password' && <ChangePasswordDialog person={person} onClose={close} />}
      {dialog === 'two-step' && <TwoStepDialog onClose={close} />}
      {dialog === 'sessions' && <SessionsDialog onClose={close} />}
    </>
  )
}

function MenuButton({ person: { id, name, role } }: { person: Person }) {
  const shown = id === null ? 'Shared password' : name
  return (
    <button
      type="button"
      popoverTarget={MENU}
      className="flex min-h-11 min-w-0 items-center gap-2.5 rounded-full p-1 text-left sm:pr-3 text-ink transition-colors hover:bg-mist"
    >
      <span
        aria-hidden="true"
        className="grid size-9 shrink-0 place-items-center rounded-full bg-lilac font-display text-lg text-primary"
      >
        {shown.slice(0, 1).toUpperCase()}
      </span>
      <span className="sr-only">Account of</span>
      <span className="min-w-0 max-sm:sr-only">
        <span className="block max-w-48 truncate text-sm leading-tight font-semibold">{shown}</span>{' '}
        <span className="block text-[0.8125rem] leading-tight text-quiet">{ROLES[role]}</span>
      </span>
    </button>
  )
}

function MenuItem({ onChoose, children }: { onChoose: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      popoverTarget={MENU}
      popoverTargetAction="hide"
      onClick={onChoose}
      className="min-h-10 rounded-lg px-3 text-left text-[0.9375rem] text-ink hover:bg-mist focus-visible:bg-mist"
    >
      {children}
    </button>
  )
}
