import { Suspense, useEffect, useState } from 'react'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { type Command, type Group, joined, OPENS_MENU, offeredNow, watchRows } from '../commands.ts'

const CommandDialog = lazyPart(() => import('./command-dialog.tsx').then((part) => part.CommandDialog))

const MAX_RECENT = 3

type Props = {
  /** The commands that do not depend on what is shown. */
  groups: Group[]
  /** Called when the menu opens, to load what it searches. */
  onOpen: () => void
}

/** Opens the command menu by a button, ⌘K or Ctrl+K. The menu's code loads at the first use. */
export function CommandMenu({ groups, onOpen }: Props) {
  /** What the page offered when the menu was opened; undefined while it is closed. */
  const [offered, setOffered] = useState<Group[]>()
  // Kept in memory only: names of leads do not belong in the browser's storage.
  const [used, setUsed] = useState<Command[]>([])
  const [chosen, setChosen] = useState<Command>()
  useEffect(watchRows, [])

  function open() {
    // Read before the menu takes the focus, because the row with the focus has commands.
    setOffered(offeredNow())
    onOpen()
  }
  useShortcut(() => (offered ? setOffered(undefined) : open()))

  // The focus returns when the menu has gone; a dialog that a command opens must find it there.
  useEffect(() => {
    if (!chosen) return
    const timer = setTimeout(() => {
      setChosen(undefined)
      chosen.run()
    })
    return () => clearTimeout(timer)
  }, [chosen])

  const all = joined([...groups, ...(offered ?? [])])
  // Recent commands that are no longer offered are left out, and changed ones are replaced.
  const lasting = all.filter(({ rank }) => rank === undefined).flatMap(({ commands }) => commands)
  const known = new Map(lasting.map((command) => [command.id, command]))
  const recent = used.flatMap((command) => known.get(command.id) ?? (command.isKept ? command : []))

  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="Meta+K Control+K"
        {...{ [OPENS_MENU]: true }}
        onClick={open}
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
      {offered && (
        <Suspense>
          <CommandDialog
            groups={all}
            recent={recent}
            onRun={(command) => {
              setUsed((before) => [command, ...before.filter(({ id }) => id !== command.id)].slice(0, MAX_RECENT))
              setChosen(command)
            }}
            onClose={() => setOffered(undefined)}
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
