import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Command as Cmdk } from 'cmdk'
import { useState } from 'react'
import type { LeadDetails } from '../../../core/contract/leads.ts'
import { OUTCOME_WORDS } from '../../../core/contract/outcomes.ts'
import { type LinkCandidate, linkPerson, listLinkCandidates } from '../../../core/contract/person-links.ts'
import { formatPhone } from '../../../core/contract/phones.ts'
import { act, call } from '../../lib/call.ts'
import { formatDay } from '../../lib/dates.ts'
import { useSettled } from '../../lib/use-settled.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useLeadAction } from './use-lead-action.ts'

/** Links a lead with another request of the same person: staff choose it, compare both, and confirm. */
export function SamePersonDialog({ lead, onClose }: { lead: LeadDetails; onClose: () => void }) {
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<LinkCandidate>()
  const linking = useLeadAction({
    act: (leadId: number) => act(linkPerson, { params: { id: lead.id }, body: { leadId } }),
    done: 'The requests are linked as of the same person',
    failed: 'Failed to link the requests',
  })

  return (
    <Dialog title="Same person as..." onClose={onClose} className="w-2xl max-w-full p-6">
      <div className="mt-3 grid gap-4">
        <CandidatePicker
          leadId={lead.id}
          search={search}
          onSearch={setSearch}
          chosen={chosen?.id}
          onChoose={setChosen}
        />
        {chosen && <Comparison lead={lead} other={chosen} />}
      </div>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button variant="outline" onClick={onClose}>
          Cancel
        </Button>
        <Button
          busy={linking.isPending}
          disabled={!chosen}
          onClick={() => chosen && linking.mutate(chosen.id, { onSuccess: onClose })}
        >
          {chosen ? `Same person as request #${chosen.id}` : 'Same person'}
        </Button>
      </div>
    </Dialog>
  )
}

type PickerProps = {
  leadId: number
  search: string
  onSearch: (search: string) => void
  chosen: number | undefined
  onChoose: (candidate: LinkCandidate) => void
}

/** Renders a combobox of requests (WAI-ARIA pattern). A choice has no effect but `onChoose`. */
function CandidatePicker({ leadId, search, onSearch, chosen, onChoose }: PickerProps) {
  const { data, error } = useCandidates(leadId, search)
  const candidates = data?.candidates
  return (
    <Cmdk label="Request" shouldFilter={false} loop className="grid gap-2">
      <Cmdk.Input
        value={search}
        onValueChange={onSearch}
        placeholder="Search by name, e-mail, phone or request number"
        className="min-h-11 w-full rounded-lg border border-edge bg-background px-3 text-ink placeholder:text-quiet hover:border-secondary"
      />
      <Cmdk.List
        label="Requests"
        className="max-h-56 min-h-16 overflow-y-auto overscroll-contain rounded-lg border border-line p-1"
      >
        {candidates?.map((candidate) => (
          <Cmdk.Item
            key={candidate.id}
            value={String(candidate.id)}
            onSelect={() => onChoose(candidate)}
            className={`flex min-h-11 items-center gap-2 rounded-lg px-3 py-1.5 text-sm data-[selected=true]:bg-lilac ${candidate.id === chosen ? 'font-semibold' : 'cursor-pointer'}`}
          >
            <span aria-hidden="true" className="w-4 shrink-0 text-secondary">
              {candidate.id === chosen && '✓'}
            </span>
            <span className="grid min-w-0 flex-1 wrap-anywhere">
              <span className="text-ink">
                #{candidate.id} {candidate.first_name} {candidate.last_name}
              </span>
              <span className="font-normal text-quiet">
                {[formatDay(candidate.created_at), candidate.email, formatPhone(candidate.phone)].join(' · ')}
              </span>
            </span>
            {candidate.id === chosen && <span className="sr-only">, chosen</span>}
          </Cmdk.Item>
        ))}
        {candidates?.length === 0 && (
          <p className="px-3 py-4 text-sm text-quiet">
            {search.trim() ? `No results for “${search.trim()}”` : 'No other request has this name. Search for one.'}
          </p>
        )}
        {!candidates && !error && <p className="px-3 py-4 text-sm text-quiet">Loading...</p>}
        {error && <Alert title="Error">{error.message || 'Failed to load requests'}</Alert>}
      </Cmdk.List>
    </Cmdk>
  )
}

/** Shows two requests side by side. What is equal in both is bold. */
function Comparison({ lead, other }: { lead: LeadDetails; other: LinkCandidate }) {
  const mine = factsOf({ ...lead, provider_name: lead.clinic?.name ?? null })
  const theirs = factsOf(other)
  return (
    <table className="w-full table-fixed text-left text-sm">
      <thead>
        <tr className="text-quiet">
          <th scope="col" className="w-20 py-1">
            <span className="sr-only">Field</span>
          </th>
          <th scope="col" className="px-2 py-1">
            This request, #{lead.id}
          </th>
          <th scope="col" className="px-2 py-1">
            Request #{other.id}
          </th>
        </tr>
      </thead>
      <tbody>
        {mine.map(([name, value], position) => {
          const otherValue = theirs[position]?.[1]
          const look = `px-2 py-1.5 align-top wrap-anywhere ${value === otherValue ? 'font-semibold text-ink' : ''}`
          return (
            <tr key={name} className="border-t border-line">
              <th scope="row" className="py-1.5 align-top font-normal text-quiet">
                {name}
              </th>
              <td className={look}>{value}</td>
              <td className={look}>{otherValue}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function factsOf({ created_at, outcome, provider_name, held_reason, ...person }: LinkCandidate): [string, string][] {
  return [
    ['Name', `${person.first_name} ${person.last_name}`],
    ['E-mail', person.email],
    ['Phone', formatPhone(person.phone)],
    ['Zip code', person.zip_code],
    ['Sent', formatDay(created_at)],
    ['Clinic', held_reason === null ? (provider_name ?? 'None') : 'Held'],
    ['Outcome', outcome === null ? 'None yet' : OUTCOME_WORDS[outcome]],
  ]
}

/** Returns the requests to choose from, for the debounced search. */
function useCandidates(leadId: number, search: string) {
  const q = useSettled(search.trim())
  return useQuery({
    queryKey: ['lead-same-person', leadId, q],
    queryFn: () => call(listLinkCandidates, { params: { id: leadId }, query: { q: q || undefined } }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}
