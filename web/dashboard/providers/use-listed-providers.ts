import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { useDeferredValue, useMemo, useState } from 'react'
import type { StaffProvider } from '../../../core/contract/providers.ts'
import { createSearch } from '../../lib/search.ts'
import type { ProviderLists, Status } from '../../shared/providers/list-providers.ts'
import { parseAsPage } from '../address.ts'

const PER_PAGE = 20

const address = {
  status: parseAsStringLiteral(['active', 'inactive']).withDefault('active'),
  search: parseAsString.withDefault(''),
  page: parseAsPage,
}
const names = { status: 'providers', search: 'providers-search', page: 'providers-page' }

/** One page of the active or the inactive providers, of those that are searched for. What is chosen is in the address. */
export function useListedProviders({ active, inactive }: Pick<ProviderLists, Status>) {
  const [chosen, choose] = useQueryStates(address, { urlKeys: names, history: 'replace' })
  const { status } = chosen
  // The address has no spaces around the search, which are needed while it is typed.
  const [search, setSearch] = useState(chosen.search)
  const wanted = useDeferredValue(search)

  const found = { active: useFound(active, wanted), inactive: useFound(inactive, wanted) }
  const shown = found[status]
  const pages = Math.max(1, Math.ceil((shown?.length ?? 0) / PER_PAGE))
  const page = Math.min(pages, chosen.page)

  return {
    status,
    setStatus: (next: Status) => void choose({ status: next, page: null }),
    search,
    setSearch(next: string) {
      setSearch(next)
      void choose({ search: next.trim(), page: null })
    },
    /** Undefined where the list is not there. */
    rows: shown?.slice((page - 1) * PER_PAGE, page * PER_PAGE),
    /** How many of each are found; undefined like `rows`. */
    found: { active: found.active?.length, inactive: found.inactive?.length },
    page,
    pages,
    setPage: (next: number) => void choose({ page: next }),
  }
}

const FIELDS_OF = ({ name, practiceName, zipCode, email }: StaffProvider) => [name, practiceName, zipCode, email]

function useFound(providers: StaffProvider[] | undefined, search: string): StaffProvider[] | undefined {
  const find = useMemo(() => providers && createSearch(providers, FIELDS_OF), [providers])
  return useMemo(() => find?.(search), [find, search])
}
