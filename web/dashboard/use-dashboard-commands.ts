import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { exportApplications, listApplications, STATUS_LABELS } from '../../core/contract/applications.ts'
import type { SendingId } from '../../core/contract/integrations.ts'
import { listLeadViews } from '../../core/contract/lead-views.ts'
import { exportLeads, type LeadFilter, listLeads } from '../../core/contract/leads.ts'
import { exportProviders, type StaffProvider } from '../../core/contract/providers.ts'
import { call, urlOf } from '../lib/call.ts'
import type { Tab } from '../ui/tabs.tsx'
import { type ActName, type Command, doAct, type Group } from './commands.ts'
import { download } from './download-link.tsx'
import { isLarge, useStartExport } from './exports.tsx'
import { TAB_KEYS } from './keys.ts'
import { LEAD_COLUMNS, useColumns } from './leads/columns.ts'
import { EVERY_LEAD, exportQuery, isFiltered, type LeadView, searchOfView } from './leads/lead-view.ts'
import { type Preferences, usePreferences } from './preferences.ts'
import { useProviderFigures } from './providers/list-providers.ts'
import { useSendingPauses } from './sending-pauses.ts'
import { useLeave, usePerson } from './session/session.ts'
import type { Sync } from './sync/use-sync.tsx'

type Options = {
  tabs: Tab[]
  goTo: (tab: string) => void
  /** Shows the page of this query. */
  show: (search: string) => void
  openLead: (id: number) => void
  /** Undefined until they are loaded. */
  providers: StaffProvider[] | undefined
  openProvider: (id: number) => void
  sync: Sync
  /** The view of the leads, and the number of leads that match. */
  leads: { view: LeadView; total: number | undefined }
  /** Whether the shared password is on and not needed any more. */
  canSwitchOffPassword: boolean
  onNewLead: () => void
  onKeys: () => void
  /** Whether the menu has been opened: what only the menu searches is loaded then. */
  isWanted: boolean
}

/**
 * Returns the commands that the menu has on every tab, in the order in which it shows them. What is selected or open offers
 * its own. Nobody is offered what they may not do.
 */
export function useDashboardCommands(options: Options): Group[] {
  const { tabs, goTo, sync, leads, onNewLead, onKeys } = options
  const { person, isManager, isOpen } = usePerson()
  const canWork = person !== undefined && person.role !== 'viewer'
  const { leave } = useLeave()
  const { mutate: startExport } = useStartExport()
  const clinics = useClinics(options)
  const views = useViews(options)
  const display = useDisplay()
  const pauses = useSendingPauses()

  const onTab = (tab: string, name: ActName, command: Omit<Command, 'id' | 'run'>): Command => ({
    ...command,
    id: name,
    run() {
      doAct(name)
      goTo(tab)
    },
  })
  const shown = (id: string, search: string, command: Omit<Command, 'id' | 'run'>): Command => ({
    ...command,
    id,
    run: () => options.show(search),
  })
  const sending = (id: SendingId, name: string): Command[] => [
    onTab('health', `pause-${id}`, { label: `Pause sending to ${name}...`, keywords: 'stop hold health' }),
    ...(pauses.some(({ integration }) => integration === id)
      ? [onTab('health', `resume-${id}`, { label: `Resume sending to ${name}`, keywords: 'continue health' })]
      : []),
  ]

  const forStaff: Command[] = [
    { id: 'new-lead', label: 'New lead', keywords: 'enter phone call add create', keys: 'c', run: onNewLead },
    onTab('leads', 'stop-by-hand', {
      label: 'Enter a STOP...',
      keywords: 'opt-out opt out do not contact suppression',
    }),
  ]
  const forManagers: Command[] = [
    {
      id: 'sync',
      label: 'Sync Providers',
      keywords: 'wordpress now clinics',
      run: () => sync.start({ kind: 'sync' }),
    },
    {
      id: 'dry-run',
      label: 'Dry run of the sync',
      keywords: 'wordpress preview providers',
      run: () => sync.start({ kind: 'dry-run' }),
    },
    onTab('overview', 'retry-failed', { label: 'Retry what failed...', keywords: 'failures resend deliveries jobs' }),
    ...sending('crm', 'the CRM'),
    ...sending('mail', 'the mail server'),
    {
      id: 'leads.csv',
      label: 'Export Leads CSV',
      // The export has the list's filter, like the button of that name.
      hint: isFiltered(leads.view) ? 'as filtered' : undefined,
      keywords: 'download',
      run() {
        const query = exportQuery(leads.view)
        if (isLarge(leads.total)) startExport(query)
        else void download(urlOf(exportLeads, { query }))
      },
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
    onTab('staff', 'add-account', { label: 'Add an account', keywords: 'invite staff colleague user person new' }),
    ...(options.canSwitchOffPassword
      ? [onTab('staff', 'switch-off-password', { label: 'Switch off the shared password', keywords: 'staff security' })]
      : []),
    onTab('alerts', 'add-channel', { label: 'Add an alert channel', keywords: 'new notify slack chat webhook' }),
    onTab('providers', 'pause-network', { label: 'Pause the network', keywords: 'holiday vacation clinics' }),
    onTab('privacy', 'find-person', {
      label: 'Find a person’s data',
      keywords: 'privacy request erase export delete gdpr ccpa subject',
    }),
  ]
  const account: Command[] = [
    ...(person && person.id !== null
      ? [
          { id: 'change-password', label: 'Change password', run: () => doAct('change-password') },
          { id: 'two-step', label: 'Two-step sign-in', keywords: 'mfa passkey', run: () => doAct('two-step') },
        ]
      : []),
    { id: 'sessions', label: 'My sessions', keywords: 'browsers', run: () => doAct('sessions') },
    { id: 'sign-out', label: 'Sign out', keywords: 'log out leave', run: leave },
  ]

  return [
    { heading: 'Leads', commands: [], search: (text) => findLeads(text, options) },
    { heading: 'Clinics', commands: clinics, isFound: true },
    { heading: 'Applications', commands: [], search: (text) => findApplications(text, options) },
    { heading: 'Saved views', commands: views, isFound: true },
    {
      heading: 'Go to',
      commands: tabs.map(({ id, label }) => ({
        id: `tab ${id}`,
        label,
        keywords: 'go to tab',
        keys: TAB_KEYS[id] && `g ${TAB_KEYS[id]}`,
        run: () => goTo(id),
      })),
    },
    {
      heading: 'Show',
      commands: [
        ...filtersFor(person?.id ?? null).map(([label, filter]) =>
          shown(`filter ${label}`, searchOfView({ ...EVERY_LEAD, filter }), { label, keywords: 'filter show leads' }),
        ),
        shown('deleted', '?tab=leads&deleted=true', { label: 'Deleted leads', keywords: 'restore trash undelete' }),
        ...(views.length > 0
          ? [onTab('leads', 'views', { label: 'Manage saved views', keywords: 'rename pin share delete' })]
          : []),
        shown('syncs', '?tab=providers&syncs=true', {
          label: 'Runs of the sync',
          keywords: 'wordpress history approve',
        }),
        ...(isManager
          ? [shown('reads', '?tab=activity&log=access', { label: 'What was read', keywords: 'access log who saw' })]
          : []),
        {
          id: 'queues',
          label: 'Queue pages',
          keywords: 'jobs bullmq redis health',
          run: () => location.assign('/admin/queues'),
        },
      ],
    },
    { heading: 'Do', commands: [...(canWork ? forStaff : []), ...(isManager ? forManagers : [])] },
    ...display,
    { heading: 'Account', commands: isOpen ? [] : account },
    {
      heading: 'Help',
      commands: [
        { id: 'keys', label: 'Keyboard shortcuts', keywords: 'help keys', keys: '?', run: onKeys },
        {
          id: 'api',
          label: 'API description',
          keywords: 'help docs documentation openapi calls',
          run: () => void window.open('/api/openapi.json', '_blank', 'noopener'),
        },
      ],
    },
  ]
}

/** The filters with a command of their own. */
function filtersFor(me: number | null): [label: string, filter: LeadFilter][] {
  return [
    ['All leads', {}],
    ['Failed leads', { failed: true }],
    ['Unmatched leads', { unmatched: true }],
    ['Held leads', { held: true }],
    ['Leads whose clinic was not reached', { not_reached: true }],
    ['Leads with a late answer', { late: true }],
    ['Leads with a due next action', { due: true }],
    ...(me === null ? [] : [['My leads', { owner: me }] as [string, LeadFilter]]),
    ['Leads without an owner', { owner: 'none' }],
    ['Leads of today', { max_age_days: 0 }],
  ]
}

/** The most leads and applications that a search shows. */
const MAX_FOUND = 8

async function findLeads(q: string, { openLead }: Options): Promise<Command[]> {
  const { leads } = await call(listLeads, { query: { q, limit: MAX_FOUND } })
  return leads.map((lead) => ({
    id: `lead ${lead.id}`,
    label: `${lead.first_name} ${lead.last_name}`,
    hint: [lead.place ?? lead.zip_code, lead.phone, lead.email].join(' · '),
    isKept: true,
    run: () => openLead(lead.id),
  }))
}

async function findApplications(q: string, { show }: Options): Promise<Command[]> {
  const { applications } = await call(listApplications, { query: { q, limit: MAX_FOUND } })
  return applications.map(({ id, practice_name, name, zip_code, status }) => ({
    id: `application ${id}`,
    label: practice_name,
    hint: ['Application', name, zip_code, STATUS_LABELS[status]].join(' · '),
    isKept: true,
    run: () => show(`?tab=applications&application=${id}`),
  }))
}

/** Returns the clinics, which are found by name, practice, zip code and place. */
function useClinics({ providers, openProvider, isWanted }: Options): Command[] {
  const figures = useProviderFigures({ enabled: isWanted })
  return useMemo(
    () =>
      (providers ?? []).map(({ id, name, practiceName, zipCode }) => {
        const place = figures.get(id)?.place
        const where = place ? `${place.city}, ${place.state}` : zipCode
        return {
          id: `provider ${id}`,
          label: practiceName || name,
          hint: [practiceName && name, where].filter(Boolean).join(' · '),
          keywords: `${name} ${zipCode} ${where} clinic provider`,
          run: () => openProvider(id),
        }
      }),
    [providers, openProvider, figures],
  )
}

function useViews({ show, isWanted }: Options): Command[] {
  const { data } = useQuery({
    queryKey: ['lead-views'],
    queryFn: async () => (await call(listLeadViews)).views,
    enabled: isWanted,
  })
  return (data ?? []).map(({ id, name, filter, sort, is_shared }) => ({
    id: `view ${id}`,
    label: name,
    hint: is_shared ? 'View for all' : 'Your view',
    keywords: 'saved view leads filter',
    run: () => show(searchOfView({ filter, sort })),
  }))
}

const SCHEMES: [Preferences['scheme'], string, string][] = [
  ['light', 'Light colors', 'theme mode bright'],
  ['dark', 'Dark colors', 'theme mode night'],
  ['system', 'Colors as the system', 'theme mode'],
]
const DENSITIES: [Preferences['density'], string][] = [
  ['comfortable', 'Comfortable rows'],
  ['dense', 'Dense rows'],
]

/** Returns the commands that change how this browser shows the dashboard, except those that are so already. */
function useDisplay(): Group[] {
  const { preferences, change } = usePreferences()
  const { isHidden, toggle } = useColumns({ isCompact: false })
  return [
    {
      heading: 'Display',
      commands: [
        ...DENSITIES.filter(([density]) => density !== preferences.density).map(([density, label]) => ({
          id: `density ${density}`,
          label,
          keywords: 'density display compact',
          run: () => change({ density }),
        })),
        ...SCHEMES.filter(([scheme]) => scheme !== preferences.scheme).map(([scheme, label, keywords]) => ({
          id: `scheme ${scheme}`,
          label,
          keywords,
          run: () => change({ scheme }),
        })),
      ],
    },
    {
      heading: 'Columns',
      isFound: true,
      commands: LEAD_COLUMNS.filter(({ isFixed }) => !isFixed).map(({ name, label }) => ({
        id: `column ${name}`,
        label: `${isHidden(name) ? 'Show' : 'Hide'} the column ${label}`,
        keywords: 'columns display',
        run: () => toggle(name),
      })),
    },
  ]
}
