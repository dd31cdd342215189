import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { createQueryClient } from '../lib/query-client.ts'
import { PageMeta } from '../shared/page-meta.tsx'
import { ChoosePassword } from './session/choose-password.tsx'

/** Where the link of an invitation or a reset leads. */
export function PasswordLinkPage() {
  const [client] = useState(() => createQueryClient())
  return (
    <QueryClientProvider client={client}>
      <PageMeta />
      <main className="grid min-h-dvh content-center justify-items-center bg-mist px-4 py-10">
        <ChoosePassword />
      </main>
    </QueryClientProvider>
  )
}
