import { QueryClientProvider } from '@tanstack/react-query'
import { NuqsAdapter } from 'nuqs/adapters/react-router/v7'
import { useState } from 'react'
import { useLocation } from 'react-router-dom'
import { createQueryClient } from '../lib/query-provider.tsx'
import { formatCount } from '../lib/text.ts'
import { pageAt } from '../pages.ts'
import { PageMeta } from '../shared/page-meta.tsx'
import { useAttentionCount } from './attention/attention.ts'
import { Dashboard } from './dashboard.tsx'
import { useScheme } from './preferences.ts'
import { endSession, useSession } from './session/session.ts'
import { type Gate, SessionGate } from './session/session-gate.tsx'
import { TABS, type TabId } from './tabs.tsx'

/** Loads the tab that is asked for while the session is read. */
const asked = new URLSearchParams(globalThis.location?.search).get('tab') ?? ''
void (Object.hasOwn(TABS, asked) ? TABS[asked as TabId] : TABS.leads).Panel.load().catch(() => {})

/** Changes of parameters go through the router and make an entry in the history. */
const ADDRESS = { history: 'push', shallow: false } as const

export function AdminPage({ gate }: { gate: Gate }) {
  const [client] = useState(() => createQueryClient(endSession))
  useScheme()
  return (
    <QueryClientProvider client={client}>
      <AdminMeta />
      <SessionGate gate={gate}>
        <NuqsAdapter defaultOptions={ADDRESS}>
          <Dashboard />
        </NuqsAdapter>
      </SessionGate>
    </QueryClientProvider>
  )
}

/** Puts the number of what needs attention in front of the title of the browser's tab, while somebody is signed in. */
function AdminMeta() {
  const isSignedIn = useSession({ enabled: false }).data?.authenticated === true
  const known = useAttentionCount()
  const count = isSignedIn ? known : undefined
  const title = pageAt(useLocation().pathname)?.title ?? ''
  return <PageMeta title={count ? `(${formatCount(count)}) ${title}` : undefined} />
}
