import { useState } from 'react'
import type { PublicProvider } from '../../../core/contract/providers.ts'
import { UNDO_SECONDS } from '../../../core/contract/undo.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { BULK_WORDS, countOf } from './bulk-words.ts'
import { ProviderSelect } from './provider-select.tsx'
import { type BulkRequest, canBeUndone, sizeOf } from './use-bulk.ts'

type Props = {
  request: BulkRequest
  providers: PublicProvider[] | undefined
  onConfirm: (request: BulkRequest) => void
  onClose: () => void
}

/** Asks before something is done to many leads, and for the provider that they go to. */
export function BulkDialog({ request, providers, onConfirm, onClose }: Props) {
  const [providerId, setProviderId] = useState<number>()
  const { action, target } = request
  const leads = countOf(sizeOf(target))
  const isMatch = action === 'assign-provider'
  const verb = isMatch
    ? `Match ${leads}`
    : `${BULK_WORDS[action].label}${action.startsWith('retry') ? ' of' : ''} ${leads}`

  function confirm() {
    onConfirm({ ...request, providerId })
    onClose()
  }

  return (
    <ConfirmDialog
      title={isMatch ? `${verb} with a provider` : `${verb}?`}
      confirmLabel={verb}
      variant={action === 'delete' ? 'danger' : 'primary'}
      disabled={isMatch && providerId === undefined}
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
          <p>They are sent to that clinic at once. Held leads are released to it.</p>
          <ProviderSelect
            label="Provider"
            first="Match with provider..."
            group="Select Provider"
            providers={providers?.filter(({ status }) => status === 't')}
            chosen={providerId}
            onChoose={setProviderId}
          />
        </div>
      )}
      {action !== 'delete' && !isMatch && <p>This is done for every lead that matches, on whatever page.</p>}
    </ConfirmDialog>
  )
}
