import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Command as Cmdk } from 'cmdk'
import { type ReactNode, useState } from 'react'
import { folded } from '../../../core/contract/folding.ts'
import { useSettled } from '../../lib/use-settled.ts'
import { Modal } from '../../ui/dialog.tsx'
import type { Command, Group } from '../commands.ts'

export type DialogProps = {
  groups: Group[]
  recent: Command[]
  /** Called with the chosen command, to run it. */
  onRun: (command: Command) => void
  onClose: () => void
}

/** Shows the menu. It is open as long as it is rendered. */
export function CommandDialog({ groups: all, recent, onRun, onClose }: DialogProps) {
  const { search, setSearch, groups, error, isSearching } = useCommands({ groups: all, recent })

  function run(command: Command) {
    onClose()
    onRun(command)
  }

  return (
    <Modal label="Command menu" className="mt-[10vh] mb-auto w-xl overflow-hidden" onClose={onClose}>
      <Cmdk label="Command menu" shouldFilter={false} loop className="flex max-h-[70vh] flex-col">
        <Cmdk.Input
          value={search}
          onValueChange={setSearch}
          placeholder="Find a lead, a clinic or an application, or run a command"
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

function Item({ command: { id, label, hint, keys }, onRun }: { command: Command; onRun: () => void }) {
  return (
    <Cmdk.Item
      value={id}
      // The attribute cannot name a sequence such as `g l`.
      aria-keyshortcuts={keys?.includes(' ') ? undefined : keys}
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

function Status({ children }: { children: ReactNode }) {
  return (
    <p role="status" className={children ? 'px-5 py-4 text-quiet' : 'sr-only'}>
      {children}
    </p>
  )
}

type Search = { error: Error | undefined; isSearching: boolean; isEmpty: boolean; search: string }

function outcome({ error, isSearching, isEmpty, search }: Search) {
  if (error) return error.message
  if (!isEmpty) return null
  return isSearching ? 'Searching...' : `No results for “${search.trim()}”`
}

const MAX_FOUND = 8
const MIN_SEARCH_LENGTH = 2

type Options = { groups: Group[]; recent: Command[] }

/** Returns the commands for the typed text: some from the server, all others filtered here. */
function useCommands({ groups, recent }: Options) {
  const [search, setSearch] = useState('')
  const typed = search.trim()
  const settled = useSettled(typed, SETTLE_DELAY)
  const { found, error, isFetching } = useFound(groups, settled)
  const isOld = isFetching || settled !== typed

  function shownIn(group: Group): Group {
    const own = matching(group.commands, typed)
    const others = found.get(group.heading) ?? []
    // Until the server has answered, what it found for the text before is shown as far as it matches.
    const more = isOld ? matching(others, typed, ({ label, hint = '' }) => `${label} ${hint}`) : others
    return { ...group, commands: [...(group.isFound ? own.slice(0, MAX_FOUND) : own), ...more] }
  }
  const shown = typed
    ? groups.map(shownIn)
    : [
        ...groups.filter(({ rank }) => rank !== undefined),
        { heading: 'Recent', commands: recent },
        ...groups.filter(({ rank, isFound }) => rank === undefined && !isFound).map((group) => without(group, recent)),
      ]

  return {
    search,
    setSearch,
    groups: shown.filter(({ commands }) => commands.length > 0),
    error: typed ? error : undefined,
    isSearching: isOld,
  }
}

/** Returns the commands in which every typed word begins a word. Those that match by their label alone come first. */
function matching(
  commands: Command[],
  typed: string,
  textOf = ({ label, hint = '', keywords = '' }: Command) => `${label} ${hint} ${keywords}`,
): Command[] {
  const wanted = wordsOf(typed)
  const isIn = (text: string) => {
    const words = wordsOf(text)
    return wanted.every((start) => words.some((word) => word.startsWith(start)))
  }
  const all = commands.filter((command) => isIn(textOf(command)))
  return [...all.filter(({ label }) => isIn(label)), ...all.filter(({ label }) => !isIn(label))]
}

function wordsOf(text: string): string[] {
  return folded(text)
    .replace(/\p{M}/gu, '')
    .split(/[^\p{L}\p{N}@.]+/u)
    .filter(Boolean)
}

function without({ heading, commands }: Group, recent: Command[]): Group {
  return { heading, commands: commands.filter(({ id }) => !recent.some((each) => each.id === id)) }
}

/** Searches on the server. If one of the searches fails, the others' results are returned with the error. */
function useFound(groups: Group[], text: string) {
  const isLongEnough = text.length >= MIN_SEARCH_LENGTH
  const { data, isFetching } = useQuery({
    queryKey: ['found', text],
    queryFn: () => searchAll(groups, text),
    placeholderData: keepPreviousData,
    enabled: isLongEnough,
    // What is found changes while the menu is closed, so nothing is cached.
    gcTime: 0,
  })
  // A text that is too short has no results; those of the previous text are dropped.
  return { found: new Map(isLongEnough ? data?.found : []), error: data?.error, isFetching }
}

async function searchAll(groups: Group[], text: string) {
  const found = new Map<string, Command[]>()
  let error: Error | undefined
  async function searchIn({ heading, search }: Group) {
    try {
      if (search) found.set(heading, await search(text))
    } catch (cause) {
      const { message } = cause as Error
      error = new Error(message || `${heading} cannot be searched right now: the server is not responding.`)
    }
  }
  await Promise.all(groups.map(searchIn))
  return { found, error }
}

/** The debounce of the search, in milliseconds. */
const SETTLE_DELAY = 150
