import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { HttpError } from './http.ts'

/**
 * Answers stay fresh until an action invalidates them, and nothing is tried again behind the visitor's back.
 * @param onUnauthorized called when any call answers 401
 */
export function createQueryClient(onUnauthorized?: (client: QueryClient) => void): QueryClient {
  const onError = (error: Error) => {
    if (!(error instanceof HttpError)) return
    if (error.status === 401) onUnauthorized?.(client)
    // The account must have a second factor since the page was opened: the session says so, too.
    if (error.code === 'second_factor_required') void client.invalidateQueries({ queryKey: ['session'] })
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false, retry: false },
      mutations: { retry: false },
    },
  })
  return client
}

/** What all parts of the public pages share in one browser. */
export const queryClient = createQueryClient()
