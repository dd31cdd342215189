import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LeadFilter, LeadSort } from '../../../core/contract/leads.ts'
import * as leadLists from '../../../core/stores/lead-lists.ts'
import { createTestDatabase, type TestDatabase, useDatabase } from '../../support/database.ts'
import { createLead, createProvider } from '../../support/factories.ts'
import { leadListsOf, timeZone } from '../../support/lead-lists.ts'

const database = useDatabase()

const { idsOf, matching, update } = leadListsOf(database)

describe('a list', () => {
  it('sorts names by the last one, without case and accents, and zips by their digits', async () => {
    const named = (last_name: string, first_name: string, zip_code: string) =>
      createLead(database.db, { form: { first_name, last_name, zip_code } })
    const [vance, avila, adams, van, anna] = [
      await named('Vance', 'Al', '10001'),
      await named('Ávila', 'Zoë', '02108'),
      await named('adams', 'Bob', '90012'),
      await named('van Dyke', 'Zack', '10001'),
      await named('Adams', 'Anna', '60601'),
    ]
    expect(await idsOf({ sort: 'name' })).toEqual([anna, adams, avila, van, vance])
    expect(await idsOf({ sort: '-name' })).toEqual([vance, van, avila, adams, anna])
    expect(await idsOf({ sort: 'zip_code' })).toEqual([avila, vance, van, anna, adams])
    expect(await idsOf({ sort: 'name', q: 'adams' })).toEqual([anna, adams])
  })
})

describe('a filter', () => {
  it('finds by the state of deliveries', async () => {
    const [crm, email, fine, open] = [
      await createLead(database.db),
      await createLead(database.db),
      await createLead(database.db),
      await createLead(database.db),
    ]
    await update(crm, { crm_sync_status: 'failed', email_status: 'success' })
    await update(email, { crm_sync_status: 'success', email_status: 'failed' })
    await update(fine, { crm_sync_status: 'success', email_status: 'success' })

    expect(await matching({ crm_sync_status: 'failed' })).toEqual([crm])
    expect(await matching({ crm_sync_status: 'success' })).toEqual([email, fine])
    expect(await matching({ email_status: 'failed' })).toEqual([email])
    expect(await matching({ email_status: 'pending' })).toEqual([open])
    expect(await matching({ failed: true })).toEqual([crm, email])
    expect(await matching({ failed: false })).toEqual([fine, open])
    expect(await matching({ failed: true, crm_sync_status: 'success' })).toEqual([email])
  })

  it('finds by provider, unmatched and held', async () => {
    const [one, two] = [(await createProvider(database.db)).id, (await createProvider(database.db)).id]
    const first = await createLead(database.db, { providerId: one })
    const second = await createLead(database.db, { providerId: two })
    const third = await createLead(database.db)
    const held = await createLead(database.db, { heldReason: 'honeypot', providerId: two })

    expect(await matching({ provider_id: one })).toEqual([first])
    expect(await matching({ unmatched: true })).toEqual([third])
    expect(await matching({ unmatched: false })).toEqual([first, second, held])
    expect(await matching({ held: true })).toEqual([held])
    expect(await matching({ held: false, provider_id: two })).toEqual([second])
    expect(await matching({ unmatched: true, provider_id: two })).toEqual([])
    expect(await matching({})).toEqual([first, second, third, held])
  })

  it('finds by the day of the network, the last one included', async () => {
    const at = async (created_at: string) => {
      const id = await createLead(database.db)
      await update(id, { created_at })
      return id
    }
    const first = await at('2026-03-01T00:00:00-05:00')
    const second = await at('2026-03-02T23:59:59.999-05:00')
    const third = await at('2026-03-03T00:00:00-05:00')
    await database.db.transaction(async (trx) => {
      // The zone of the session says nothing.
      await trx.raw(`set local time zone 'America/Los_Angeles'`)

      expect(await matching({ from: '2026-03-02', to: '2026-03-02' }, trx)).toEqual([second])
      expect(await matching({ from: '2026-03-02' }, trx)).toEqual([second, third])
      expect(await matching({ to: '2026-03-02' }, trx)).toEqual([first, second])
      expect(await matching({ from: '2026-03-04' }, trx)).toEqual([])
      expect(await matching({ from: '2026-03-03', to: '2026-03-01' }, trx)).toEqual([])
      expect(await matching({ from: '1970-01-01', to: '9999-12-31' }, trx)).toEqual([first, second, third])
    })
  })
})

const MANY = `
  insert into leads (first_name, last_name, email, phone, zip_code, request_hash, person_key, repeat_window)
  select 'Jordan', 'Avery', 'a@visitors.example', '1', '78702', '', gen_random_uuid(), 'empty'
  from generate_series(1, 5003)`

describe('the indexes', () => {
  // Which plan is the cheapest depends on what the files before have left in the statistics of a table.
  let own: TestDatabase
  beforeAll(async () => {
    own = await createTestDatabase()
  })
  afterAll(() => own.drop())

  const planOf = (filter: LeadFilter, sort: LeadSort, settings: string) =>
    own.db.transaction(async (trx) => {
      await trx.raw(`set local enable_seqscan = off; ${settings}`)
      const query = leadLists.inOrder(leadLists.matching(trx, { ...filter, timeZone }).select('id'), sort)
      return JSON.stringify((await trx.raw('explain (format json) ?', [query])).rows)
    })

  it.each<[LeadSort, LeadFilter, string]>([
    ['created_at', {}, 'leads_list_idx'],
    ['-name', {}, 'leads_name_idx'],
    ['zip_code', {}, 'leads_zip_code_idx'],
    ['-created_at', { provider_id: 1 }, 'leads_provider_idx'],
    ['-created_at', { crm_sync_status: 'failed' }, 'leads_failed_idx'],
    ['created_at', { failed: true }, 'leads_failed_idx'],
  ])('have all that a list ordered by %s with %j is made of', async (sort, filter, index) => {
    const plan = await planOf(filter, sort, 'set local enable_sort = off')
    expect(plan).toContain('"Index Only Scan"')
    expect(plan).toContain(index)
  })

  it('serve a search', async () => {
    await own.db.raw(MANY)
    await own.db.raw(`update leads set zip_code = lpad(id::text, 5, '0')`)
    await own.db.raw('analyze all_leads')
    const plan = await planOf({ q: 'serin' }, 'name', 'set local enable_indexscan = off; set local cpu_tuple_cost = 10')
    expect(plan).toContain('leads_words_idx')
  })
})
