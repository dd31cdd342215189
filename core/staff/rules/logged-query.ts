import { dayOf } from '../../dates.ts'
import type { LeadExportQuery } from '../../leads/contract/leads.ts'

/** Returns a filter for the logs, without the search term, which may be a visitor's name, email or phone. */
export function withoutSearch<Query extends { q?: string }>({ q, ...filter }: Query) {
  return { ...filter, ...(q !== undefined && { search: true }) }
}

/** Returns the query of an export for the audit log. */
export function loggedQuery(query: LeadExportQuery) {
  const { sort, ...filter } = withoutSearch(query)
  return { filter, sort }
}

/** The most characters of a file name that tell the filter. */
const MAX_FILTER_NAME = 80

/**
 * Returns the name of a file of exported leads, without its ending: `leads`, or with a filter and the days of the leads or the
 * day of the export, such as `leads-unmatched-state-md-2026-11-25`. The text of a search is left out.
 */
export function exportName(query: LeadExportQuery, at: Date, timeZone: string): string {
  const {
    filter: { from, to, ...filter },
  } = loggedQuery(query)
  const today = dayOf(at, timeZone)
  const last = to ?? today
  const days =
    from === undefined ? (to === undefined ? today : `to-${to}`) : from === last ? from : `${from}-to-${last}`
  const words = Object.entries(filter).map(([name, value]) => {
    if (value === true) return name
    return value === false ? `not-${name}` : `${name}-${value}`
  })
  if (words.length === 0) return from === undefined && to === undefined ? 'leads' : `leads-${days}`
  const slug = words
    .join('-')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  return `leads-${slug.slice(0, MAX_FILTER_NAME).replace(/-$/, '')}-${days}`
}
