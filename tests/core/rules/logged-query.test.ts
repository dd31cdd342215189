import { expect, it } from 'vitest'
import { loggedQuery } from '../../../core/rules/logged-query.ts'

it('the query of an export is logged with the fact of a search, and without its text', () => {
  expect(loggedQuery({ q: 'Avery', held: true, sort: 'name' })).toEqual({
    filter: { search: true, held: true },
    sort: 'name',
  })
  expect(loggedQuery({ sort: '-created_at' })).toEqual({ filter: {}, sort: '-created_at' })
})
