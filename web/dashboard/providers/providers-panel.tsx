import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { memo, type ReactNode, Suspense, useDeferredValue, useMemo, useState } from 'react'
import type { ProviderFigures } from '../../../core/providers/contract/provider-record.ts'
import { exportProviders, type StaffProvider } from '../../../core/providers/contract/providers.ts'
import { urlOf } from '../../lib/call.ts'
import { useWideScreen } from '../../lib/hooks.ts'
import { lazyPart } from '../../lib/lazy-parts.ts'
import { formatCount } from '../../lib/numbers.ts'
import { SmallButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { Pager, pagesOf } from '../../ui/pager.tsx'
import { sortable, Table } from '../../ui/table.tsx'
import { ChoiceButtons } from '../../ui/tabs.tsx'
import { useAccess, useSettings } from '../access.tsx'
import { createSearch, parseAsPage, useFocusAfter } from '../address.ts'
import { ExportButton } from '../exports.tsx'
import { useProviderFigures } from '../provider-link.tsx'
import { SyncButton, SyncDrawer } from '../sync/sync-drawer.tsx'
import {
  inOrder,
  type ProviderLists,
  ProvidersAlert,
  SORTS,
  type Sort,
  type Status,
  useOpenRecord,
  useProviders,
} from './list-providers.tsx'
import { NetworkPausesCard } from './network-pauses-card.tsx'
import type { PlacedProvider } from './provider-map.tsx'
import { ProviderRecord } from './provider-record.tsx'
import { COLUMNS, ProviderRow } from './provider-row.tsx'
import { RulesDialog } from './rules-dialog.tsx'

export function ProvidersPanel() {
  const providers = useProviders()
  const { openId, listSearch } = useOpenRecord()
  useFocusAfter(openId, (id) => `[data-provider="${id}"] a`)
  const isWide = useWideScreen('2xl')
  const [wantsMap, setWantsMap] = useState(false)
  if (openId !== undefined) return <ProviderRecord key={openId} id={openId} listSearch={listSearch} />
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 text-sm">
      <ProvidersAlert providers={providers} />
      <SettingsAlert />
      {!isWide && (
        <SmallButton aria-expanded={wantsMap} onClick={() => setWantsMap(!wantsMap)} className="justify-self-start">
          {wantsMap ? 'Hide map' : 'Show map'}
        </SmallButton>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 2xl:grid-cols-[minmax(0,1fr)_28rem] 2xl:items-start">
        {(isWide || wantsMap) && (
          <div className="2xl:order-last">
            <ProviderMapCard providers={providers.data} />
          </div>
        )}
        <ProviderListCard providers={providers} />
      </div>
      <NetworkPausesCard />
    </div>
  )
}

function SettingsAlert() {
  const { error, isFetching, refetch } = useSettings()
  return (
    <LoadError
      title="Failed to load settings"
      fallback="The server is not responding."
      {...{ error, isFetching }}
      onRetry={refetch}
    >
      Links to WordPress and the streets of the map are missing.
    </LoadError>
  )
}

function ProviderListCard({ providers }: { providers: ProviderLists }) {
  const can = useAccess()
  const [ruled, setRuled] = useState<StaffProvider>()
  const figures = useProviderFigures()
  const list = useListedProviders(providers, figures)
  const { status, rows, found, page } = list
  const total = found[status]
  const hasFailed = providers.failures.some((failure) => failure.status === status)

  return (
    <Card
      title="Providers List"
      isFlush
      action={
        <>
          <ChoiceButtons
            legend="Providers to show"
            options={STATUSES.map((each) => [each, `${LABELS[each]} (${providers[each]?.length ?? '…'})`])}
            chosen={status}
            onChoose={list.setStatus}
          />
          <div className="flex flex-wrap items-center gap-2 lg:ml-auto">
            {can('settings.manage') && (
              <>
                <ExportButton label="Export Providers CSV" href={urlOf(exportProviders)} />
                <SyncButton />
              </>
            )}
            <SyncDrawer />
          </div>
          <input
            type="search"
            aria-label="Search providers"
            placeholder="Name, practice, zip or email"
            value={list.search}
            onChange={({ target }) => list.setSearch(target.value)}
            className="min-h-9 w-full rounded-lg border border-edge bg-background px-3 text-base text-ink placeholder:text-quiet hover:border-secondary max-lg:min-h-11 lg:w-60 lg:text-sm"
          />
        </>
      }
    >
      {!rows && hasFailed && <Note>These providers could not be loaded.</Note>}
      {total === 0 && <Note>{nothingText({ ...list, known: providers[status]?.length ?? 0 })}</Note>}
      {total !== 0 && !(hasFailed && !rows) && (
        <div className="border-t border-line">
          <Table
            columns={COLUMNS.map(({ label, key }) => {
              // Numbers and dates begin with the highest.
              const descendsFirst = key !== 'name' && key !== 'place'
              return key ? sortable({ label, key, sort: list.sort, descendsFirst, onSort: list.setSort }) : label
            })}
            rows={rows?.map((provider) => (
              <ProviderRow
                key={provider.id}
                provider={provider}
                figures={figures.get(provider.id)}
                onRules={setRuled}
              />
            ))}
            empty={null}
          />
        </div>
      )}
      {total ? <Pager noun="providers" total={total} page={page} perPage={PER_PAGE} onPage={list.setPage} /> : null}
      {ruled && <RulesDialog provider={ruled} onClose={() => setRuled(undefined)} />}
    </Card>
  )
}

function Note({ children }: { children: ReactNode }) {
  return <p className="border-t border-line px-6 py-14 text-center text-quiet wrap-anywhere">{children}</p>
}

type Nothing = Pick<ListedProviders, 'status' | 'search' | 'found'> & { known: number }

function nothingText({ status, search, found, known }: Nothing): string {
  if (known === 0) return `There are no ${status} providers.`
  const other = status === 'active' ? 'inactive' : 'active'
  const elsewhere = found[other]
    ? ` ${found[other] === 1 ? `1 ${other} one does` : `${found[other]} ${other} ones do`}.`
    : ''
  return `No ${status} provider has “${search.trim()}” in its name, practice, zip or email.${elsewhere}`
}

const STATUSES = ['active', 'inactive'] as const
const LABELS = { active: 'Active', inactive: 'Inactive' }

const PER_PAGE = 20

const address = {
  status: parseAsStringLiteral(STATUSES).withDefault('active'),
  search: parseAsString.withDefault(''),
  page: parseAsPage,
  sort: parseAsStringLiteral(SORTS).withDefault('name'),
}
const names = { status: 'providers', search: 'providers-search', page: 'providers-page', sort: 'providers-sort' }

function useListedProviders({ active, inactive }: Pick<ProviderLists, Status>, figures: Map<number, ProviderFigures>) {
  const [chosen, choose] = useQueryStates(address, { urlKeys: names, history: 'replace' })
  const { status } = chosen
  // The address holds the search without outer spaces, which are kept here while typing.
  const [search, setSearch] = useState(chosen.search)
  const wanted = useDeferredValue(search)

  const found = { active: useFound(active, wanted), inactive: useFound(inactive, wanted) }
  const { sort } = chosen
  const listed = found[status]
  const shown = useMemo(() => inOrder(listed, sort, figures), [listed, sort, figures])
  const pages = pagesOf(shown?.length ?? 0, PER_PAGE)
  const page = Math.min(pages, chosen.page)

  return {
    status,
    setStatus: (next: Status) => void choose({ status: next, page: null }),
    search,
    setSearch(next: string) {
      setSearch(next)
      void choose({ search: next.trim(), page: null })
    },
    rows: shown?.slice((page - 1) * PER_PAGE, page * PER_PAGE),
    found: { active: found.active?.length, inactive: found.inactive?.length },
    page,
    setPage: (next: number) => void choose({ page: next }),
    sort,
    setSort: (next: Sort) => void choose({ sort: next, page: null }),
  }
}
type ListedProviders = ReturnType<typeof useListedProviders>

const FIELDS_OF = ({ name, practiceName, zipCode, email, requestEmail }: StaffProvider) => [
  ...[name, practiceName, zipCode, email, requestEmail],
]

function useFound(providers: StaffProvider[] | undefined, search: string): StaffProvider[] | undefined {
  const find = useMemo(() => providers && createSearch(providers, FIELDS_OF), [providers])
  return useMemo(() => find?.(search), [find, search])
}

/** The map is a chunk of its own, because the list does not need Leaflet. */
const ProviderMap = lazyPart(() =>
  import('./provider-map.tsx').then(
    (part) => part.ProviderMap,
    () => MapMissing,
  ),
)

type ProviderMapCardProps = { providers: StaffProvider[] | undefined }

/** Shows the providers on a map. Memoized: typing in the search beside it must not draw it again. */
const ProviderMapCard = memo(function ProviderMapCard({ providers }: ProviderMapCardProps) {
  const settings = useSettings()
  const placed = useMemo(() => providers?.filter(isPlaced), [providers])
  const missing = (providers?.length ?? 0) - (placed?.length ?? 0)
  const loading = <MapPlaceholder>Loading map...</MapPlaceholder>

  return (
    <Card title="Map View" action={missing > 0 && <p className="text-quiet">{missingText(missing)}</p>} isFlush>
      {placed && !settings.isPending ? (
        <Suspense fallback={loading}>
          {/* Without the settings it is known from nowhere where the tiles are; the map has outlines of its own. */}
          <ProviderMap providers={placed} tiles={settings.data?.map_tiles ?? null} />
        </Suspense>
      ) : (
        loading
      )}
    </Card>
  )
})

function isPlaced(provider: StaffProvider): provider is PlacedProvider {
  return provider.latitude !== null && provider.longitude !== null
}

function MapMissing() {
  return <MapPlaceholder>The map could not be loaded. Reloading the page usually helps.</MapPlaceholder>
}

function MapPlaceholder({ children }: { children: string }) {
  return (
    <p role="status" className="grid h-100 place-content-center bg-mist px-6 text-center text-quiet">
      {children}
    </p>
  )
}

function missingText(count: number): string {
  if (count === 1) return '1 provider has no coordinates and is not on the map.'
  return `${formatCount(count)} providers have no coordinates and are not on the map.`
}
