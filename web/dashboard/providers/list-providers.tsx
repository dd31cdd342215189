import { queryOptions, useQuery } from '@tanstack/react-query'
import { useQueryState } from 'nuqs'
import { useMemo } from 'react'
import { z } from 'zod'
import { getProviderRecord, type ProviderFigures } from '../../../core/providers/contract/provider-record.ts'
import { listProviders, StaffProvider } from '../../../core/providers/contract/providers.ts'
import { call } from '../../lib/call.ts'
import { SmallButton } from '../../ui/button.tsx'
import { Alert } from '../../ui/feedback.tsx'
import { place, useLinkTo } from '../address.ts'

/** Takes the specified answer, too, which has one address: requests go to it where the answer names no other. */
const Providers = z.array(
  z.preprocess(
    (provider) =>
      typeof provider === 'object' ? { requestEmail: Reflect.get(provider ?? {}, 'email'), ...provider } : provider,
    StaffProvider,
  ),
)

export type Status = 'active' | 'inactive'

export function providersQuery(status: Status) {
  return queryOptions({
    queryKey: ['providers', 'list', status],
    queryFn: () => call(listProviders, { query: { status }, output: Providers }),
  })
}

/** Returns all providers. If one list fails, the other is returned together with the error. */
export function useProviders() {
  const active = useQuery(providersQuery('active'))
  const inactive = useQuery(providersQuery('inactive'))
  const lists = { active, inactive }
  const isPending = active.isPending || inactive.isPending
  const isWhole = active.data !== undefined && inactive.data !== undefined
  const all = useMemo(() => [...(active.data ?? []), ...(inactive.data ?? [])], [active.data, inactive.data])

  return {
    active: active.data,
    inactive: inactive.data,
    /** Active providers first; undefined until both lists have loaded or failed. */
    data: isPending ? undefined : all,
    count: isWhole ? all.length : undefined,
    failures: (['active', 'inactive'] as const).flatMap((status) => {
      const { error } = lists[status]
      return error ? [{ status, message: error.message }] : []
    }),
    isFetching: active.isFetching || inactive.isFetching,
    retry() {
      for (const list of [active, inactive]) if (list.isError) list.refetch()
    },
  }
}

export type ProviderLists = ReturnType<typeof useProviders>

const LISTS = { active: 'Active providers', inactive: 'Inactive providers' }

export function ProvidersAlert({ providers: { failures, isFetching, retry } }: { providers: ProviderLists }) {
  if (failures.length === 0) return null
  return (
    <Alert title="Failed to load providers">
      {failures.map(({ status, message }) => (
        <p key={status}>
          {LISTS[status]}: {message || 'the server is not responding.'}
        </p>
      ))}
      <SmallButton busy={isFetching} onClick={retry} className="mt-2">
        Try again
      </SmallButton>
    </Alert>
  )
}

const KEYS = ['name', 'place', 'leads', 'last', 'emails', 'response', 'reached'] as const
export type SortKey = (typeof KEYS)[number]
export type Sort = SortKey | `-${SortKey}`

/** The orders of the list. `-` in front sorts the other way round. */
export const SORTS: readonly Sort[] = KEYS.flatMap((key) => [key, `-${key}` as const])

/** Returns providers in an order. Those without a value come last, and equal ones keep the order of their names. */
export function inOrder(
  providers: StaffProvider[] | undefined,
  sort: Sort,
  figures: Map<number, ProviderFigures>,
): StaffProvider[] | undefined {
  if (!providers || sort === 'name') return providers
  const isReversed = sort.startsWith('-')
  const key = sort.replace('-', '') as SortKey
  const sign = isReversed ? -1 : 1
  const values = new Map(providers.map((provider) => [provider.id, VALUES[key](provider, figures.get(provider.id))]))
  return providers.toSorted((one, other) => {
    const [a, b] = [values.get(one.id) ?? null, values.get(other.id) ?? null]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return sign * (typeof a === 'string' ? a.localeCompare(String(b), 'en') : a - Number(b))
  })
}

type Value = string | number | null | undefined
const VALUES: Record<SortKey, (provider: StaffProvider, figures: ProviderFigures | undefined) => Value> = {
  name: ({ name }) => name,
  place: (_, figures) => figures?.place && `${figures.place.state} ${figures.place.city}`,
  leads: (_, figures) => figures?.leads,
  last: (_, figures) => figures?.last_lead_at && Date.parse(figures.last_lead_at),
  emails: (_, figures) => (figures?.health.of ? figures.health.failed / figures.health.of : null),
  response: (_, figures) => figures?.answer_time,
  reached: (_, figures) => figures?.reached,
}

export function useOpenRecord(): { openId: number | undefined; listSearch: string } {
  const [provider] = useQueryState('provider', place.provider)
  const linkTo = useLinkTo()
  return { openId: provider ?? undefined, listSearch: linkTo({ provider: null }) }
}

/** Reads the record of a clinic. The feature `live` invalidates it. */
export function useRecord(providerId: number) {
  return useQuery({
    queryKey: ['providers', 'record', providerId],
    queryFn: () => call(getProviderRecord, { params: { providerId } }),
    staleTime: 0,
  })
}
