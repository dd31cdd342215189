import type { ReactNode } from 'react'
import { exportProviders } from '../../../core/contract/providers.ts'
import { urlOf } from '../../lib/call.ts'
import { buttonClass } from '../../ui/button.tsx'
import { DownloadLink } from '../download-link.tsx'

/** What managers do with all providers at once. `sync` is the button that syncs them. */
export function ProviderActions({ sync }: { sync: ReactNode }) {
  return (
    <div className="flex flex-wrap gap-3">
      <DownloadLink href={urlOf(exportProviders)} className={buttonClass({ variant: 'outline', size: 'small' })}>
        Export Providers CSV
      </DownloadLink>
      {sync}
    </div>
  )
}
