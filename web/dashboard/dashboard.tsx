import { useOptimisticSearchParams } from 'nuqs/adapters/react-router/v7'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { formatCount } from '../lib/numbers.ts'
import { SECOND } from '../lib/time.ts'
import { Logo } from '../shared/logo.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { type Tab, Tabs } from '../ui/tabs.tsx'
import { ActivityPanel } from './activity/activity-panel.tsx'
import type { NameOf } from './activity/condition-words.ts'
import { actInWords } from './activity/words.ts'
import { searchTo } from './address.ts'
import { AlertsPanel } from './alerts/alerts-panel.tsx'
import { useApplicationsPage } from './applications/applications.ts'
import { ApplicationsPanel } from './applications/applications-panel.tsx'
import { useAttention } from './attention/attention.ts'
import { AttentionPanel } from './attention/attention-panel.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { CommandMenu } from './command-menu.tsx'
import { ExportNotices } from './exports.tsx'
import { HealthPanel } from './health/health-panel.tsx'
import { isElsewhere, TAB_KEYS, useKeys } from './keys.ts'
import { KeysDialog } from './keys-dialog.tsx'
import { CorrectNumber, NewLeadDialog } from './leads/edit-lead-dialog.tsx'
import { ReleaseHeld } from './leads/held-lead.tsx'
import { LeadsPanel } from './leads/leads-panel.tsx'
import { MatchLead } from './leads/match-dialog.tsx'
import { passedOnWords } from './leads/pass-on.tsx'
import { useLeadsPage } from './leads/use-leads-page.ts'
import { useUndo } from './leads/use-undo.tsx'
import { useLive } from './live/use-live.ts'
import {
  ConnectionNotice,
  CrmOutcomesNotice,
  OptOutNotice,
  ProxyNotice,
  SendingNotice,
  SyncNotice,
} from './notices.tsx'
import { OverviewPanel } from './overview/overview-panel.tsx'
import { PrivacyPanel } from './privacy/privacy-panel.tsx'
import { ProviderActions } from './provider-actions.tsx'
import { recordSearch } from './provider-link.tsx'
import { useProviders } from './providers/list-providers.ts'
import { ProvidersAlert, ProvidersPanel } from './providers/providers-panel.tsx'
import { RetryFailedButton } from './retry-failed.tsx'
import { AccountMenu } from './session/account-menu.tsx'
import { usePerson } from './session/session.ts'
import { SessionList } from './session/session-list.tsx'
import { useSettings } from './settings.ts'
import { SetupPanel } from './setup/setup-panel.tsx'
import { useStaff } from './staff/staff.ts'
import { StaffPanel } from './staff/staff-panel.tsx'
import { ClinicChange } from './sync/run-changes.tsx'
import { RunDialog } from './sync/run-dialog.tsx'
import { SyncDrawer } from './sync/sync-drawer.tsx'
import { currentRunId, useEndOfRun, useOpenRun } from './sync/sync-runs.ts'
import { useSync } from './sync/use-sync.tsx'

const FIRST_TAB = 'leads'
const SETUP = 'setup'
/** How long the dashboard waits to learn whether it is new before it shows the leads. */
const MAX_LANDING = 5 * SECOND

/** Shows the dashboard. Its state is in the address. */
export function Dashboard() {
  const live = useLive(currentRunId)
  useEndOfRun()
  const attention = useAttention()
  const { person, isManager, isOpen } = usePerson()
  const settings = useSettings()
  const isNew = isManager && isNewInstallation(settings)
  const { tab, isLanding, goTo, show, openLead, openProvider } = useTabs(landingOf({ isManager, settings }))
  const leads = useLeadsPage({ isShown: tab === 'leads' })
  const applications = useApplicationsPage()
  const providers = useProviders()
  const canStop = person !== undefined && person.role !== 'viewer'
  const staff = useStaff({ enabled: isManager })
  const openRun = useOpenRun()
  const { offer: offerUndo, undo } = useUndo()
  const [matching, setMatching] = useState<number>()
  const [dialog, setDialog] = useState<'new-lead' | 'keys'>()
  const sync = useSync({ onTrial: openRun.open })
  const nameOf: NameOf = (id, of) =>
    of === 'account'
      ? (staff.data?.staff.find((each) => each.id === id)?.name ?? `account #${id}`)
      : (providers.data?.find((each) => each.id === id)?.name ?? `Provider #${id}`)

  const onNewLead = () => setDialog('new-lead')
  const onKeys = () => setDialog('keys')
  useKeys({ c: canStop ? onNewLead : undefined, '?': onKeys })

  const chosen = isLanding ? FIRST_TAB : tab
  const troubles = attention.data?.total
  const setupTab: Tab = {
    id: SETUP,
    label: 'Setup',
    panel: (
      <SetupPanel
        sync={{ start: () => sync.start({ kind: 'sync' }), isBusy: sync.pending !== undefined }}
        email={person?.email ?? ''}
      />
    ),
  }
  const tabs: Tab[] = [
    {
      id: FIRST_TAB,
      label: `Leads (${leads.count ?? '…'})`,
      panel: isLanding ? (
        <Skeleton className="h-96 w-full" />
      ) : (
        <div className="space-y-4">
          {!leads.error && <ProvidersAlert providers={providers} />}
          <LeadsPanel
            {...leads}
            providers={providers.data}
            canAct={isManager}
            canStop={canStop}
            me={person}
            onNew={onNewLead}
            onKeys={onKeys}
          />
        </div>
      ),
    },
    {
      id: 'attention',
      label: `Needs attention (${troubles === undefined ? '…' : formatCount(troubles)})`,
      panel: (
        <AttentionPanel
          {...{ canStop }}
          canAct={isManager}
          onMatch={setMatching}
          releaseButton={({ leadId, name, reason }) => <ReleaseHeld id={leadId} name={name} reason={reason} />}
          correctButton={({ leadId, name }) => <CorrectNumber id={leadId} name={name} />}
          passedOnWords={(lead) => passedOnWords(lead, providers.data)}
          onUndoable={offerUndo}
          onUndo={undo}
        />
      ),
    },
    {
      id: 'providers',
      label: `Providers (${providers.count ?? '…'})`,
      panel: (
        <ProvidersPanel
          providers={providers}
          sync={<SyncDrawer sync={sync} canAct={isManager} />}
          canAct={isManager}
          onPassedOn={offerUndo}
          words={{
            act: (line) => actInWords(line, nameOf),
            sync: (change) => <ClinicChange change={change} />,
          }}
        />
      ),
    },
    {
      id: 'applications',
      label: `Applications (${applications.count ?? '…'})`,
      panel: (
        <ApplicationsPanel
          {...applications}
          canAct={isManager}
          canNote={canStop}
          accounts={staff.data?.staff}
          me={person}
        />
      ),
    },
    {
      id: 'overview',
      label: 'Overview',
      panel: <OverviewPanel actions={isManager && <RetryFailedButton />} />,
    },
    { id: 'health', label: 'Health', panel: <HealthPanel canAct={isManager} /> },
    {
      id: 'activity',
      label: 'Activity',
      panel: <ActivityPanel accounts={staff.data?.staff} nameOf={nameOf} canSeeAccess={isManager} />,
    },
    ...(isManager
      ? [
          { id: 'alerts', label: 'Alerts', panel: <AlertsPanel /> },
          {
            id: 'staff',
            label: 'Staff',
            panel: <StaffPanel isOpen={isOpen} ownId={person?.id ?? null} sessions={<SessionList of="everybody" />} />,
          },
          {
            id: 'privacy',
            label: 'Privacy',
            panel: <PrivacyPanel describeAct={(line) => actInWords(line, nameOf)} />,
          },
        ]
      : []),
    // At the end, so that no other tab moves. Later it is found by the command menu and by the menu of the account.
    ...(isNew || (isManager && tab === SETUP) ? [setupTab] : []),
  ]
  useTabKeys(tabs, goTo)

  return (
    <div className="min-h-dvh bg-mist">
      <header className="border-b border-line bg-background print:hidden">
        <div className="mx-auto flex min-h-12 max-w-420 items-center justify-between gap-4 px-4 text-primary sm:px-6">
          <Logo />
          <div className="flex min-w-0 items-center gap-2">
            <CommandMenu
              tabs={isManager && !tabs.includes(setupTab) ? [...tabs, setupTab] : tabs}
              providers={providers.data}
              {...{ goTo, show, openLead, openProvider, sync, leads, onNewLead, onKeys }}
            />
            <AccountMenu />
          </div>
        </div>
      </header>
      <main className="mx-auto max-w-420 px-4 py-3 max-lg:px-3 max-lg:pb-20 sm:px-6">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 print:hidden lg:min-h-9">
          <h1 className="text-lg leading-6 font-semibold text-ink max-lg:sr-only">Admin Dashboard</h1>
          {isManager && (
            <div className={tab === 'providers' ? 'max-lg:mb-2' : 'max-lg:hidden'}>
              <ProviderActions sync={sync} />
            </div>
          )}
        </div>
        <ConnectionNotice isLost={live.isLost} onRefresh={live.refresh} />
        {isManager && <ProxyNotice />}
        <SyncNotice />
        <OptOutNotice />
        <CrmOutcomesNotice />
        <SendingNotice />
        {isManager && <ExportNotices />}
        <Tabs label="Dashboard" chosen={chosen} onChoose={goTo} tabs={tabs} listClassName="max-lg:hidden" />
      </main>
      <BottomBar tabs={tabs} chosen={chosen} onChoose={goTo} counts={{ attention: troubles }} />
      {openRun.openId !== undefined && (
        <RunDialog
          key={openRun.openId}
          id={openRun.openId}
          onStart={isManager ? sync.start : undefined}
          isBusy={sync.pending !== undefined}
          onClose={openRun.close}
        />
      )}
      {dialog === 'new-lead' && (
        <NewLeadDialog
          onEntered={(id) => {
            setDialog(undefined)
            openLead(id)
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'keys' && (
        <KeysDialog tabs={tabs} canAct={isManager} canStop={canStop} onClose={() => setDialog(undefined)} />
      )}
      {matching !== undefined && (
        <MatchLead
          id={matching}
          onMatched={({ id }) =>
            offerUndo({ undo: 'undo-match', ids: [id], description: 'Lead provider updated successfully' })
          }
          onClose={() => setMatching(undefined)}
        />
      )}
    </div>
  )
}

/** How long the second key of `g l` is waited for. */
const SEQUENCE_TIMEOUT = 1.5 * SECOND

/** Goes to a tab by `g` and its letter: `g l` shows the leads. */
function useTabKeys(tabs: Tab[], goTo: (id: string) => void) {
  const startedAt = useRef(0)
  const isSecond = () => Date.now() - startedAt.current < SEQUENCE_TIMEOUT
  useEffect(() => {
    function press(event: KeyboardEvent) {
      if (isElsewhere(event) || event.repeat) return
      const goal = tabs.find(({ id }) => TAB_KEYS[id] === event.key)?.id
      if (isSecond() && goal) {
        // The letter alone does something else.
        event.preventDefault()
        event.stopPropagation()
        goTo(goal)
      }
      startedAt.current = event.key === 'g' && !isSecond() ? Date.now() : 0
    }
    document.addEventListener('keydown', press, { capture: true })
    return () => document.removeEventListener('keydown', press, { capture: true })
  })
}

/**
 * Returns the current tab and functions that open tabs. Each tab keeps its own parameters and gets them back when it is
 * shown again.
 */
function useTabs(landing: Landing) {
  const query = useOptimisticSearchParams()
  const navigate = useNavigate()
  const tab = query.get('tab') ?? FIRST_TAB
  const isLanding = useLanding(query, landing)
  const queries = useRef(new Map<string, URLSearchParams>())
  queries.current.set(tab, query)

  const queryOf = (id: string) => {
    const known = queries.current.get(id)
    return known && known.size > 0 ? known : new URLSearchParams({ tab: id })
  }
  const goTo = (search: string) => void navigate({ search }, { preventScrollReset: true })
  const openProvider = useCallback(
    (id: number) =>
      void navigate({ search: recordSearch(queries.current.get('providers') ?? new URLSearchParams(), id) }),
    [navigate],
  )
  return {
    tab,
    isLanding,
    goTo: (id: string) => goTo(String(queryOf(id))),
    show: goTo,
    /** Opens the record of a clinic. The list keeps its search and its page. */
    openProvider,
    /** Opens a lead beside the list and keeps the list's filters. */
    openLead: (id: number) => goTo(searchTo(queryOf(FIRST_TAB), { tab: FIRST_TAB, lead: id, deleted: null })),
  }
}

/** The tab that the dashboard opens with, or undefined while that is not known. */
type Landing = string | undefined

type Known = { isManager: boolean; settings: ReturnType<typeof useSettings> }

/** The dashboard opens with its leads, a new installation with its setup. */
function landingOf({ isManager, settings }: Known): Landing {
  if (!isManager) return FIRST_TAB
  if (settings.isLoading) return undefined
  return isNewInstallation(settings) ? SETUP : FIRST_TAB
}

const isNewInstallation = ({ data }: Known['settings']) => data?.has_leads === false

/** Opens that tab if the address asks for nothing else. Returns whether it is not decided yet. */
function useLanding(query: URLSearchParams, landing: Landing): boolean {
  const navigate = useNavigate()
  const [isLanding, setLanding] = useState(query.size === 0)
  const isDecided = landing !== undefined || query.size > 0
  useEffect(() => {
    if (!isLanding) return
    if (query.size === 0 && landing && landing !== FIRST_TAB) {
      // Decided when the address has changed, so that the leads do not flash up.
      void navigate({ search: String(new URLSearchParams({ tab: landing })) }, { replace: true })
      return
    }
    if (isDecided) {
      setLanding(false)
      return
    }
    const timer = setTimeout(setLanding, MAX_LANDING, false)
    return () => clearTimeout(timer)
  }, [isLanding, isDecided, query, landing, navigate])
  return isLanding
}
