import { useDeferredValue, useMemo, useState } from 'react'
import type { StaffProvider } from '../../../core/contract/providers.ts'
import { createSearch } from '../../lib/search.ts'
import { useAddress } from '../../lib/use-address.ts'
import type { ProviderLists, Status } from '../../shared/providers/list-providers.ts'

const PER_PAGE = 20

/** The names of what the address says. Those of other tabs are others. */
const SHOWN = 'providers'
const SEARCH = 'providers-search'
const PAGE = 'providers-page'

/** One page of the active or the inactive providers, of those that are searched for. What is chosen is in the address. */
export function useListedProviders({ active, inactive }: Pick<ProviderLists, Status>) {
  const { address, change } = useAddress()
  const status: Status = address.get(SHOWN) === 'inactive' ? 'inactive' : 'active'
  // The address follows a moment later, too late for who types on.
  const [search, setSearch] = useState(address.get(SEARCH) ?? '')
  const wanted = useDeferredValue(search)

  const found = { active: useFound(active, wanted), inactive: useFound(inactive, wanted) }
  const shown = found[status]
  const pages = Math.max(1, Math.ceil((shown?.length ?? 0) / PER_PAGE))
  const page = Math.min(pages, Math.max(1, Math.trunc(Number(address.get(PAGE))) || 1))

  const choose = (choice: Record<string, string>) => change({ [PAGE]: undefined, ...choice }, { replace: true })

  return {
    status,
    setStatus: (next: Status) => choose({ [SHOWN]: next === 'active' ? '' : next }),
    search,
    setSearch(next: string) {
      setSearch(next)
      choose({ [SEARCH]: next.trim() })
    },
    /** Undefined where the list is not there. */
    rows: shown?.slice((page - 1) * PER_PAGE, page * PER_PAGE),
    /** How many of each are found; undefined like `rows`. */
    found: { active: found.active?.length, inactive: found.inactive?.length },
    page,
    pages,
    setPage: (next: number) => choose({ [PAGE]: next === 1 ? '' : String(next) }),
  }
}

const FIELDS_OF = ({ name, practiceName, zipCode, email }: StaffProvider) => [name, practiceName, zipCode, email]

function useFound(providers: StaffProvider[] | undefined, search: string): StaffProvider[] | undefined {
  const find = useMemo(() => providers && createSearch(providers, FIELDS_OF), [providers])
  return useMemo(() => find?.(search), [find, search])
}
