import type { ReactNode } from 'react'
import { useSettings } from '../../lib/settings.ts'
import type { ProviderLists } from '../../shared/providers/list-providers.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { NewEmailsCard } from './new-emails-card.tsx'
import { ProviderListCard } from './provider-list-card.tsx'
import { ProviderMapCard } from './provider-map-card.tsx'
import { ProvidersAlert } from './providers-alert.tsx'

type Props = {
  providers: ProviderLists
  /** How their sync stands, and its last runs. */
  sync: ReactNode
  syncRuns: ReactNode
  canAct: boolean
}

/** Every provider as staff see it. What was loaded stays in sight when loading it again fails. */
export function ProvidersPanel({ providers, sync, syncRuns, canAct }: Props) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <ProvidersAlert providers={providers} />
      <SettingsAlert />
      <NewEmailsCard providers={providers.data} canAct={canAct} />
      {sync}
      <ProviderListCard providers={providers} />
      <ProviderMapCard providers={providers.data} />
      {syncRuns}
    </div>
  )
}

/** Says that the settings could not be loaded, and what is missing without them. */
function SettingsAlert() {
  const { error, isFetching, refetch } = useSettings()
  if (!error) return null
  return (
    <Alert title="Failed to load settings">
      <p>
        {error.message || 'The server is not responding.'} Links to WordPress and the streets of the map are missing.
      </p>
      <Button variant="outline" size="small" busy={isFetching} onClick={() => refetch()} className="mt-2">
        Try again
      </Button>
    </Alert>
  )
}
