import { afterEach, describe, expect, it } from 'vitest'
import { assignTo } from '../../../core/commands/leads/assign-provider.ts'
import { deleteLead } from '../../../core/commands/leads/delete-lead.ts'
import { purgeDeletedLeads } from '../../../core/commands/leads/purge-leads.ts'
import { CONSENT } from '../../../core/contract/consent.ts'
import * as leads from '../../../core/stores/leads.ts'
import { emptyDatabase, useDatabase } from '../../support/database.ts'
import { PERSON_KEY } from '../../support/env.ts'
import { createLead, createProvider, leadForm } from '../../support/factories.ts'

const database = useDatabase()
afterEach(() => emptyDatabase(database.db))

async function count(): Promise<Record<string, number>> {
  const { rows } = await database.db.raw(
    `select (select count(*)::integer from leads) as leads, (select count(*)::integer from consents) as consents,
      (select count(*)::integer from jobs) as jobs`,
  )
  return rows[0]
}

describe('consents', () => {
  it('can neither be changed nor deleted', async () => {
    await createLead(database.db)

    await expect(database.db('consents').update({ wording: 'Anything' })).rejects.toThrow('append-only')
    await expect(database.db('consents').delete()).rejects.toThrow('append-only')
    expect(await database.db('consents').first()).toMatchObject({ wording: CONSENT.form.wording })
  })

  it('outlive their lead, without a name, an e-mail or a phone', async () => {
    const form = leadForm({ first_name: 'Canary', last_name: 'Serin' })
    const id = await createLead(database.db, { form })
    await deleteLead(database.db, id, { actor: 'staff' })
    await database
      .db('all_leads')
      .whereNotNull('deleted_at')
      .update({ deleted_at: new Date(0) })
    await purgeDeletedLeads(database.db, 30, PERSON_KEY)

    expect(await count()).toEqual({ leads: 0, consents: 1, jobs: 0 })
    const kept = JSON.stringify(await database.db('consents').first())
    for (const secret of [form.first_name, form.last_name, form.email, form.phone]) expect(kept).not.toContain(secret)
  })
})

it('assign changes nothing when the lead has that provider already', async () => {
  const { id: providerId } = await createProvider(database.db)
  const id = await createLead(database.db, { providerId })
  const before = await database.db('leads').where({ id }).first()

  const changed = await database.db.transaction(async (trx) => {
    const lead = await leads.lock(trx, id)
    return lead && assignTo(trx, lead, { providerId, kind: 'staff', miles: 9 })
  })
  expect(changed).toBeNull()
  expect(await database.db('leads').where({ id }).first()).toEqual(before)
  expect(await count()).toMatchObject({ jobs: 3 })
})
