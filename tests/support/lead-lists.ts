import { expect } from 'vitest'
import { type LeadFilter, LeadListQuery } from '../../core/leads/contract/leads.ts'
import * as leadLists from '../../core/leads/stores/lead-lists.ts'
import type { Db } from '../../core/platform/db.ts'
import type { TestDatabase } from './database.ts'

export const timeZone = 'America/New_York'

export function leadListsOf(database: Pick<TestDatabase, 'db'>) {
  const list = (query: Record<string, unknown> = {}, db: Db = database.db) =>
    leadLists.list(db, { ...LeadListQuery.parse(query), timeZone })
  return {
    list,
    idsOf: async (query?: Record<string, unknown>) => (await list(query)).leads.map(({ id }) => id),
    /** The ids by a filter, which the three ways to ask for them agree on. */
    async matching(wanted: LeadFilter, db: Db = database.db): Promise<number[]> {
      const filter = { ...wanted, timeZone }
      const ids = await leadLists.ids(db, filter, 100)
      const { leads, total } = await list(wanted, db)
      expect(leads.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(ids)
      expect([total, await leadLists.count(db, filter)]).toEqual([ids.length, ids.length])
      return ids
    },
    update: (id: number, columns: Record<string, unknown>) => database.db('leads').where({ id }).update(columns),
  }
}
