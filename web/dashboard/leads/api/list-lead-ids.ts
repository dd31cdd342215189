import { type LeadView, listQuery } from '../lead-view.ts'
import { listLeads } from './list-leads.ts'

/** The most that the API puts on one page. */
const AT_ONCE = 100

/** The ids of all leads that match, page by page: for a few hundred of them. */
export async function listLeadIds(view: LeadView, total: number): Promise<number[]> {
  const ids = new Set<number>()
  for (let page = 1; page <= Math.ceil(total / AT_ONCE); page++) {
    const { leads } = await listLeads(listQuery({ ...view, page }, AT_ONCE))
    for (const { id } of leads) ids.add(id)
  }
  return [...ids]
}
