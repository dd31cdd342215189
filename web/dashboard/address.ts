import { createParser, createSerializer, parseAsBoolean, parseAsString } from 'nuqs'
import { useOptimisticSearchParams } from 'nuqs/adapters/react-router/v7'
import { parseId } from '../lib/texts.ts'

/** An id in the address. Anything else counts as absent. */
export const parseAsId = createParser({ parse: (text) => parseId(text) ?? null, serialize: String })

/** A page of a list, counted from 1. */
export const parseAsPage = parseAsId.withDefault(1)

/** What the address names on every tab. The rest of the address belongs to the tab that is shown. */
export const place = {
  tab: parseAsString,
  /** The lead that is open beside the list. */
  lead: parseAsId,
  /** The run of the provider sync that is open in a dialog. */
  sync: parseAsId,
  /** Whether the deleted leads are shown instead of the others. */
  deleted: parseAsBoolean.withDefault(false),
}

const serialize = createSerializer(place)

/** A query with another place: what is left out stays, null is removed. */
export const searchTo: (query: URLSearchParams, values: Parameters<typeof serialize>[1]) => string = serialize

/** Returns a function that makes links: the address as it is, with another place. */
export function useLinkTo() {
  const query = useOptimisticSearchParams()
  return (values: Parameters<typeof searchTo>[1]) => searchTo(query, values)
}
