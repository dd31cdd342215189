import { Suspense, useEffect, useState } from 'react'
import { lazyPart } from '../../lib/lazy-parts.ts'
import type { Command, Group } from './commands.ts'

const CommandDialog = lazyPart(() => import('./command-dialog.tsx').then((part) => part.CommandDialog))

const MAX_RECENT = 3

type Props = { groups: Group[]; onLead: (id: number) => void }

/** Opens the command menu by a button, ⌘K or Ctrl+K. The menu's code loads at the first use. */
export function CommandMenu({ groups, onLead }: Props) {
  const [isOpen, setOpen] = useState(false)
  // Kept in memory only: names of leads do not belong in the browser's storage.
  const [used, setUsed] = useState<Command[]>([])
  useShortcut(() => setOpen((now) => !now))

  // Recent commands that are no longer offered are left out, and changed ones are replaced.
  const known = new Map(groups.flatMap(({ commands }) => commands).map((command) => [command.id, command]))
  const recent = used.flatMap((command) => (command.id.startsWith('lead ') ? command : (known.get(command.id) ?? [])))

  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="Meta+K Control+K"
        onClick={() => setOpen(true)}
        className="flex min-h-8 items-center gap-2 rounded-lg border max-lg:min-h-11 max-sm:min-w-11 max-sm:justify-center border-edge bg-background px-3 text-sm text-quiet transition-colors hover:border-secondary hover:text-secondary sm:min-w-56"
      >
        <SearchIcon />
        <span className="max-sm:sr-only">Search and commands</span>
        <span
          aria-hidden="true"
          className="ml-auto rounded border border-line bg-mist px-1.5 font-sans text-xs max-sm:hidden"
        >
          {isApple() ? '⌘K' : 'Ctrl K'}
        </span>
      </button>
      {isOpen && (
        <Suspense>
          <CommandDialog
            groups={groups}
            recent={recent}
            onLead={onLead}
            onRun={(command) =>
              setUsed((before) => [command, ...before.filter(({ id }) => id !== command.id)].slice(0, MAX_RECENT))
            }
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}

function useShortcut(toggle: () => void) {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const isOurs = event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey
      // Does not open above another dialog.
      const isBusy = document.querySelector('[role=dialog]:not([aria-label="Command menu"])')
      if (!isOurs || isBusy) return
      event.preventDefault()
      toggle()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  })
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent)
}

function SearchIcon() {
  return (
    <svg viewBox="0 0 16 16" className="size-4 shrink-0" aria-hidden="true">
      <circle cx="7" cy="7" r="4.5" fill="none" stroke="currentColor" strokeWidth="1.75" />
      <path d="m10.5 10.5 3.5 3.5" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" />
    </svg>
  )
}
