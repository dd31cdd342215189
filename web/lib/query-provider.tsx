import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { createQueryClient, queryClient } from './query-client.ts'

/** Around each part that makes calls, so that pages without calls load none of it. All parts share what they know. */
export function QueryProvider({ children }: { children: ReactNode }) {
  // On the server nothing may be shared between visitors.
  const [client] = useState(() => (import.meta.env.SSR ? createQueryClient() : queryClient))
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}
