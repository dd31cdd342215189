import { type ComponentType, useState } from 'react'
import { Skeleton } from '../ui/skeleton.tsx'
import { type Right, useAccess, useMe } from './access.tsx'
import { ActivityPanel } from './activity/activity-panel.tsx'
import { AlertsPanel } from './alerts/alerts-panel.tsx'
import { ApplicationsPanel } from './applications/applications-panel.tsx'
import { AttentionPanel } from './attention/attention-panel.tsx'
import { HealthPanel } from './health/health-panel.tsx'
import { CorrectNumber } from './leads/edit-lead-dialog.tsx'
import { ReleaseHeld } from './leads/held-lead.tsx'
import { LeadsPanel } from './leads/leads-panel.tsx'
import { MatchLead } from './leads/match-dialog.tsx'
import { passedOnWords } from './leads/pass-on.tsx'
import { useLeadsPage } from './leads/use-leads-page.ts'
import { OverviewPanel } from './overview/overview-panel.tsx'
import { PrivacyPanel } from './privacy/privacy-panel.tsx'
import { useProviders } from './providers/list-providers.ts'
import { ProvidersAlert, ProvidersPanel } from './providers/providers-panel.tsx'
import { RetryFailedButton } from './retry-failed.tsx'
import { usePerson } from './session/session.ts'
import { SessionList } from './session/session-list.tsx'
import { SetupPanel } from './setup/setup-panel.tsx'
import { useStaff } from './staff/staff.ts'
import { StaffPanel } from './staff/staff-panel.tsx'
import { ClinicChange } from './sync/run-changes.tsx'
import { SyncDrawer } from './sync/sync-drawer.tsx'
import { useSync } from './sync/use-sync.tsx'
import { useUndo } from './undo.tsx'

/** What a panel gets of the dashboard around it. */
export type PanelProps = {
  /** Whether it is not decided yet which tab the dashboard opens with. */
  isLanding: boolean
  onNewLead: () => void
  onKeys: () => void
}

export type TabId = keyof typeof TABS

type TabRow = {
  label: string
  /** The letter that shows it, after `g`. */
  key?: string
  /** Who may see it: everybody without one. */
  right?: Right
  /** More words that the command menu finds it by. */
  keywords?: string
  Panel: ComponentType<PanelProps>
}

/** The tabs, in their order. The setup is a tab of its own until there are leads; after that, the menus lead to it. */
export const TABS = {
  leads: { label: 'Leads', key: 'l', Panel: Leads },
  attention: { label: 'Needs attention', key: 'n', Panel: Attention },
  providers: {
    label: 'Providers',
    key: 'p',
    keywords: 'clinics pause network holiday sync',
    Panel: Providers,
  },
  applications: { label: 'Applications', key: 'a', Panel: Applications },
  overview: { label: 'Overview', key: 'o', keywords: 'retry what failed figures', Panel: Overview },
  health: { label: 'Health', key: 'h', keywords: 'pause resume sending crm mail queue', Panel: HealthPanel },
  activity: { label: 'Activity', key: 'y', Panel: Activity },
  alerts: {
    label: 'Alerts',
    key: 't',
    right: 'settings.manage',
    keywords: 'add channel notify slack',
    Panel: AlertsPanel,
  },
  staff: {
    label: 'Staff',
    key: 's',
    right: 'staff.manage',
    keywords: 'add account invite colleague shared password',
    Panel: Staff,
  },
  privacy: {
    label: 'Privacy',
    key: 'v',
    right: 'settings.manage',
    keywords: 'find person data erase export gdpr ccpa',
    Panel: PrivacyPanel,
  },
  setup: { label: 'Setup', right: 'settings.manage', Panel: Setup },
} as const satisfies Record<string, TabRow>

function Leads({ isLanding, ...rest }: PanelProps) {
  const providers = useProviders()
  const { error } = useLeadsPage({ isShown: !isLanding })
  if (isLanding) return <Skeleton className="h-96 w-full" />
  return (
    <div className="space-y-4">
      {!error && <ProvidersAlert providers={providers} />}
      <LeadsPanel providers={providers.data} {...rest} />
    </div>
  )
}

function Attention() {
  const { offer } = useUndo()
  const providers = useProviders().data
  const [matching, setMatching] = useState<number>()
  return (
    <>
      <AttentionPanel
        onMatch={setMatching}
        releaseButton={(id, { title, heldReason }) =>
          heldReason && <ReleaseHeld id={id} name={title} reason={heldReason} />
        }
        correctButton={(id, { title }) => <CorrectNumber id={id} name={title} />}
        passedOnWords={(lead) => passedOnWords(lead, providers)}
      />
      {matching !== undefined && (
        <MatchLead
          id={matching}
          onMatched={({ id }) =>
            offer({ undo: 'undo-match', ids: [id], description: 'Lead provider updated successfully' })
          }
          onClose={() => setMatching(undefined)}
        />
      )}
    </>
  )
}

function Providers() {
  return <ProvidersPanel sync={<SyncDrawer />} syncWords={(change) => <ClinicChange change={change} />} />
}

function useAccounts() {
  return useStaff({ enabled: useAccess()('staff.manage') }).data?.staff
}

function Applications() {
  return <ApplicationsPanel accounts={useAccounts()} />
}

function Overview() {
  return <OverviewPanel actions={useAccess()('delivery.retry') && <RetryFailedButton />} />
}

function Activity() {
  return <ActivityPanel accounts={useAccounts()} />
}

function Staff() {
  const { person, isOpen } = usePerson()
  return <StaffPanel isOpen={isOpen} ownId={person?.id ?? null} sessions={<SessionList of="everybody" />} />
}

function Setup() {
  const { start, pending } = useSync()
  const email = useMe()?.email ?? ''
  return <SetupPanel sync={{ start: () => start({ kind: 'sync' }), isBusy: pending !== undefined }} email={email} />
}
