import { expect, it } from 'vitest'
import { Overview } from '../../core/insight/contract/overview.ts'
import { useApi, useStaff } from '../support/api-server.ts'
import { createLead } from '../support/factories.ts'

const { api, database } = useApi()
const staff = useStaff(database)

const get = (query = '') => api.call('GET', `/api/overview${query}`, undefined, staff)

it('GET /api/overview answers for the last 30 days, in the shape of the contract', async () => {
  await createLead(database.db)
  const { status, body } = await get()

  expect(status).toBe(200)
  expect(Overview.strict().parse(body)).toEqual(body)
  expect(body.days).toHaveLength(30)
  expect(body.totals).toEqual({ received: 1, matched: 0, unmatched: 1, held: 0, matchedShare: 0 })
  expect(body.days.at(-1)).toMatchObject({ received: 1 })
  expect(body.deliveries.crm).toEqual({ success: 0, pending: 1, failed: 0 })
})
