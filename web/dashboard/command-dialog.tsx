import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Command as Cmdk } from 'cmdk'
import { useState } from 'react'
import { exportApplications, listApplications, STATUS_LABELS } from '../../core/applications/contract/applications.ts'
import { exportLeads, listLeads } from '../../core/leads/contract/leads.ts'
import { exportProviders, type StaffProvider } from '../../core/providers/contract/providers.ts'
import { call, urlOf } from '../lib/call.ts'
import { useSettled } from '../lib/hooks.ts'
import { Modal } from '../ui/dialog.tsx'
import { type Right, useAccess } from './access.tsx'
import { createSearch, type KnownPage } from './address.ts'
import { download } from './exports.tsx'
import { EVERY_LEAD, exportQuery, isFiltered, type LeadView, searchOfView } from './leads/use-leads-page.ts'
import { useLeave, usePerson } from './session/session.ts'
import { useSync } from './sync/use-sync.tsx'

export type Command = {
  id: string
  label: string
  hint?: string
  keywords?: string
  /** The keys that do the same without the menu, such as `g l`. */
  keys?: string
  run: () => void
}
type Group = { heading: string; commands: Command[] }

export type MenuProps = {
  tabs: KnownPage[]
  goTo: (tab: string) => void
  show: (search: string) => void
  openLead: (id: number) => void
  openProvider: (id: number) => void
  providers: StaffProvider[] | undefined
  leads: { view: LeadView }
  onNewLead: () => void
  onKeys: () => void
}

type Props = MenuProps & {
  onRun: (command: Command) => void
  onClose: () => void
}

function useCommands({ tabs, goTo, show, leads: { view }, onNewLead, onKeys }: MenuProps): Group[] {
  const can = useAccess()
  const { person, isOpen } = usePerson()
  const sync = useSync()
  const { leave } = useLeave()
  const command = (
    label: string,
    run: () => void,
    more: Partial<Command> & { right?: Right; isHidden?: boolean } = {},
  ) => (more.isHidden || (more.right && !can(more.right)) ? [] : [{ id: label, label, run, ...more }])
  const listing = (label: string, filter: LeadView['filter'], isHidden = false) =>
    command(label, () => show(searchOfView({ ...EVERY_LEAD, filter })), { keywords: 'filter show', isHidden })
  const csv = (label: string, url: string, more = {}) =>
    command(label, () => void download(url), { keywords: 'download', right: 'lead.manage', ...more })
  const pages = tabs.map(({ id, label, key, keywords }) => ({
    ...{ id: `tab ${id}`, label, keywords, keys: key && `g ${key}`, run: () => goTo(id) },
  }))
  return [
    { heading: 'Go to', commands: pages.filter(({ id }) => id !== HELP) },
    {
      heading: 'Show',
      commands: [
        ...listing('All leads', {}),
        ...listing('Failed leads', { failed: true }),
        ...listing('Unmatched leads', { unmatched: true }),
        ...listing('Held leads', { held: true }),
        ...listing('Leads with a due next action', { due: true }),
        ...listing('My leads', { owner: person?.id ?? 0 }, !person?.id),
        ...command('Deleted leads', () => show('?tab=leads&deleted=true'), { keywords: 'restore trash' }),
        ...command('Runs of the sync', () => show('?tab=providers&syncs=true'), { keywords: 'wordpress history' }),
      ],
    },
    {
      heading: 'Do',
      commands: [
        ...command('New lead', onNewLead, { keywords: 'enter phone call add create', keys: 'c', right: 'lead.work' }),
        ...command('Sync Providers', () => sync.start({ kind: 'sync' }), {
          keywords: 'wordpress now',
          right: 'sync.run',
        }),
        // The export has the list's filter, like the button of that name.
        ...csv('Export Leads CSV', urlOf(exportLeads, { query: exportQuery(view) }), {
          hint: isFiltered(view) ? 'as filtered' : undefined,
        }),
        ...csv('Export Providers CSV', urlOf(exportProviders), { keywords: 'download clinics' }),
        ...csv('Export Applications CSV', urlOf(exportApplications)),
      ],
    },
    {
      heading: 'Help',
      commands: [
        ...pages.filter(({ id }) => id === HELP),
        ...command('Keyboard shortcuts', onKeys, { keywords: 'help keys', keys: '?' }),
        ...command('Sign out', leave, { keywords: 'log out leave account', isHidden: isOpen }),
      ],
    },
  ]
}

const HELP = 'tab help'
/** A question is answered by the page of help, whatever it is about. */
const QUESTION = /^(how|what|why|where|when|who)\b/i

export function CommandDialog({ onRun, onClose, ...props }: Props) {
  const [search, setSearch] = useState('')
  const { groups, error, isSearching } = useMatching(search.trim(), useCommands(props), props)
  const nothing = isSearching ? 'Searching...' : `No results for “${search.trim()}”`
  const failure = error && (error.message || 'The server is not responding.')
  const status = failure ?? (groups.length === 0 ? nothing : null)
  // What is selected with the arrow keys, until something else comes first. Enter must never open what came late.
  const first = groups[0]?.commands[0]?.id ?? ''
  const [selected, setSelected] = useState({ first, id: first })
  return (
    <Modal label="Command menu" className="mt-[10vh] mb-auto w-xl overflow-hidden" onClose={onClose}>
      <Cmdk
        label="Command menu"
        shouldFilter={false}
        loop
        value={selected.first === first ? selected.id : first}
        onValueChange={(id) => setSelected({ first, id })}
        className="flex max-h-[70vh] flex-col"
      >
        <Cmdk.Input
          value={search}
          onValueChange={setSearch}
          placeholder="Find a lead, a provider or an application, or run a command"
          className="min-h-14 w-full rounded-t-2xl shrink-0 border-b border-line px-5 text-lg text-ink -outline-offset-3 placeholder:text-quiet"
        />
        <Cmdk.List label="Commands" className="overflow-y-auto overscroll-contain p-2">
          {groups.map(({ heading, commands }) => (
            <Cmdk.Group
              key={heading}
              heading={heading}
              className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-sm [&_[cmdk-group-heading]]:text-quiet"
            >
              {commands.map((command) => (
                <Item
                  key={command.id}
                  command={command}
                  onRun={() => {
                    onClose()
                    onRun(command)
                  }}
                />
              ))}
            </Cmdk.Group>
          ))}
        </Cmdk.List>
        <p role="status" className={status ? 'px-5 py-4 text-quiet' : 'sr-only'}>
          {status}
        </p>
      </Cmdk>
    </Modal>
  )
}

function Item({ command: { id, label, hint, keys }, onRun }: { command: Command; onRun: () => void }) {
  return (
    <Cmdk.Item
      value={id}
      onSelect={onRun}
      className="flex min-h-11 cursor-pointer items-center gap-x-4 rounded-lg px-3 py-1.5 text-ink lg:min-h-9 lg:py-1 lg:text-sm data-[selected=true]:bg-lilac"
    >
      <span className="flex min-w-0 flex-1 justify-between gap-x-4 max-sm:flex-col sm:items-center">
        <span className="min-w-0 wrap-anywhere sm:max-w-2/3 sm:shrink-0">{label}</span>
        {hint && <span className="min-w-0 text-sm text-quiet max-sm:wrap-anywhere sm:truncate">{hint}</span>}
      </span>
      {keys && (
        <span aria-hidden="true" className="flex shrink-0 gap-1 max-sm:hidden">
          {keys.split(' ').map((key) => (
            <kbd key={key} className="rounded border border-edge bg-mist px-1.5 font-sans text-xs text-ink">
              {key}
            </kbd>
          ))}
        </span>
      )}
    </Cmdk.Item>
  )
}

/** The debounce of the search, in milliseconds. */
const SETTLE_DELAY = 150
const MIN_SEARCH_LENGTH = 2
const MAX_FOUND = 8

function useMatching(typed: string, groups: Group[], { providers, openLead, openProvider, show }: MenuProps) {
  const settled = useSettled(typed, SETTLE_DELAY)
  const { data, error, isFetching } = useQuery({
    queryKey: ['found', settled],
    queryFn: () => find(settled),
    placeholderData: keepPreviousData,
    enabled: settled.length >= MIN_SEARCH_LENGTH,
    // What is found changes while the menu is closed, so nothing is cached.
    gcTime: 0,
  })
  if (typed === '') return { groups, error: null, isSearching: false }

  const isOld = isFetching || settled !== typed
  const matching = (commands: Command[]) =>
    QUESTION.test(typed) && commands.some(({ id }) => id === HELP)
      ? commands.filter(({ id }) => id === HELP)
      : createSearch(commands, ({ label, hint = '', keywords = '' }) => [label, hint, keywords])(typed)
  // Until the server has answered, what it found for the text before is shown as far as it matches.
  const current = (commands: Command[]) => (isOld ? matching(commands) : commands)
  const leads = (data?.leads ?? []).map((lead) => ({
    id: `lead ${lead.id}`,
    label: `${lead.first_name} ${lead.last_name}`,
    hint: [lead.place ?? lead.zip_code, lead.phone, lead.email].join(' · '),
    run: () => openLead(lead.id),
  }))
  const applications = (data?.applications ?? []).map(({ id, practice_name, name, zip_code, status }) => ({
    id: `application ${id}`,
    label: practice_name,
    hint: ['Application', name, zip_code, STATUS_LABELS[status]].join(' · '),
    run: () => show(`?tab=applications&application=${id}`),
  }))
  const clinics = (providers ?? []).map(({ id, name, practiceName, zipCode }) => ({
    id: `provider ${id}`,
    label: practiceName || name,
    hint: [practiceName && name, zipCode].filter(Boolean).join(' · '),
    run: () => openProvider(id),
  }))
  const shown = [
    { heading: 'Leads', commands: current(leads) },
    { heading: 'Providers', commands: matching(clinics).slice(0, MAX_FOUND) },
    { heading: 'Applications', commands: current(applications) },
    ...groups.map(({ heading, commands }) => ({ heading, commands: matching(commands) })),
  ]
  return { groups: shown.filter(({ commands }) => commands.length > 0), error, isSearching: isOld }
}

async function find(q: string) {
  const query = { q, limit: MAX_FOUND }
  const [{ leads }, { applications }] = await Promise.all([
    call(listLeads, { query }),
    call(listApplications, { query }),
  ])
  return { leads, applications }
}
