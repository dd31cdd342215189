import type { LeadExportQuery } from '../contract/leads.ts'

/** Returns a filter for the logs, without the search term, which may be a visitor's name, e-mail or phone. */
export function withoutSearch<Query extends { q?: string }>({ q, ...filter }: Query) {
  return { ...filter, ...(q !== undefined && { search: true }) }
}

/** Returns the query of an export for the audit log. */
export function loggedQuery(query: LeadExportQuery) {
  const { sort, ...filter } = withoutSearch(query)
  return { filter, sort }
}
