import * as Menu from '@radix-ui/react-dropdown-menu'
import { QueryClientProvider } from '@tanstack/react-query'
import { NuqsAdapter, useOptimisticSearchParams } from 'nuqs/adapters/react-router/v7'
import { Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { exportProviders } from '../../core/providers/contract/providers.ts'
import { urlOf } from '../lib/call.ts'
import { lazyPart } from '../lib/lazy-parts.ts'
import { formatCount } from '../lib/numbers.ts'
import { createQueryClient } from '../lib/query-provider.tsx'
import { SECOND } from '../lib/time.ts'
import { pageAt } from '../pages.ts'
import { Logo } from '../shared/logo.tsx'
import { PageMeta } from '../shared/page-meta.tsx'
import { SmallButton } from '../ui/button.tsx'
import { Skeleton } from '../ui/feedback.tsx'
import { MENU_CONTENT, MenuItem } from '../ui/menu.tsx'
import { type Tab, Tabs } from '../ui/tabs.tsx'
import { useAccess, useSettings, ViewerProvider } from './access.tsx'
import { searchTo } from './address.ts'
import { useApplicationsPage } from './applications/applications.ts'
import { useAttention, useAttentionCount } from './attention/attention.ts'
import { CommandMenu } from './command-menu.tsx'
import { ExportButton } from './exports.tsx'
import { isElsewhere, useKeys } from './keys.ts'
import { useLeadsPage } from './leads/use-leads-page.ts'
import { useLive } from './live/use-live.ts'
import { ConnectionNotice, Notices } from './notices.tsx'
import { useScheme } from './preferences.ts'
import { recordSearch } from './provider-link.tsx'
import { useProviders } from './providers/list-providers.tsx'
import { AccountMenu } from './session/account-menu.tsx'
import { endSession, usePerson, useSession } from './session/session.ts'
import { type Gate, SessionGate } from './session/session-gate.tsx'
import { currentRunId, useCurrentRun, useEndOfRun, useOpenRun, useSync } from './sync/use-sync.tsx'
import { progressOf } from './sync/words.ts'
import { TABS, type TabId } from './tabs.tsx'
import { UndoProvider } from './undo.tsx'

const NewLeadDialog = lazyPart(() => import('./leads/edit-lead-dialog.tsx').then((file) => file.NewLeadDialog))
const KeysDialog = lazyPart(() => import('./command-dialog.tsx').then((file) => file.KeysDialog))
const RunDialog = lazyPart(() => import('./sync/run-dialog.tsx').then((file) => file.RunDialog))

const FIRST_TAB = 'leads'
const SETUP = 'setup'

/** Shows the dashboard. Its state is in the address. */
function Dashboard() {
  return (
    <ViewerProvider value={usePerson().person}>
      <UndoProvider>
        <Tools />
      </UndoProvider>
    </ViewerProvider>
  )
}

function Tools() {
  const can = useAccess()
  const live = useLive(currentRunId)
  useEndOfRun()
  const isManager = can('settings.manage')
  const settings = useSettings()
  const isNew = isManager && settings.data?.has_leads === false
  // A new installation opens with its setup, once it is known that it is one.
  const { tab, isAsked, goTo, show, openLead, openProvider } = useTabs(isNew ? SETUP : FIRST_TAB)
  const isLanding = !isAsked && isManager && settings.isLoading
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
      panel: (
        <Suspense fallback={<Skeleton className="h-96 w-full" />}>
          <Panel {...{ isLanding, onNewLead, onKeys }} />
        </Suspense>
      ),
    }))
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
            <div className={`flex flex-wrap gap-2 ${tab === 'providers' ? 'max-lg:mb-2' : 'max-lg:hidden'}`}>
              <ExportButton label="Export Providers CSV" href={urlOf(exportProviders)} />
              <SyncButton />
            </div>
          )}
        </div>
        <ConnectionNotice isLost={live.isLost} onRefresh={live.refresh} />
        <Notices />
        <Tabs label="Dashboard" chosen={tab} onChoose={goTo} tabs={tabs} listClassName="max-lg:hidden" />
      </main>
      <BottomBar tabs={tabs} chosen={tab} onChoose={goTo} counts={{ attention: troubles }} />
      <Suspense>
        {useOpenRun().openId !== undefined && <RunDialog />}
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
      </Suspense>
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
function useTabs(first: string) {
  const query = useOptimisticSearchParams()
  const navigate = useNavigate()
  const tab = query.get('tab') ?? (query.size > 0 ? FIRST_TAB : first)
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
    /** Whether the address asks for something. */
    isAsked: query.size > 0,
    goTo: (id: string) => goTo(String(queryOf(id))),
    show: goTo,
    /** Opens the record of a clinic. The list keeps its search and its page. */
    openProvider,
    /** Opens a lead beside the list and keeps the list's filters. */
    openLead: (id: number) => goTo(searchTo(queryOf(FIRST_TAB), { tab: FIRST_TAB, lead: id, deleted: null })),
  }
}

/** The icons of the tabs that have a place of their own in the bar. */
const PLACES = {
  attention: 'M3 11.5 5 4h10l2 7.5V16H3v-4.5Zm0 0h4l1 2h4l1-2h4',
  leads: 'M4 5.5h12M4 10h12M4 14.5h12',
  providers: 'M4 17V7l6-4 6 4v10H4Zm6-7.5v5M7.5 12h5',
}
const places = Object.keys(PLACES) as (keyof typeof PLACES)[]

type Props = {
  tabs: Tab[]
  /** The id of the tab that is shown. */
  chosen: string
  onChoose: (id: string) => void
  /** The numbers beside the icons, by the ids of their tabs. */
  counts: Record<string, number | undefined>
}

/** Goes to the tabs on a narrow screen, in the reach of a thumb. The rarer ones are behind "More". */
function BottomBar({ tabs, chosen, onChoose, counts }: Props) {
  const others = tabs.filter(({ id }) => !(id in PLACES))
  return (
    <nav
      aria-label="Tabs"
      className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-background pb-[env(safe-area-inset-bottom)] lg:hidden print:hidden"
    >
      {places.map((id) => (
        <button
          key={id}
          type="button"
          aria-current={id === chosen ? 'page' : undefined}
          onClick={() => onChoose(id)}
          className={PLACE}
        >
          <Icon path={PLACES[id]} />
          {TABS[id].label}
          {counts[id] ? (
            <span className="absolute top-1 left-[calc(50%+0.5rem)] rounded-full bg-secondary px-1.5 text-[0.6875rem] leading-4 text-background">
              {counts[id]}
            </span>
          ) : null}
        </button>
      ))}
      <Menu.Root modal={false}>
        <Menu.Trigger aria-current={others.some(({ id }) => id === chosen) ? 'page' : undefined} className={PLACE}>
          <Icon path="M4.5 10h.01M10 10h.01M15.5 10h.01" />
          More
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Content side="top" align="end" sideOffset={6} collisionPadding={12} className={MENU_CONTENT}>
            {others.map(({ id, label }) => (
              <MenuItem key={id} onChoose={() => onChoose(id)}>
                {label}
              </MenuItem>
            ))}
          </Menu.Content>
        </Menu.Portal>
      </Menu.Root>
    </nav>
  )
}

const PLACE =
  'relative grid min-h-14 flex-1 content-center justify-items-center gap-0.5 text-xs font-semibold text-quiet -outline-offset-3 aria-[current=page]:text-secondary'

function Icon({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 20 20" className="size-5" aria-hidden="true">
      <path d={path} fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}

/** Starts a sync or joins the one in progress, and shows the progress until it ends. */
function SyncButton() {
  const { start, pending } = useSync()
  const current = useCurrentRun()
  const isSyncing = pending === 'sync' || pending === 'approve'
  return (
    <div className="flex items-center gap-3">
      {pending && current && <p className="text-sm text-quiet tabular-nums">{progressOf(current)}</p>}
      <SmallButton busy={isSyncing} disabled={pending === 'dry-run'} onClick={() => start({ kind: 'sync' })}>
        {isSyncing ? 'Syncing...' : 'Sync Providers'}
      </SmallButton>
    </div>
  )
}

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
