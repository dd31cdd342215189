import { useOptimisticSearchParams } from 'nuqs/adapters/react-router/v7'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { formatCount } from '../lib/numbers.ts'
import { SECOND } from '../lib/time.ts'
import { Logo } from '../shared/logo.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { useAccess, ViewerProvider } from './access.tsx'
import { searchTo } from './address.ts'
import { useApplicationsPage } from './applications/applications.ts'
import { useAttention } from './attention/attention.ts'
import { BottomBar } from './bottom-bar.tsx'
import { CommandMenu } from './command-menu.tsx'
import { ExportNotices } from './exports.tsx'
import { isElsewhere, useKeys } from './keys.ts'
import { KeysDialog } from './keys-dialog.tsx'
import { NewLeadDialog } from './leads/edit-lead-dialog.tsx'
import { useLeadsPage } from './leads/use-leads-page.ts'
import { useLive } from './live/use-live.ts'
import {
  ConnectionNotice,
  CrmOutcomesNotice,
  OptOutNotice,
  ProxyNotice,
  SendingNotice,
  SyncNotice,
} from './notices.tsx'
import { ProviderActions } from './provider-actions.tsx'
import { recordSearch } from './provider-link.tsx'
import { useProviders } from './providers/list-providers.ts'
import { AccountMenu } from './session/account-menu.tsx'
import { usePerson } from './session/session.ts'
import { useSettings } from './settings.ts'
import { RunDialog } from './sync/run-dialog.tsx'
import { currentRunId, useEndOfRun } from './sync/sync-runs.ts'
import { TABS, type TabId } from './tabs.tsx'

const FIRST_TAB = 'leads'
const SETUP = 'setup'
/** How long the dashboard waits to learn whether it is new before it shows the leads. */
const MAX_LANDING = 5 * SECOND

/** Shows the dashboard. Its state is in the address. */
export function Dashboard() {
  return (
    <ViewerProvider value={usePerson().person}>
      <Tools />
    </ViewerProvider>
  )
}

function Tools() {
  const can = useAccess()
  const live = useLive(currentRunId)
  useEndOfRun()
  const isManager = can('settings.manage')
  const settings = useSettings()
  const isNew = isManager && isNewInstallation(settings)
  const { tab, isLanding, goTo, show, openLead, openProvider } = useTabs(landingOf({ isManager, settings }))
  const leads = useLeadsPage({ isShown: tab === FIRST_TAB })
  const troubles = useAttention().data?.total
  const providers = useProviders()
  const counts: Partial<Record<TabId, number | string>> = {
    leads: leads.count ?? '…',
    attention: troubles === undefined ? '…' : formatCount(troubles),
    providers: providers.count ?? '…',
    applications: useApplicationsPage().count ?? '…',
  }
  const [dialog, setDialog] = useState<'new-lead' | 'keys'>()
  const close = () => setDialog(undefined)
  const onNewLead = () => setDialog('new-lead')
  const onKeys = () => setDialog('keys')
  useKeys({ c: can('lead.work') ? onNewLead : undefined, '?': onKeys })

  const known = (Object.keys(TABS) as TabId[]).flatMap((id) => {
    const row = { right: undefined, key: undefined, keywords: undefined, ...TABS[id] }
    return row.right && !can(row.right) ? [] : [{ id, ...row }]
  })
  const tabs = known
    .filter(({ id }) => id !== SETUP || isNew || tab === SETUP)
    .map(({ id, label, Panel }) => ({
      id,
      label: id in counts ? `${label} (${counts[id]})` : label,
      panel: <Panel {...{ isLanding, onNewLead, onKeys }} />,
    }))
  const chosen = isLanding ? FIRST_TAB : tab
  useTabKeys(known, goTo)

  return (
    <div className="min-h-dvh bg-mist">
      <header className="border-b border-line bg-background print:hidden">
        <div className="mx-auto flex min-h-12 max-w-420 items-center justify-between gap-4 px-4 text-primary sm:px-6">
          <Logo />
          <div className="flex min-w-0 items-center gap-2">
            <CommandMenu
              tabs={known}
              providers={providers.data}
              {...{ goTo, show, openLead, openProvider, leads, onNewLead, onKeys }}
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
              <ProviderActions />
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
      <RunDialog />
      {dialog === 'new-lead' && (
        <NewLeadDialog
          onEntered={(id) => {
            close()
            openLead(id)
          }}
          onClose={close}
        />
      )}
      {dialog === 'keys' && <KeysDialog tabs={known} onClose={close} />}
    </div>
  )
}

/** How long the second key of `g l` is waited for. */
const SEQUENCE_TIMEOUT = 1.5 * SECOND

/** Goes to a tab by `g` and its letter: `g l` shows the leads. */
function useTabKeys(tabs: { id: string; key: string | undefined }[], goTo: (id: string) => void) {
  const startedAt = useRef(0)
  const isSecond = () => Date.now() - startedAt.current < SEQUENCE_TIMEOUT
  useEffect(() => {
    function press(event: KeyboardEvent) {
      if (isElsewhere(event) || event.repeat) return
      const goal = tabs.find(({ key }) => key === event.key)?.id
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
