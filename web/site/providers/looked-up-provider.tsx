import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import type { MicrositeProvider } from '../../../core/providers/contract/providers.ts'
import { HttpError } from '../../lib/http.ts'
import type { Wanted } from '../../lib/page-data.ts'
import { withQueries } from '../../lib/query-provider.tsx'
import { useHydrated } from '../../lib/use-hydrated.ts'
import { providerQuery } from '../../shared/providers/get-provider.ts'

type Props = {
  wanted: Wanted
  loading: ReactNode
  none: ReactNode
  failed?: (retry: () => void) => ReactNode
  children: (provider: MicrositeProvider) => ReactNode
}

export const LookedUpProvider = withQueries(({ wanted, loading, none, failed, children }: Props) => {
  // Another part of the page may have the answer before this one is hydrated. The first render must match the server's
  // HTML.
  const isHydrated = useHydrated()
  const { data: provider, error, isFetching, refetch } = useQuery(providerQuery(wanted))

  useEffect(() => {
    if (error) console.error('The provider of this page could not be found.', error)
  }, [error])

  if (isFetching || !isHydrated) return loading
  const isUnknown = error instanceof HttpError && error.status === 404
  if (error && !isUnknown && failed && 'id' in wanted) return failed(refetch)
  return provider?.status === 't' ? children(provider) : none
})
