import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useState } from 'react'
import { HttpError } from './http.ts'

/** Around each part that makes calls, so that pages without calls load none of it. All parts share what they know. */
export function QueryProvider({ children }: { children: ReactNode }) {
  // On the server nothing may be shared between visitors.
  const [client] = useState(() => (import.meta.env.SSR ? createQueryClient() : queryClient))
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}

export function withQueries<Props extends object>(Part: ComponentType<Props>): ComponentType<Props> {
  return (props) => (
    <QueryProvider>
      <Part {...props} />
    </QueryProvider>
  )
}

/**
 * Answers stay fresh until an action invalidates them, and nothing is tried again behind the visitor's back.
 * @param onUnauthorized called when any call answers 401, except an attempt to sign in: a wrong password ends no session
 */
export function createQueryClient(onUnauthorized?: (client: QueryClient) => unknown): QueryClient {
  const onError = (error: Error, isSignIn = false) => {
    if (!(error instanceof HttpError)) return
    if (error.status === 401 && !isSignIn) onUnauthorized?.(client)
    // The account must have a second factor since the page was opened: the session says so, too.
    if (error.code === 'second_factor_required') void client.invalidateQueries({ queryKey: ['session'] })
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: (error) => onError(error) }),
    mutationCache: new MutationCache({
      onError: (error, _input, _context, { meta }) => onError(error, meta?.isSignIn === true),
    }),
    defaultOptions: {
      queries: { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false, retry: false },
      // A pause until the connection is back would do later what a person has given up by then.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  return client
}

export const queryClient = createQueryClient()
