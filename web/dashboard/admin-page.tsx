import { QueryClientProvider } from '@tanstack/react-query'
import { NuqsAdapter } from 'nuqs/adapters/react-router/v7'
import { useState } from 'react'
import { createQueryClient } from '../lib/query-provider.tsx'
import { PageMeta } from '../shared/page-meta.tsx'
import { Dashboard } from './dashboard.tsx'
import { endSession } from './session/session.ts'
import { type Gate, SessionGate } from './session/session-gate.tsx'

/** Changes of parameters go through the router and make an entry in the history. */
const ADDRESS = { history: 'push', shallow: false } as const

export function AdminPage({ gate }: { gate: Gate }) {
  const [client] = useState(() => createQueryClient(endSession))
  return (
    <QueryClientProvider client={client}>
      <PageMeta />
      <SessionGate gate={gate}>
        <NuqsAdapter defaultOptions={ADDRESS}>
          <Dashboard />
        </NuqsAdapter>
      </SessionGate>
    </QueryClientProvider>
  )
}
