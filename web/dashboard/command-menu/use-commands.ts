import { useState } from 'react'
import type { Lead } from '../../../core/contract/leads.ts'
import { useFoundLeads } from './api/find-leads.ts'
import { type Command, type Group, matching } from './commands.ts'
import { useSettled } from './use-settled.ts'

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
