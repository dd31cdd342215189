import { describe, expect, it } from 'vitest'
import { assignProvider, releaseLead } from '../../../core/leads/assign-provider.ts'
import { useDatabase } from '../../support/database.ts'
import { createLead, createProvider } from '../../support/factories.ts'
import { auditLog, ledger } from './records.ts'

const database = useDatabase()

const STAFF = { actor: 'staff' }
const NOTIFIED = [
  ...['send-email provider 1 waiting', 'send-email team 1 cancelled', 'send-email visitor 1 waiting'],
  'sync-crm created 1 waiting',
]

describe('release', () => {
  const release = (id: number) => releaseLead(database.db, id, { ...STAFF, radiusMiles: 100 })
  const heldLead = (providerId?: number) => createLead(database.db, { providerId, heldReason: 'honeypot' })
  const stored = (id: number) => database.db('leads').where({ id }).first()

  it('notifies provider, visitor and CRM of a matched lead as if it had just come in', async () => {
    const { id: providerId } = await createProvider(database.db)
    const id = await heldLead(providerId)
    const before = await stored(id)
    await release(id)

    expect(await stored(id)).toEqual({ ...before, held_reason: null })
    expect((await ledger(database, id)).toSorted()).toEqual(NOTIFIED)
    expect(await auditLog(database)).toEqual([
      { actor: 'staff', action: 'release', entity: 'lead', entity_id: `${id}`, details: { reason: 'honeypot' } },
    ])
  })

  it('has an unmatched lead matched when nobody is in reach yet', async () => {
    const id = await heldLead()
    await release(id)

    expect(await stored(id)).toMatchObject({ held_reason: null, provider_id: null })
    expect((await ledger(database, id)).toSorted()).toEqual([
      'match-lead nearest 1 waiting',
      'send-email team 1 cancelled',
      'sync-crm created 1 waiting',
    ])
  })

  it('gives the lead to the nearest when its provider is no longer active', async () => {
    const [former, other] = [await createProvider(database.db), await createProvider(database.db)]
    const id = await heldLead(former.id)
    await database.db('providers').where('id', former.id).update({ status: 'f' })
    await release(id)

    expect(await stored(id)).toMatchObject({ provider_id: other.id, match_kind: 'nearest', held_reason: null })
    expect(await ledger(database, id)).toContain('send-email provider 1 waiting')
  })

  it('leaves the lead unmatched, to be matched later, when its provider is gone and nobody else is in reach', async () => {
    const { id: providerId } = await createProvider(database.db)
    await createProvider(database.db, { zip_code: '10001' })
    const id = await heldLead(providerId)
    await database.db('providers').where('id', providerId).update({ status: 'f' })
    await release(id)

    expect(await stored(id)).toMatchObject({
      provider_id: null,
      matched_at: null,
      match_kind: null,
      match_distance_miles: null,
      held_reason: null,
    })
    expect(await ledger(database, id)).toEqual(
      expect.arrayContaining(['match-lead nearest 1 waiting', 'sync-crm created 1 waiting']),
    )
  })

  it('releases once, however often it is asked at the same time', async () => {
    const { id: providerId } = await createProvider(database.db)
    const id = await heldLead(providerId)
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => release(id)))

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await ledger(database, id)).filter((job) => job.endsWith('waiting'))).toHaveLength(3)
    expect(await auditLog(database)).toHaveLength(1)
  })

  it('is done by assigning a provider, be it the one that the lead has', async () => {
    const { id: providerId } = await createProvider(database.db)
    for (const matchedWith of [providerId, undefined]) {
      const id = await heldLead(matchedWith)
      const lead = await assignProvider(database.db, id, providerId, STAFF)

      expect(lead).toMatchObject({ provider_id: providerId, match_kind: 'staff', held_reason: null })
      expect((await ledger(database, id)).toSorted()).toEqual(NOTIFIED)
    }
    expect((await auditLog(database)).map(({ action, details }) => [action, details])).toEqual([
      ['assign-provider', { from: providerId, to: providerId, released: 'honeypot' }],
      ['assign-provider', { from: null, to: providerId, released: 'honeypot' }],
    ])
  })

  it('refuses a lead that is not held, and one that is not there', async () => {
    const id = await createLead(database.db)
    await expect(release(id)).rejects.toMatchObject({ code: 'conflict' })
    await expect(release(id + 1)).rejects.toMatchObject({ code: 'not_found' })
    expect(await auditLog(database)).toEqual([])
  })
})
