import { useQuery } from '@tanstack/react-query'
import { websiteUrl } from '../../lib/links.ts'
import { providerQuery } from '../providers/get-provider.ts'
import { ProviderAvatar } from '../providers/provider-avatar.tsx'
import { INACTIVE_WORDS } from './points.ts'

/** Shows the popup of a provider's pin. Loads the provider on demand. */
export function ProviderPopup({ id }: { id: number }) {
  const { data: provider, isPending } = useQuery(providerQuery({ id }))
  if (isPending) return <p className="m-0!">Loading provider information...</p>
  if (!provider) return <p className="m-0!">Provider information not available.</p>

  const { name, practiceName, address, website, status } = provider
  return (
    <div className="flex gap-3 font-sans text-sm wrap-anywhere">
      <ProviderAvatar provider={provider} />
      <div className="min-w-0">
        <p className="m-0! font-semibold text-ink">{name}</p>
        {practiceName && <p className="m-0!">{practiceName}</p>}
        {address && <p className="mt-1! mb-0! text-quiet">{address}</p>}
        {status === 'f' && <p className="mt-1! mb-0! font-semibold text-bad">{INACTIVE_WORDS}</p>}
        {status === 't' && website && (
          <a
            href={websiteUrl(website)}
            target="_blank"
            rel="noreferrer"
            className="mt-1 inline-block min-h-6 font-semibold text-secondary! underline underline-offset-4"
          >
            Visit Website
          </a>
        )}
      </div>
    </div>
  )
}
