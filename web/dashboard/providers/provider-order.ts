import type { ProviderFigures } from '../../../core/contract/provider-record.ts'
import type { StaffProvider } from '../../../core/contract/providers.ts'

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
  const values = new Map(providers.map((provider) => [provider.id, sortValue(key, provider, figures.get(provider.id))]))
  return providers.toSorted((one, other) => {
    const [a, b] = [values.get(one.id) ?? null, values.get(other.id) ?? null]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return sign * (typeof a === 'string' ? a.localeCompare(String(b), 'en') : a - Number(b))
  })
}

function sortValue(
  key: SortKey,
  { name }: StaffProvider,
  figures: ProviderFigures | undefined,
): string | number | null {
  switch (key) {
    case 'name':
      return name
    case 'place':
      return figures?.place ? `${figures.place.state} ${figures.place.city}` : null
    case 'leads':
      return figures?.leads ?? null
    case 'last':
      return figures?.last_lead_at ? Date.parse(figures.last_lead_at) : null
    case 'emails':
      return figures?.undelivered ?? null
    case 'response':
      return figures?.answer_time ?? null
    case 'reached':
      return figures?.reached ?? null
  }
}
