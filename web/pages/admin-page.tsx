import { LeadsPanel } from '../features/leads/leads-panel.tsx'
import { useLeadsPage } from '../features/leads/use-leads-page.ts'
import { useProviders } from '../features/providers/api/list-providers.ts'
import { SessionGate } from '../features/session/session-gate.tsx'
import { SignOutButton } from '../features/session/sign-out-button.tsx'
import type { Gate } from '../features/session/use-gate.ts'
import { Alert } from '../ui/alert.tsx'
import { Logo } from '../ui/logo.tsx'
import { PageMeta } from '../ui/page-meta.tsx'
import { Tabs } from '../ui/tabs.tsx'

export function AdminPage({ gate }: { gate: Gate }) {
  return (
    <>
      <PageMeta title="Admin Dashboard" hidden />
      <SessionGate gate={gate}>
        <Dashboard />
      </SessionGate>
    </>
  )
}

function Dashboard() {
  const leads = useLeadsPage()
  const providers = useProviders()

  return (
    <div className="min-h-dvh bg-mist">
      <header className="border-b border-line bg-white">
        <div className="mx-auto flex min-h-16 max-w-7xl items-center justify-between gap-4 px-4 text-primary sm:px-6">
          <Logo />
          <SignOutButton />
        </div>
      </header>
      <main className="mx-auto max-w-7xl px-4 py-8 sm:px-6">
        <h1 className="mb-5 font-display text-4xl font-medium text-ink">Admin Dashboard</h1>
        {providers.error && (
          <div className="mb-5">
            <Alert title="Error">{providers.error.message || 'Failed to load providers'}</Alert>
          </div>
        )}
        <Tabs
          label="Dashboard"
          tabs={[
            {
              label: `Leads (${leads.total ?? '…'})`,
              panel: <LeadsPanel {...leads} providers={providers.data} />,
            },
          ]}
        />
      </main>
    </div>
  )
}
