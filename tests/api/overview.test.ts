import { describe, expect, it } from 'vitest'
import { Overview } from '../../core/contract/overview.ts'
import { useApi, useStaff } from '../support/api-server.ts'
import { createLead } from '../support/factories.ts'

const { api, database } = useApi()
const staff = useStaff(database)

const get = (query = '') => api.call('GET', `/api/overview${query}`, undefined, staff)

describe('GET /api/overview', () => {
  it('answers for the last 30 days, in the shape of the contract', async () => {
    await createLead(database.db)
    const { status, body } = await get()

    expect(status).toBe(200)
    expect(Overview.strict().parse(body)).toEqual(body)
    expect(body.days).toHaveLength(30)
    expect(body.totals).toEqual({ received: 1, matched: 0, unmatched: 1, held: 0, matchedShare: 0 })
    expect(body.days.at(-1)).toMatchObject({ received: 1 })
    expect(body.deliveries.crm).toEqual({ success: 0, pending: 1, failed: 0 })
  })

  it('answers for the days that were asked for', async () => {
    await createLead(database.db)
    const { body } = await get('?from=2020-02-28&to=2020-03-01')
    expect(body.days.map(({ day }: { day: string }) => day)).toEqual(['2020-02-28', '2020-02-29', '2020-03-01'])
    expect(body.totals.received).toBe(0)
  })

  it.each(['?from=yesterday', '?from=2026-02-30', '?from=2026-03-02&to=2026-03-01', '?from=2020-01-01&to=2026-01-01'])(
    'refuses %s with a sentence',
    async (query) => {
      const { status, body } = await get(query)
      expect(status).toBe(422)
      expect(body).toMatchObject({
        code: 'invalid',
        error: expect.stringMatching(/^[A-Z].+/),
        fields: expect.anything(),
      })
    },
  )
})
