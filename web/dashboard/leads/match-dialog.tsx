import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { HELD_REASONS } from '../../../core/contract/forms.ts'
import { milesInWords } from '../../../core/contract/texts.ts'
import { assignProvider, listCandidates, type MatchCandidate } from '../../../core/leads/contract/lead-changes.ts'
import type { Lead } from '../../../core/leads/contract/leads.ts'
import { call } from '../../lib/call.ts'
import { useSettled } from '../../lib/hooks.ts'
import { ConfirmDialog } from '../../ui/confirm.tsx'
import { type PickedProvider, ProviderPicker, placeOf, practiceOf } from '../provider-picker.tsx'
import { useProviders } from '../providers/list-providers.tsx'
import { useUndo } from '../undo.tsx'
import type { LeadDialog } from './lead-dialogs.tsx'
import { nameOfProvider, samePersonSentence, useLeadAction } from './use-lead-action.ts'

type Props = {
  lead: Lead
  /** Default: offers to undo it. */
  onMatched?: (lead: Lead) => void
  onClose: () => void
}

export const leadDialog: LeadDialog = {
  ...{ position: 3, key: 'm', right: 'lead.match', isOffered: () => true },
  label: (lead) => (lead.provider_id === null ? 'Match with provider...' : 'Change provider...'),
  Dialog: MatchDialog,
}

/** Proposes the nearest clinic if it is within the radius and can take leads. The button names the choice. */
export function MatchDialog({ lead, onMatched, onClose }: Props) {
  const { offer } = useUndo()
  const provider = nameOfProvider(lead, useProviders().data)
  const [search, setSearch] = useState('')
  const [picked, setPicked] = useState<PickedProvider>()
  const q = useSettled(search.trim())
  const { data, error } = useQuery({
    queryKey: ['lead-candidates', lead.id, q],
    queryFn: () => call(listCandidates, { params: { id: lead.id }, query: { q: q || undefined } }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const candidates = data?.candidates.filter(({ id }) => id !== lead.provider_id)
  const chosen = picked ?? (search.trim() ? undefined : nearestOf(candidates, data?.radiusMiles))
  const assignment = useLeadAction({
    act: (providerId: number) => call(assignProvider, { params: { id: lead.id }, body: { providerId } }),
    done(matched) {
      onClose()
      if (onMatched) onMatched(matched)
      else offer({ undo: 'undo-match', ids: [lead.id], description: 'Lead provider updated successfully' })
    },
    failed: 'Failed to update lead provider',
  })
  const isUnwanted = lead.held_reason === 'do_not_contact'
  const isFar = chosen?.miles != null && data !== undefined && chosen.miles > data.radiusMiles

  return (
    <ConfirmDialog
      title={provider === undefined ? 'Match with provider' : 'Change provider'}
      className="w-xl"
      confirmLabel={chosen ? (isFar ? 'Send anyway' : sendLabel(chosen)) : 'Send to...'}
      variant={isFar ? 'danger' : 'primary'}
      busy={assignment.isPending}
      disabled={!chosen || isUnwanted}
      onConfirm={() => chosen && assignment.mutate(chosen.id)}
      onClose={onClose}
    >
      <div className="grid gap-4">
        <p className="text-quiet">
          {lead.first_name} {lead.last_name}, zip code {lead.zip_code}
          {provider !== undefined && `, now with ${provider}`}
        </p>
        <ProviderPicker
          {...{ error, search }}
          providers={candidates}
          onSearch={setSearch}
          chosen={chosen?.id}
          onChoose={setPicked}
        />
        <div role="status" className="grid gap-2 empty:hidden">
          {isFar && (
            <Warning>
              {practiceOf(chosen)} is {milesInWords(chosen.miles ?? 0)} from zip code {lead.zip_code}, beyond the radius
              of {milesInWords(data.radiusMiles)}.
            </Warning>
          )}
          {lead.held_reason !== null && (
            <Warning>
              This lead is held. {HELD_REASONS[lead.held_reason]}{' '}
              {isUnwanted ? 'Release it first.' : 'Sending it to a provider releases it.'}
            </Warning>
          )}
          {data?.samePerson.map((other) => (
            <Warning key={other.id}>{samePersonSentence(other)}</Warning>
          ))}
          {provider !== undefined && chosen && (
            <Warning>
              {provider} is asked not to call, if it was notified of this lead. The visitor is notified of the change.
            </Warning>
          )}
        </div>
      </div>
    </ConfirmDialog>
  )
}

function Warning({ children }: { children: ReactNode }) {
  return <p className="rounded-lg bg-wait-soft px-3 py-2 text-sm wrap-anywhere text-ink">{children}</p>
}

function nearestOf(candidates: MatchCandidate[] = [], radiusMiles = 0): MatchCandidate | undefined {
  const [first] = candidates
  const isFit = first?.status === 't' && first.obstacle === null && first.miles !== null && first.miles <= radiusMiles
  return isFit ? first : undefined
}

/** Returns, for example, `Send to Sterling Wellness & Urology, Billings, MT (183 miles)`. */
function sendLabel(provider: PickedProvider): string {
  const place = placeOf(provider)
  const miles = provider.miles == null ? '' : ` (${milesInWords(provider.miles)})`
  return `Send to ${practiceOf(provider)}${place ? `, ${place}` : ''}${miles}`
}
