import type { ReactNode } from 'react'
import type { ProviderLists } from '../../shared/providers/list-providers.ts'
import { NewEmailsCard } from './new-emails-card.tsx'
import { ProviderListCard } from './provider-list-card.tsx'
import { ProviderMapCard } from './provider-map-card.tsx'
import { ProvidersAlert } from './providers-alert.tsx'
import { SettingsAlert } from './settings-alert.tsx'

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
