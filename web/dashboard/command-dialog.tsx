import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Command as Cmdk } from 'cmdk'
import { useState } from 'react'
import { listApplications, STATUS_LABELS } from '../../core/applications/contract/applications.ts'
import { listLeads } from '../../core/leads/contract/leads.ts'
import type { StaffProvider } from '../../core/providers/contract/providers.ts'
import { call } from '../lib/call.ts'
import { useSettled } from '../lib/hooks.ts'
import { SmallButton } from '../ui/button.tsx'
import { Dialog, Modal } from '../ui/dialog.tsx'
import { type Right, useAccess } from './access.tsx'
import { createSearch } from './address.ts'

export type Command = {
  id: string
  label: string
  /** A text beside the label. */
  hint?: string
  /** More words that the search finds it by. */
  keywords?: string
  /** The keys that do the same without the menu, such as `g l`. */
  keys?: string
  run: () => void
}
export type Group = { heading: string; commands: Command[] }

type Props = {
  groups: Group[]
  providers: StaffProvider[] | undefined
  openLead: (id: number) => void
  openProvider: (id: number) => void
  show: (search: string) => void
  /** Called with the chosen command, to run it. */
  onRun: (command: Command) => void
  onClose: () => void
}

/** Shows the menu. It is open as long as it is rendered. */
export function CommandDialog({ onRun, onClose, ...props }: Props) {
  const [search, setSearch] = useState('')
  const { groups, error, isSearching } = useMatching(search.trim(), props)
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
/** The most leads, clinics and applications that a search shows of each. */
const MAX_FOUND = 8

/** Returns the commands for the typed text. The server finds leads and applications. */
function useMatching(
  typed: string,
  { groups, providers, openLead, openProvider, show }: Omit<Props, 'onRun' | 'onClose'>,
) {
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
    createSearch(commands, ({ label, hint = '', keywords = '' }) => [label, hint, keywords])(typed)
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

/** `for`: the right that it needs. Default: none. */
type Key = { keys: string[]; does: string; for?: Right }

const KEYS: Record<string, Key[]> = {
  Everywhere: [
    { keys: ['⌘K', 'Ctrl K'], does: 'Search and commands' },
    { keys: ['Esc'], does: 'Close what is open' },
    { keys: ['?'], does: 'Show these shortcuts' },
  ],
  'Needs attention': [
    { keys: ['j'], does: 'Next line' },
    { keys: ['k'], does: 'Previous line' },
    { keys: ['Enter'], does: 'Open the line' },
    { keys: ['e'], does: 'Done', for: 'lead.work' },
    { keys: ['z'], does: 'Snooze', for: 'lead.work' },
    { keys: ['u'], does: 'Undo the last one', for: 'lead.work' },
  ],
  Leads: [
    { keys: ['j', '↓'], does: 'Next lead' },
    { keys: ['k', '↑'], does: 'Previous lead' },
    { keys: ['Enter', 'o'], does: 'Open the lead' },
    { keys: ['Esc'], does: 'Close the lead, or clear the selection' },
    { keys: ['[', ']'], does: 'Previous and next page' },
    { keys: ['/'], does: 'Search' },
    { keys: ['c'], does: 'Enter a new lead', for: 'lead.work' },
    { keys: ['a'], does: 'Assign the open lead to me', for: 'lead.work' },
    { keys: ['n'], does: 'Write a note on the open lead', for: 'lead.work' },
  ],
  'The lead, or the selected leads': [
    { keys: ['m'], does: 'Match with a provider', for: 'lead.manage' },
    { keys: ['s'], does: 'Record an outcome', for: 'lead.work' },
    { keys: ['#'], does: 'Delete', for: 'lead.manage' },
    { keys: ['u'], does: 'Undo', for: 'lead.work' },
  ],
  'Select leads': [
    { keys: ['x'], does: 'Select the lead', for: 'lead.manage' },
    { keys: ['⇧J', '⇧K'], does: 'Extend the selection', for: 'lead.manage' },
    { keys: ['*'], does: 'Select the page', for: 'lead.manage' },
    { keys: ['b'], does: 'Go to the actions for the selection', for: 'lead.manage' },
  ],
}

type KeysProps = { tabs: { label: string; key: string | undefined }[]; onClose: () => void }

/** Lists the keys of the dashboard that the viewer may use. */
export function KeysDialog({ tabs, onClose }: KeysProps) {
  const can = useAccess()
  const goTo = tabs.flatMap(({ key, label }): Key[] => (key ? [{ keys: ['g', key], does: label }] : []))
  return (
    <Dialog
      title="Keyboard shortcuts"
      onClose={onClose}
      className="w-3xl max-w-full p-5"
      corner={
        <SmallButton variant="ghost" onClick={onClose}>
          Close
        </SmallButton>
      }
    >
      <div className="mt-3 gap-x-8 text-sm sm:columns-2">
        {Object.entries({ ...KEYS, 'Go to': goTo }).map(([heading, keys]) => (
          <Keys key={heading} heading={heading} keys={keys.filter((key) => key.for === undefined || can(key.for))} />
        ))}
      </div>
      <p className="border-t border-line pt-3 text-sm text-quiet">The menu of ⌘K or Ctrl K has every command.</p>
    </Dialog>
  )
}

function Keys({ heading, keys }: { heading: string; keys: Key[] }) {
  if (keys.length === 0) return null
  return (
    <section className="mb-4 break-inside-avoid">
      <h3 className="font-semibold text-ink">{heading}</h3>
      <dl className="mt-1.5 grid gap-1.5">
        {keys.map(({ keys: names, does }) => (
          <div key={does} className="flex items-center justify-between gap-4">
            <dt>{does}</dt>
            <dd className="flex shrink-0 gap-1">
              {names.map((name) => (
                <kbd key={name} className="rounded border border-edge bg-mist px-1.5 font-sans text-xs text-ink">
                  {name}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
