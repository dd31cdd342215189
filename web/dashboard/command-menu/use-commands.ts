import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Lead, listLeads } from '../../../core/contract/leads.ts'
import { call } from '../../lib/call.ts'
import { type Command, type Group, matching } from './commands.ts'

const MAX_FOUND = 8
const MIN_SEARCH_LENGTH = 2

type Options = { groups: Group[]; recent: Command[]; onLead: (id: number) => void }

/** What the menu offers for what is typed: the leads that match come from the server, the rest is filtered here. */
export function useCommands({ groups, recent, onLead }: Options) {
  const [search, setSearch] = useState('')
  const typed = search.trim()
  const settled = useSettled(typed)
  const { leads, error, isFetching } = useFoundLeads(settled)

  const asCommand = (lead: Lead): Command => ({
    id: `lead ${lead.id}`,
    label: `${lead.first_name} ${lead.last_name}`,
    hint: [lead.email, lead.phone, lead.zip_code].join(' · '),
    run: () => onLead(lead.id),
  })
  const leadGroup: Group = { heading: 'Leads', commands: typed ? leads.map(asCommand) : [] }
  const shown = typed
    ? [...groups.map((group) => ({ ...group, commands: matching(group.commands, typed) })), leadGroup]
    : [{ heading: 'Recent', commands: recent }, ...groups.map((group) => without(group, recent))]

  return {
    search,
    setSearch,
    groups: shown.filter(({ commands }) => commands.length > 0),
    error,
    isSearching: isFetching || settled !== typed,
  }
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
    // Not kept once the menu is closed: leads come and go.
    gcTime: 0,
  })
  // What was found before belongs to another search once this one is too short.
  return { leads: isLongEnough ? (data?.leads ?? []) : [], error, isFetching }
}

/** In milliseconds. Somebody who types is not asked about each letter. */
const SETTLE_DELAY = 150

/** A text once it has stayed the same for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLE_DELAY)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
