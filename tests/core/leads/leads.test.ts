import { describe, expect, it } from 'vitest'
import { retryAll } from '../../../core/deliveries/retry-deliveries.ts'
import { assignProvider } from '../../../core/leads/assign-provider.ts'
import { useDatabase } from '../../support/database.ts'
import { createLead, createProvider } from '../../support/factories.ts'
import { auditLog, ledger } from './records.ts'

const database = useDatabase()

const STAFF = { actor: 'staff' }

describe('assignProvider', () => {
  it('gives an unmatched lead to a provider, and notifies provider, visitor and CRM', async () => {
    const { id: providerId } = await createProvider(database.db, { zip_code: '10001' })
    const id = await createLead(database.db)
    const lead = await assignProvider(database.db, id, providerId, STAFF)

    expect(lead).toMatchObject({ id, provider_id: providerId, match_kind: 'staff', matched_at: expect.any(String) })
    expect(lead.match_distance_miles).toBeGreaterThan(1000)
    expect(await ledger(database, id)).toEqual(
      expect.arrayContaining([
        'send-email provider 1 waiting',
        'send-email visitor 1 waiting',
        'sync-crm matched 1 waiting',
      ]),
    )
    expect(await auditLog(database)).toEqual([
      {
        actor: 'staff',
        action: 'assign-provider',
        entity: 'lead',
        entity_id: `${id}`,
        details: { from: null, to: providerId },
      },
    ])
  })

  it('gives a matched lead to another provider, who gets a mail of their own', async () => {
    const [first, second] = [await createProvider(database.db), await createProvider(database.db)]
    const id = await createLead(database.db, { providerId: first.id })
    const before = await database.db('leads').where({ id }).first('matched_at')
    const lead = await assignProvider(database.db, id, second.id, STAFF)

    expect(lead.provider_id).toBe(second.id)
    expect(new Date(String(lead.matched_at)).getTime()).toBeGreaterThan(Number(before?.matched_at))
    expect(await ledger(database, id)).toEqual(
      expect.arrayContaining(['send-email provider 1 cancelled', 'send-email provider 2 waiting']),
    )
    expect(await auditLog(database)).toMatchObject([{ details: { from: first.id, to: second.id } }])
  })

  it('refuses an inactive provider by name, and changes nothing', async () => {
    const { id: providerId } = await createProvider(database.db, { name: 'Dr. Retired', status: 'f' })
    const id = await createLead(database.db)
    const before = await ledger(database, id)

    await expect(assignProvider(database.db, id, providerId, STAFF)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('Dr. Retired'),
    })
    expect(await ledger(database, id)).toEqual(before)
    expect(await auditLog(database)).toEqual([])
  })

  it('notifies everybody once, however often it is called at the same time', async () => {
    const { id: providerId } = await createProvider(database.db)
    const id = await createLead(database.db)
    await Promise.all(Array.from({ length: 10 }, () => assignProvider(database.db, id, providerId, STAFF)))

    expect((await ledger(database, id)).filter((job) => job.startsWith('send-email'))).toEqual([
      'send-email provider 1 waiting',
      'send-email visitor 1 waiting',
    ])
  })
})

it('resendEmail and retryCrm leave one open job of a kind, however often they are asked at the same time', async () => {
  const { id: providerId } = await createProvider(database.db)
  const id = await createLead(database.db, { providerId })
  await Promise.all(Array.from({ length: 10 }, () => retryAll(database.db, `lead:${id}`, 'sync-crm', STAFF)))

  const open = (await ledger(database, id)).filter((job) => job.startsWith('sync-crm') && job.endsWith('waiting'))
  expect(open).toEqual(['sync-crm created 11 waiting'])
})
