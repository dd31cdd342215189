import { Suspense, useEffect, useState } from 'react'
import { exportApplications } from '../../core/applications/contract/applications.ts'
import { exportLeads } from '../../core/leads/contract/leads.ts'
import { exportProviders, type StaffProvider } from '../../core/providers/contract/providers.ts'
import { urlOf } from '../lib/call.ts'
import { lazyPart } from '../lib/lazy-parts.ts'
import { useAccess } from './access.tsx'
import type { Command, Group } from './command-dialog.tsx'
import { download } from './exports.tsx'
import { EVERY_LEAD, exportQuery, isFiltered, type LeadView, searchOfView } from './leads/use-leads-page.ts'
import { useLeave, usePerson } from './session/session.ts'
import { useSync } from './sync/use-sync.tsx'

const CommandDialog = lazyPart(() => import('./command-dialog.tsx').then((part) => part.CommandDialog))

type Props = {
  tabs: { id: string; label: string; key: string | undefined; keywords: string | undefined }[]
  goTo: (tab: string) => void
  /** Shows the page of this query. */
  show: (search: string) => void
  openLead: (id: number) => void
  openProvider: (id: number) => void
  /** Undefined until they are loaded. */
  providers: StaffProvider[] | undefined
  leads: { view: LeadView }
  onNewLead: () => void
  onKeys: () => void
}

/** Opens the command menu by a button, ⌘K or Ctrl+K. The code of the menu loads at the first use. */
export function CommandMenu(props: Props) {
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<Command>()
  const groups = useCommands(props)
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
        <svg viewBox="0 0 16 16" className="size-4 shrink-0" aria-hidden="true">
          <circle cx="7" cy="7" r="4.5" fill="none" stroke="currentColor" strokeWidth="1.75" />
          <path d="m10.5 10.5 3.5 3.5" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" />
        </svg>
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
          <CommandDialog groups={groups} {...props} onRun={setChosen} onClose={() => setOpen(false)} />
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

/** Returns the commands of the menu, without those that the viewer may not run. */
function useCommands({ tabs, goTo, show, leads, onNewLead, onKeys }: Props): Group[] {
  const can = useAccess()
  const { person, isOpen } = usePerson()
  const sync = useSync()
  const { leave } = useLeave()
  const filter = (label: string, filter: LeadView['filter']): Command => ({
    id: label,
    label,
    keywords: 'filter show',
    run: () => show(searchOfView({ ...EVERY_LEAD, filter })),
  })

  const forStaff: Command[] = [
    { id: 'new-lead', label: 'New lead', keywords: 'enter phone call add create', keys: 'c', run: onNewLead },
  ]
  const forManagers: Command[] = [
    {
      id: 'sync',
      label: 'Sync Providers',
      keywords: 'wordpress now clinics',
      run: () => sync.start({ kind: 'sync' }),
    },
    {
      id: 'leads.csv',
      label: 'Export Leads CSV',
      // The export has the list's filter, like the button of that name.
      hint: isFiltered(leads.view) ? 'as filtered' : undefined,
      keywords: 'download',
      run: () => download(urlOf(exportLeads, { query: exportQuery(leads.view) })),
    },
    {
      id: 'providers.csv',
      label: 'Export Providers CSV',
      keywords: 'download clinics',
      run: () => download(urlOf(exportProviders)),
    },
    {
      id: 'applications.csv',
      label: 'Export Applications CSV',
      keywords: 'download',
      run: () => download(urlOf(exportApplications)),
    },
  ]
  return [
    {
      heading: 'Go to',
      commands: tabs.map(({ id, label, key, keywords }) => ({
        id: `tab ${id}`,
        label,
        keywords,
        keys: key && `g ${key}`,
        run: () => goTo(id),
      })),
    },
    {
      heading: 'Show',
      commands: [
        filter('All leads', {}),
        filter('Failed leads', { failed: true }),
        filter('Unmatched leads', { unmatched: true }),
        filter('Held leads', { held: true }),
        filter('Leads with a due next action', { due: true }),
        ...(person && person.id !== null ? [filter('My leads', { owner: person.id })] : []),
        {
          id: 'deleted',
          label: 'Deleted leads',
          keywords: 'restore trash',
          run: () => show('?tab=leads&deleted=true'),
        },
        {
          id: 'syncs',
          label: 'Runs of the sync',
          keywords: 'wordpress history',
          run: () => show('?tab=providers&syncs=true'),
        },
      ],
    },
    {
      heading: 'Do',
      commands: [...(can('lead.work') ? forStaff : []), ...(can('lead.manage') ? forManagers : [])],
    },
    {
      heading: 'Help',
      commands: [
        { id: 'keys', label: 'Keyboard shortcuts', keywords: 'help keys', keys: '?', run: onKeys },
        ...(isOpen ? [] : [{ id: 'sign-out', label: 'Sign out', keywords: 'log out leave account', run: leave }]),
      ],
    },
  ]
}
