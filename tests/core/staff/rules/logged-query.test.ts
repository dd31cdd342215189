import { expect, it } from 'vitest'
import { exportName, loggedQuery } from '../../../../core/staff/rules/logged-query.ts'

it('the query of an export is logged with the fact of a search, and without its text', () => {
  expect(loggedQuery({ q: 'Avery', held: true, sort: 'name' })).toEqual({
    filter: { search: true, held: true },
    sort: 'name',
  })
  expect(loggedQuery({ sort: '-created_at' })).toEqual({ filter: {}, sort: '-created_at' })
})

it('the file of an export is named after its filter and its day in the network, but not after a search', () => {
  const at = new Date('2026-11-26T03:00:00Z')
  const nameOf = (query: Partial<Parameters<typeof exportName>[0]>) =>
    exportName({ sort: 'name', ...query }, at, 'America/Chicago')
  expect(nameOf({})).toBe('leads')
  expect(nameOf({ unmatched: true, state: 'MD' })).toBe('leads-unmatched-state-md-2026-11-25')
  expect(nameOf({ q: 'Avery', held: false })).toBe('leads-not-held-search-2026-11-25')
  expect(nameOf({ campaign: '"../Спб & spring' })).toBe('leads-campaign-spring-2026-11-25')
  expect(nameOf({ from: '2026-11-25', to: '2026-11-25' })).toBe('leads-2026-11-25')
  expect(nameOf({ from: '2026-11-20', to: '2026-11-22', held: true })).toBe('leads-held-2026-11-20-to-2026-11-22')
  expect(nameOf({ from: '2026-11-20' })).toBe('leads-2026-11-20-to-2026-11-25')
  expect(nameOf({ to: '2026-11-20' })).toBe('leads-to-2026-11-20')
  expect(nameOf({ campaign: 'x'.repeat(300) })).toHaveLength(97)
})
