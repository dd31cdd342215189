import { QueryClientProvider } from '@tanstack/react-query'
import { NuqsAdapter, useOptimisticSearchParams } from 'nuqs/adapters/react-router/v7'
import { type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router-dom'
import { SECOND } from '../../core/contract/time.ts'
import { lazyPart } from '../lib/lazy-parts.ts'
import { formatCount } from '../lib/numbers.ts'
import { createQueryClient } from '../lib/query-provider.tsx'
import { pageAt } from '../pages.ts'
import { Logo } from '../shared/logo.tsx'
import { PageMeta } from '../shared/page-meta.tsx'
import { Icon } from '../ui/drawing.tsx'
import { Skeleton } from '../ui/feedback.tsx'
import { type Tab, Tabs } from '../ui/tabs.tsx'
import { useAccess, useScheme, useSettings, ViewerProvider } from './access.tsx'
import { type PanelProps, searchTo } from './address.ts'
import { useApplicationsPage } from './applications/applications.ts'
import { useAttention, useAttentionCount } from './attention/attention.ts'
import { CommandMenu } from './command-menu.tsx'
import { isElsewhere, useKeys } from './keys.ts'
import { useLeadsPage } from './leads/use-leads-page.ts'
import { useLive } from './live/use-live.ts'
import { ConnectionNotice, Notices, Red } from './notices.tsx'
import { recordSearch } from './provider-link.tsx'
import { useProviders } from './providers/list-providers.tsx'
import { AccountMenu } from './session/account-menu.tsx'
import { recheckSession, usePerson, useSession } from './session/session.ts'
import { type Gate, SessionGate } from './session/session-gate.tsx'
import { currentRunId, useEndOfRun, useOpenRun } from './sync/use-sync.tsx'
import { type KnownTab, TABS, type TabId, useKnownTabs } from './tabs.tsx'
import { UndoProvider } from './undo.tsx'

const NewLeadDialog = lazyPart(() => import('./leads/edit-lead-dialog.tsx').then((file) => file.NewLeadDialog))
const KeysDialog = lazyPart(() => import('./help-panel.tsx').then((file) => file.KeysDialog))
const RunDialog = lazyPart(() => import('./sync/run-dialog.tsx').then((file) => file.RunDialog))

const FIRST_TAB = 'leads'

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
  const settings = useSettings()
  const isManager = can('settings.manage')
  // A new installation opens with its setup, once it is known that it is one.
  const isNew = isManager && settings.data?.has_leads === false
  const known = useKnownTabs()
  const { tab, isAsked, goTo, show, openLead, openProvider } = useTabs(isNew ? 'setup' : FIRST_TAB)
  useTabKeys(known, goTo)
  const [dialog, setDialog] = useState<'new-lead' | 'keys'>()
  const close = () => setDialog(undefined)
  const onNewLead = () => setDialog('new-lead')
  const onKeys = () => setDialog('keys')
  useKeys({ c: can('lead.work') ? onNewLead : undefined, '?': onKeys })
  const leads = useLeadsPage({ isShown: tab === FIRST_TAB })
  const providers = useProviders()
  const panel = { isLanding: !isAsked && isManager && settings.isLoading, onNewLead, onKeys, known }
  return (
    <div className="min-h-dvh bg-mist">
      <header className="border-b border-line bg-background print:hidden">
        <div className="mx-auto flex min-h-12 max-w-420 items-center justify-between gap-4 px-4 text-primary sm:px-6">
          <Logo />
          <h1 className="mr-auto border-l border-line pl-4 text-base leading-6 font-semibold text-ink max-lg:sr-only">
            Admin Dashboard
          </h1>
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
      <main className="mx-auto max-w-420 px-4 py-1 max-lg:px-3 max-lg:pt-3 max-lg:pb-20 sm:px-6">
        <ConnectionNotice isLost={live.isLost} onRefresh={live.refresh} />
        <Notices />
        <TabBars
          {...{ known, tab, goTo, panel }}
          counts={{
            leads: leads.count ?? '…',
            providers: providers.count ?? '…',
            applications: useApplicationsPage().count ?? '…',
          }}
        />
      </main>
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

type BarsProps = {
  known: KnownTab[]
  tab: string
  goTo: (id: string) => void
  panel: PanelProps
  counts: Partial<Record<TabId, number | string>>
}

/** Narrow screens have the tabs at the bottom, in the reach of a thumb. Help is a tab only while it is open. */
function TabBars({ known, tab, goTo, panel, counts }: BarsProps) {
  const { total: troubles, is_red: isRed = false } = useAttention().data ?? {}
  const pages = known.filter(({ isSetting }) => isSetting)
  const page = pages.find(({ id }) => id === tab)
  const panelOf = ({ Panel }: KnownTab) => (
    <Suspense fallback={<Skeleton className="h-96 w-full" />}>
      <Panel {...panel} />
    </Suspense>
  )
  const five = known.filter(({ icon }) => icon)
  const tabs: Tab[] = five.map((row) => {
    const count = row.id === 'attention' ? (troubles === undefined ? '…' : formatCount(troubles)) : counts[row.id]
    return { id: row.id, label: count === undefined ? row.label : `${row.label} (${count})`, panel: panelOf(row) }
  })
  const first = pages[0]
  if (first) {
    tabs.push({
      id: 'settings',
      className: 'ml-auto',
      label: isRed ? <Red>Settings</Red> : 'Settings',
      panel: <SettingsPages pages={pages} chosen={page ?? first} isRed={isRed} panel={panelOf(page ?? first)} />,
    })
  }
  const help = known.find(({ id }) => id === 'help')
  if (help && tab === help.id) {
    tabs.push({ ...help, className: first ? undefined : 'ml-auto', panel: panelOf(help) })
  }
  return (
    <>
      <Tabs
        label="Dashboard"
        chosen={page ? 'settings' : tab}
        onChoose={(id) => goTo(id === 'settings' ? (first?.id ?? FIRST_TAB) : id)}
        tabs={tabs}
        listClassName="max-lg:hidden"
      />
      <nav
        aria-label="Tabs"
        className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-background pb-[env(safe-area-inset-bottom)] lg:hidden print:hidden"
      >
        {five.map(({ id, icon, label }) => (
          <button
            key={id}
            type="button"
            aria-current={id === tab ? 'page' : undefined}
            onClick={() => goTo(id)}
            className="relative grid min-h-14 flex-auto content-center justify-items-center gap-0.5 px-1 text-[0.6875rem] font-semibold text-quiet -outline-offset-3 aria-[current=page]:text-secondary sm:flex-1 sm:text-xs"
          >
            <Icon d={icon ?? ''} box={20} width={1.6} className="size-5" />
            {label}
            {id === 'attention' && troubles ? (
              <span className="absolute top-1 left-[calc(50%+0.5rem)] rounded-full bg-secondary px-1.5 leading-4 text-background">
                {formatCount(troubles)}
              </span>
            ) : null}
          </button>
        ))}
      </nav>
    </>
  )
}

/** On a phone, the list of pages is wider than the window. */
const intoSight = (link: HTMLElement | null) => link?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })

type SettingsProps = { pages: KnownTab[]; chosen: KnownTab; isRed: boolean; panel: ReactNode }

function SettingsPages({ pages, chosen, isRed, panel }: SettingsProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[9rem_minmax(0,1fr)] lg:gap-6">
      <nav aria-label="Settings" className="flex gap-1 overflow-x-auto print:hidden lg:sticky lg:top-3 lg:grid">
        {pages.map(({ id, label }) => (
          <Link
            key={id}
            ref={id === chosen.id ? intoSight : undefined}
            to={{ search: `?tab=${id}` }}
            aria-current={id === chosen.id ? 'page' : undefined}
            className="flex min-h-11 shrink-0 items-center rounded-lg px-3 text-sm font-semibold text-quiet -outline-offset-3 hover:text-ink aria-[current=page]:bg-background aria-[current=page]:text-ink lg:min-h-9"
          >
            {isRed && id === 'health' ? <Red>{label}</Red> : label}
          </Link>
        ))}
      </nav>
      <section aria-label={chosen.label} className="min-w-0">
        {panel}
      </section>
    </div>
  )
}

const SEQUENCE_TIMEOUT = 1.5 * SECOND

/** Goes to a tab by `g` and its letter: `g l` shows the leads. */
function useTabKeys(tabs: KnownTab[], goTo: (id: string) => void) {
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

/** Each tab keeps its own parameters and gets them back when it is shown again. */
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
    isAsked: query.size > 0,
    goTo: (id: string) => goTo(String(queryOf(id))),
    show: goTo,
    openProvider,
    openLead: (id: number) => goTo(searchTo(queryOf(FIRST_TAB), { tab: FIRST_TAB, lead: id, deleted: null })),
  }
}

/** Loads the tab that is asked for while the session is read. */
const asked = new URLSearchParams(globalThis.location?.search).get('tab') ?? ''
void (Object.hasOwn(TABS, asked) ? TABS[asked as TabId] : TABS.leads).Panel.load().catch(() => {})

/** Changes of parameters go through the router and make an entry in the history. */
const ADDRESS = { history: 'push', shallow: false } as const

export function AdminPage({ gate }: { gate: Gate }) {
  const [client] = useState(() => createQueryClient(recheckSession))
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

function AdminMeta() {
  const isSignedIn = useSession({ enabled: false }).data?.authenticated === true
  const known = useAttentionCount()
  const count = isSignedIn ? known : undefined
  const title = pageAt(useLocation().pathname)?.title ?? ''
  return <PageMeta title={count ? `(${formatCount(count)}) ${title}` : undefined} />
}
