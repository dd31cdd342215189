import { createParser, createSerializer, parseAsBoolean, parseAsString, useQueryState } from 'nuqs'
import { useOptimisticSearchParams } from 'nuqs/adapters/react-router/v7'
import { useEffect, useRef } from 'react'
import { folded } from '../../core/contract/texts.ts'
import { parseId } from '../lib/texts.ts'

/** An id in the address. Any other text counts as absent. */
const parseAsId = createParser({ parse: (text) => parseId(text) ?? null, serialize: String })

export const parseAsPage = parseAsId.withDefault(1)

/** The search parameters that every tab has. All others belong to the current tab. */
export const place = {
  tab: parseAsString,
  lead: parseAsId,
  provider: parseAsId,
  application: parseAsId,
  sync: parseAsId,
  deleted: parseAsBoolean.withDefault(false),
}

/** A tab, or a page of Settings, that the viewer may see. `key` is its letter after `g`. */
export type KnownPage = { id: string; label: string; key?: string; keywords?: string }

export type PanelProps = {
  /** Whether it is not decided yet which tab the dashboard opens with. */
  isLanding: boolean
  onNewLead: () => void
  onKeys: () => void
  known: KnownPage[]
}

const serialize = createSerializer(place)

/** Returns a query with changed parameters: omitted ones stay, null removes. */
export const searchTo: (query: URLSearchParams, values: Parameters<typeof serialize>[1]) => string = serialize

export function useLinkTo() {
  const query = useOptimisticSearchParams()
  return (values: Parameters<typeof searchTo>[1]) => searchTo(query, values)
}

export function useOpenBeside(name: 'lead' | 'application', selectorOf: (id: number | undefined) => string) {
  const [id, setId] = useQueryState(name, place[name])
  const openId = id ?? undefined
  useFocusAfter(openId, selectorOf)
  // Switching from one to another replaces the history entry; Back then closes it.
  const open = (next: number) => void setId(next, { history: openId === undefined ? 'push' : 'replace' })
  return { openId, open, close: () => void setId(null) }
}

/** Focuses what opened something after that was closed, unless the focus is elsewhere already. */
export function useFocusAfter(openId: number | undefined, selectorOf: (id: number | undefined) => string): void {
  const last = useRef<number>(undefined)
  useEffect(() => {
    if (openId === undefined && document.activeElement === document.body) {
      document.querySelector<HTMLElement>(selectorOf(last.current))?.focus()
    }
    last.current = openId
  }, [openId, selectorOf])
}

/** Returns a function that finds the items whose fields contain every word of a search, ignoring case and accents. */
export function createSearch<Item>(
  items: Item[],
  fieldsOf: (item: Item) => (string | null)[],
): (search: string) => Item[] {
  let texts: string[] | undefined
  return (search) => {
    const words = plain(search).split(/\s+/).filter(Boolean)
    if (words.length === 0) return items
    texts ??= items.map((item) => plain(fieldsOf(item).join('\n')))
    return items.filter((_, index) => words.every((word) => texts?.[index]?.includes(word)))
  }
}

function plain(text: string): string {
  return folded(text).replace(/\p{M}/gu, '')
}
