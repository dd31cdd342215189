import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { endSession } from '../features/session/api/get-session.ts'
import { SessionGate } from '../features/session/session-gate.tsx'
import type { Gate } from '../features/session/use-gate.ts'
import { createQueryClient } from '../lib/query-client.ts'
import { PageMeta } from '../ui/page-meta.tsx'
import { Dashboard } from './dashboard.tsx'

export function AdminPage({ gate }: { gate: Gate }) {
  const [client] = useState(() => createQueryClient(endSession))
  return (
    <QueryClientProvider client={client}>
      <PageMeta title="Admin Dashboard" hidden />
      <SessionGate gate={gate}>
        <Dashboard />
      </SessionGate>
    </QueryClientProvider>
  )
}
