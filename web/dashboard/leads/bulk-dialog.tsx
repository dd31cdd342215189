import { useMemo, useState } from 'react'
import type { PublicProvider } from '../../../core/contract/providers.ts'
import { UNDO_SECONDS } from '../../../core/contract/undo.ts'
import { createSearch } from '../../lib/search.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { BULK_WORDS, countOf } from './bulk-words.ts'
import { type PickedProvider, ProviderPicker, practiceOf } from './provider-picker.tsx'
import { type BulkRequest, canBeUndone, sizeOf } from './use-bulk.ts'

type Props = {
  request: BulkRequest
  providers: PublicProvider[] | undefined
  onConfirm: (request: BulkRequest) => void
  onClose: () => void
}

/** Asks before something is done to many leads, and for the provider that they go to. */
export function BulkDialog({ request, providers, onConfirm, onClose }: Props) {
  const [chosen, setChosen] = useState<PickedProvider>()
  const [search, setSearch] = useState('')
  const found = useFound(providers, search)
  const { action, target } = request
  const leads = countOf(sizeOf(target))
  const isMatch = action === 'assign-provider'
  const verb = isMatch
    ? `Match ${leads}`
    : `${BULK_WORDS[action].label}${action.startsWith('retry') ? ' of' : ''} ${leads}`

  function confirm() {
    onConfirm({ ...request, providerId: chosen?.id })
    onClose()
  }

  return (
    <ConfirmDialog
      title={isMatch ? `${verb} with a provider` : `${verb}?`}
      confirmLabel={isMatch && chosen ? `Send ${leads} to ${practiceOf(chosen)}` : verb}
      variant={action === 'delete' ? 'danger' : 'primary'}
      disabled={isMatch && !chosen}
      onConfirm={confirm}
      onClose={onClose}
    >
      {action === 'delete' && (
        <p>
          Nothing more will be sent for them. {canBeUndone(target) && UNDO}Each of them can be restored under “Deleted”
          until it is deleted for good.
        </p>
      )}
      {isMatch && (
        <div className="grid gap-3">
          <p>
            Held leads are released to that clinic. A clinic that has one of these leads now is asked not to call, and
            the visitor is told about the change.{' '}
            {canBeUndone(target) ? UNDO : 'There are too many leads to undo this.'}
          </p>
          <ProviderPicker
            providers={found}
            search={search}
            onSearch={setSearch}
            chosen={chosen?.id}
            onChoose={setChosen}
          />
        </div>
      )}
      {action !== 'delete' && !isMatch && <p>This applies to every lead that matches, on all pages.</p>}
    </ConfirmDialog>
  )
}

const UNDO = `You can undo this for ${UNDO_SECONDS} seconds. `
const MAX_SHOWN = 50

/** The active clinics; or with a search those that match it, inactive ones last. */
function useFound(providers: PublicProvider[] | undefined, search: string): PublicProvider[] | undefined {
  const find = useMemo(() => providers && createSearch(providers, FIELDS_OF), [providers])
  return find?.(search)
    .filter(({ status }) => search.trim() || status === 't')
    .toSorted((a, b) => b.status.localeCompare(a.status))
    .slice(0, MAX_SHOWN)
}

const FIELDS_OF = ({ name, practiceName, address, zipCode }: PublicProvider) => [name, practiceName, address, zipCode]
