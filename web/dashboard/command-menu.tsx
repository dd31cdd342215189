import { Suspense, useEffect, useState } from 'react'
import { lazyPart } from '../lib/lazy-parts.ts'
import { Icon, MAGNIFIER } from '../ui/drawing.tsx'
import type { Command, MenuProps } from './command-dialog.tsx'

const CommandDialog = lazyPart(() => import('./command-dialog.tsx').then((part) => part.CommandDialog))

export function CommandMenu(props: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<Command>()
  // The focus returns when the menu has gone; a dialog that a command opens must find it there.
  useEffect(() => {
    if (!chosen) return
    const timer = setTimeout(() => {
      setChosen(undefined)
      chosen.run()
    })
    return () => clearTimeout(timer)
  }, [chosen])
  useShortcut(() => setOpen(!isOpen))
  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="Meta+K Control+K"
        onClick={() => setOpen(true)}
        className="flex min-h-8 items-center gap-2 rounded-lg border max-lg:min-h-11 max-sm:min-w-11 max-sm:justify-center border-edge bg-background px-3 text-sm text-quiet transition-colors hover:border-secondary hover:text-secondary sm:min-w-56"
      >
        <Icon d={MAGNIFIER} box={20} width={1.75} className="size-4" />
        <span className="max-sm:sr-only">Search and commands</span>
        <span
          aria-hidden="true"
          className="ml-auto rounded border border-line bg-mist px-1.5 font-sans text-xs max-sm:hidden"
        >
          {/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}
        </span>
      </button>
      {isOpen && (
        <Suspense>
          <CommandDialog {...props} onRun={setChosen} onClose={() => setOpen(false)} />
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
