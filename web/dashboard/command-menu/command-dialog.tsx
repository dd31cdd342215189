import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Command as Cmdk } from 'cmdk'
import { type ReactNode, useState } from 'react'
import { type Lead, listLeads } from '../../../core/contract/leads.ts'
import { call } from '../../lib/call.ts'
import { useSettled } from '../../lib/use-settled.ts'
import { Modal } from '../../ui/dialog.tsx'
import { type Command, type Group, matching } from './commands.ts'

export type DialogProps = {
  groups: Group[]
  recent: Command[]
  /** Opens a lead. */
  onLead: (id: number) => void
  /** Called before a command runs. */
  onRun: (command: Command) => void
  onClose: () => void
}

/** Shows the menu. It is open as long as it is rendered. */
export function CommandDialog({ groups: all, recent, onLead, onRun, onClose }: DialogProps) {
  const { search, setSearch, groups, error, isSearching } = useCommands({ groups: all, recent, onLead })

  function run(command: Command) {
    onClose()
    onRun(command)
    command.run()
  }

  return (
    <Modal label="Command menu" className="mt-[10vh] mb-auto w-xl overflow-hidden" onClose={onClose}>
      <Cmdk label="Command menu" shouldFilter={false} loop className="flex max-h-[70vh] flex-col">
        <Cmdk.Input
          value={search}
          onValueChange={setSearch}
          placeholder="Find a lead or a clinic, or run a command"
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
                <Item key={command.id} command={command} onRun={() => run(command)} />
              ))}
            </Cmdk.Group>
          ))}
        </Cmdk.List>
        <Status>{outcome({ error, isSearching, isEmpty: groups.length === 0, search })}</Status>
      </Cmdk>
    </Modal>
  )
}

function Item({ command: { id, label, hint }, onRun }: { command: Command; onRun: () => void }) {
  return (
    <Cmdk.Item
      value={id}
      onSelect={onRun}
      className="flex min-h-11 cursor-pointer flex-wrap items-center justify-between gap-x-4 rounded-lg px-3 py-1.5 text-ink data-[selected=true]:bg-lilac"
    >
      <span className="min-w-0 wrap-anywhere">{label}</span>
      {hint && <span className="min-w-0 text-sm text-quiet wrap-anywhere">{hint}</span>}
    </Cmdk.Item>
  )
}

function Status({ children }: { children: ReactNode }) {
  return (
    <p role="status" className={children ? 'px-5 py-4 text-quiet' : 'sr-only'}>
      {children}
    </p>
  )
}

type Search = { error: Error | null; isSearching: boolean; isEmpty: boolean; search: string }

function outcome({ error, isSearching, isEmpty, search }: Search) {
  if (error) return error.message || 'Leads cannot be searched right now: the server is not responding.'
  if (!isEmpty) return null
  return isSearching ? 'Searching...' : `No results for “${search.trim()}”`
}

const MAX_FOUND = 8
const MIN_SEARCH_LENGTH = 2

type Options = { groups: Group[]; recent: Command[]; onLead: (id: number) => void }

/** Returns the commands for the typed text: leads from the server, all others filtered here. */
function useCommands({ groups, recent, onLead }: Options) {
  const [search, setSearch] = useState('')
  const typed = search.trim()
  const settled = useSettled(typed, SETTLE_DELAY)
  const { leads, error, isFetching } = useFoundLeads(settled)

  const asCommand = (lead: Lead): Command => ({
    id: `lead ${lead.id}`,
    label: `${lead.first_name} ${lead.last_name}`,
    hint: [lead.email, lead.phone, lead.zip_code].join(' · '),
    run: () => onLead(lead.id),
  })
  const leadGroup: Group = { heading: 'Leads', commands: typed ? leads.map(asCommand) : [] }
  const shown = typed
    ? [...groups.map((group) => found(group, typed)), leadGroup]
    : [
        { heading: 'Recent', commands: recent },
        ...groups.filter(({ isFound }) => !isFound).map((group) => without(group, recent)),
      ]

  return {
    search,
    setSearch,
    groups: shown.filter(({ commands }) => commands.length > 0),
    error,
    isSearching: isFetching || settled !== typed,
  }
}

function found({ heading, commands, isFound }: Group, typed: string): Group {
  const all = matching(commands, typed)
  return { heading, commands: isFound ? all.slice(0, MAX_FOUND) : all }
}

function without({ heading, commands }: Group, recent: Command[]): Group {
  return { heading, commands: commands.filter(({ id }) => !recent.some((each) => each.id === id)) }
}

function useFoundLeads(search: string) {
  const isLongEnough = search.length >= MIN_SEARCH_LENGTH
  const { data, error, isFetching } = useQuery({
    queryKey: ['leads', 'found', search],
    queryFn: () => call(listLeads, { query: { q: search, limit: MAX_FOUND } }),
    placeholderData: keepPreviousData,
    enabled: isLongEnough,
    // Leads change while the menu is closed, so nothing is cached.
    gcTime: 0,
  })
  // A text that is too short has no results; those of the previous text are dropped.
  return { leads: isLongEnough ? (data?.leads ?? []) : [], error, isFetching }
}

/** The debounce of the search, in milliseconds. */
const SETTLE_DELAY = 150
