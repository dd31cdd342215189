import type { ReactNode } from 'react'
import { endpoints } from '../../paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { DownloadLink } from '../../ui/download-link.tsx'

/** What managers do with all providers at once. `sync` is the button that syncs them. */
export function ProviderActions({ sync }: { sync: ReactNode }) {
  return (
    <div className="flex flex-wrap gap-3">
      <DownloadLink href={endpoints.providersCsv} className={buttonClass({ variant: 'outline', size: 'small' })}>
        Export Providers CSV
      </DownloadLink>
      {sync}
    </div>
  )
}
