import { useMemo } from 'react'
import { exportApplications } from '../../core/contract/applications.ts'
import { exportLeads } from '../../core/contract/leads.ts'
import { exportProviders, type StaffProvider } from '../../core/contract/providers.ts'
import { urlOf } from '../lib/call.ts'
import type { Tab } from '../ui/tabs.tsx'
import type { Group } from './command-menu/commands.ts'
import { download } from './download-link.tsx'
import { isLarge, useStartExport } from './exports.tsx'
import { exportQuery, isFiltered, type LeadView } from './leads/lead-view.ts'
import { useLeave, usePerson } from './session/session.ts'
import type { Sync } from './sync/use-sync.tsx'

type Options = {
  tabs: Tab[]
  goTo: (tab: string) => void
  /** Undefined until they are loaded. */
  providers: StaffProvider[] | undefined
  openProvider: (id: number) => void
  sync: Sync
  /** The view of the leads, and the number of leads that match. */
  leads: { view: LeadView; total: number | undefined }
}

/** Returns the commands of the command menu. Viewers get only those that read. */
export function useDashboardCommands({
  tabs,
  goTo,
  providers,
  openProvider,
  sync,
  leads: { view, total },
}: Options): Group[] {
  const { isManager, isOpen } = usePerson()
  const { leave } = useLeave()
  const { mutate: startExport } = useStartExport()

  const clinics = useMemo(
    () =>
      (providers ?? []).map(({ id, name, practiceName, zipCode }) => ({
        id: `provider ${id}`,
        label: practiceName || name,
        hint: [practiceName && name, zipCode].filter(Boolean).join(' · '),
        keywords: `${name} ${zipCode} clinic provider`,
        run: () => openProvider(id),
      })),
    [providers, openProvider],
  )
  const actions = [
    { id: 'sync', label: 'Sync Providers', keywords: 'wordpress', run: () => sync.start({ kind: 'sync' }) },
    {
      id: 'leads.csv',
      label: 'Export Leads CSV',
      // The export has the list's filter, like the button of that name.
      hint: isFiltered(view) ? 'as filtered' : undefined,
      keywords: 'download',
      run: () =>
        isLarge(total) ? startExport(exportQuery(view)) : download(urlOf(exportLeads, { query: exportQuery(view) })),
    },
    {
      id: 'providers.csv',
      label: 'Export Providers CSV',
      keywords: 'download',
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
      commands: tabs.map(({ id, label }) => ({ id: `tab ${id}`, label, keywords: 'go to tab', run: () => goTo(id) })),
    },
    { heading: 'Clinics', commands: clinics, isFound: true },
    { heading: 'Do', commands: isManager ? actions : [] },
    {
      heading: 'Account',
      commands: isOpen ? [] : [{ id: 'sign-out', label: 'Sign out', keywords: 'log out leave', run: leave }],
    },
  ]
}
