import { beforeEach, describe, expect, it } from 'vitest'
import { DAY } from '../../core/contract/time.ts'
import { SyncImpact } from '../../core/sync/contract/sync.ts'
import { useApi, useStaff } from '../support/api-server.ts'
import { createLead, createProvider, createSyncRun } from '../support/factories.ts'

const { api, database } = useApi()
const staff = useStaff(database)

beforeEach(async () => {
  for (const table of ['leads', 'providers', 'provider_syncs']) await database.db(table).delete()
})

/** Stores a run that would deactivate and reactivate these providers. */
async function runOf({ deactivate = [], reactivate = [] }: { deactivate?: number[]; reactivate?: number[] }) {
  const change = (kind: string) => (provider_id: number) => ({
    ...{ kind, provider_id, wordpress_id: provider_id, name: 'Dr. Test', zipCode: '78701', reason: null, fields: [] },
  })
  const changes = [...deactivate.map(change('deactivate')), ...reactivate.map(change('reactivate'))]
  const approval_reasons = JSON.stringify([{ kind: 'deactivate', count: deactivate.length }])
  return createSyncRun(database.db, { dry_run: true, changes: JSON.stringify(changes), approval_reasons })
}

async function lead(providerId: number, zip_code: string, miles: number, age = 1): Promise<void> {
  const id = await createLead(database.db, { providerId, form: { zip_code } })
  const created_at = new Date(Date.now() - age * DAY)
  await database.db('leads').where({ id }).update({ created_at, match_distance_miles: miles })
}

const impact = async (id: number) => (await api.call('GET', `/api/sync-runs/${id}`, undefined, staff)).body.impact

describe('the impact of a run that needs approval', () => {
  it('says where the leads of the last 30 days would go without these providers', async () => {
    const austin = (await createProvider(database.db)).id
    const kept = (await createProvider(database.db, { zip_code: '78205' })).id
    await lead(austin, '78702', 2)
    await lead(austin, '78702', 2)
    await lead(austin, '78703', 3)
    // Too far from San Antonio.
    await lead(austin, '75201', 180)
    await lead(austin, '78702', 2, 31)
    await lead(kept, '78205', 1)

    const { id } = await runOf({ deactivate: [austin] })
    const body = await impact(id)
    expect(SyncImpact.strict().parse(body)).toEqual(body)
    expect(body).toMatchObject({ providers: 1, days: 30, leads: 4, zips: 3, elsewhere: 3, unmatched: 1 })
    expect(body.extra_miles).toBeGreaterThan(60)
    expect(body.extra_miles).toBeLessThan(85)
  })

  it('does not send leads to another that is deactivated, but to one that is activated', async () => {
    const [one, other] = [(await createProvider(database.db)).id, (await createProvider(database.db)).id]
    const back = (await createProvider(database.db, { status: 'f' })).id
    await lead(one, '78702', 2)
    expect(await impact((await runOf({ deactivate: [one, other] })).id)).toMatchObject({ elsewhere: 0, unmatched: 1 })
    expect(await impact((await runOf({ deactivate: [one, other], reactivate: [back] })).id)).toMatchObject({
      ...{ providers: 2, elsewhere: 1, unmatched: 0 },
    })
  })
})
