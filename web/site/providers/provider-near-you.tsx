import { useQuery } from '@tanstack/react-query'
import { usePageData } from '../../lib/page-data.ts'
import { QueryProvider } from '../../lib/query-provider.tsx'
import { useHydrated } from '../../lib/use-hydrated.ts'
import { providerQuery } from '../../shared/providers/get-provider.ts'
import { ProviderDetails } from '../../shared/providers/provider-details.tsx'

/** Whom the visitor will hear from. */
export function ProviderNearYou({ providerId }: { providerId: number | undefined }) {
  return (
    <section aria-labelledby="provider-heading" className="rounded-2xl border border-line bg-white p-5 sm:p-7">
      <h2 id="provider-heading" className="font-display text-2xl font-medium text-ink">
        Provider Near You:
      </h2>
      <div className="mt-5" aria-live="polite">
        <QueryProvider>{providerId === undefined ? <Unavailable /> : <LoadedProvider id={providerId} />}</QueryProvider>
      </div>
    </section>
  )
}

function LoadedProvider({ id }: { id: number }) {
  const { chosen } = usePageData()
  const isHydrated = useHydrated()
  const known = chosen?.id === id ? chosen.provider : null
  const { data: provider, isPending } = useQuery({ ...providerQuery({ id }), initialData: known ?? undefined })
  // The header asks for the same provider, and may have the answer before this part is hydrated.
  if (isPending || !(known || isHydrated)) return <p data-live>Loading provider information...</p>
  return provider ? <ProviderDetails provider={provider} /> : <Unavailable />
}

function Unavailable() {
  return <p>Provider information not available.</p>
}
