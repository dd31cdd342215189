import { useState } from 'react'
import type { PublicProvider } from '../../../core/contract/providers.ts'
import { UNDO_SECONDS } from '../../../core/contract/undo.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { BULK_WORDS, countOf } from './bulk-words.ts'
import { ProviderPicker } from './provider-picker.tsx'
import { type BulkRequest, canBeUndone, sizeOf } from './use-bulk.ts'

type Props = {
  request: BulkRequest
  providers: PublicProvider[] | undefined
  onConfirm: (request: BulkRequest) => void
  onClose: () => void
}

/** Asks before something is done to many leads, and for the provider that they go to. */
export function BulkDialog({ request, providers, onConfirm, onClose }: Props) {
  const [chosen, setChosen] = useState<{ id: number; name: string; practiceName: string | null }>()
  const [search, setSearch] = useState('')
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
      confirmLabel={isMatch && chosen ? `Send ${leads} to ${chosen.practiceName || chosen.name}` : verb}
      variant={action === 'delete' ? 'danger' : 'primary'}
      disabled={isMatch && !chosen}
      onConfirm={confirm}
      onClose={onClose}
    >
      {action === 'delete' && (
        <p>
          They and everything that is still to be sent for them will be removed.{' '}
          {canBeUndone(target)
            ? `You can undo this for ${UNDO_SECONDS} seconds.`
            : 'This cannot be undone, because there are so many.'}{' '}
          The records of consent are kept, without name, e-mail and phone.
        </p>
      )}
      {isMatch && (
        <div className="grid gap-3">
          <p>
            Held leads are released to that clinic. A clinic that has one of these leads now is asked not to call, and
            the visitor learns of the change. You can undo this for {UNDO_SECONDS} seconds.
          </p>
          <ProviderPicker
            providers={matching(providers, search)}
            search={search}
            onSearch={setSearch}
            chosen={chosen?.id}
            onChoose={setChosen}
            empty={search ? `No results for “${search}”` : 'There is no active provider.'}
          />
        </div>
      )}
      {action !== 'delete' && !isMatch && <p>This is done for every lead that matches, on whatever page.</p>}
    </ConfirmDialog>
  )
}

/** Whose name, practice, address or zip code has every word of the search. Inactive ones last. */
function matching(providers: PublicProvider[] | undefined, search: string): PublicProvider[] | undefined {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return providers
    ?.filter(({ status }) => words.length > 0 || status === 't')
    .filter(({ name, practiceName, address, zipCode }) => {
      const text = [name, practiceName, address, zipCode].join(' ').toLowerCase()
      return words.every((word) => text.includes(word))
    })
    .toSorted((a, b) => b.status.localeCompare(a.status))
    .slice(0, MOST_SHOWN)
}

const MOST_SHOWN = 50
