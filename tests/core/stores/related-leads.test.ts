import { afterEach, describe, expect, it } from 'vitest'
import { MAX_COUNTED_REQUESTS } from '../../../core/contract/leads.ts'
import * as relatedLeads from '../../../core/stores/related-leads.ts'
import { emptyDatabase, useDatabase } from '../../support/database.ts'
import { createLead } from '../../support/factories.ts'

const database = useDatabase()
afterEach(() => emptyDatabase(database.db))

const others = async (id: number) => (await relatedLeads.listOthers(database.db, id)).map((other) => other.id)
const counts = async (...ids: number[]) => {
  const counted = await relatedLeads.count(
    database.db,
    ids.map((id) => ({ id })),
  )
  return counted.map(({ requests: { number, total } }) => `${number} of ${total}`)
}

describe('the requests of one person', () => {
  it('have the same e-mail or phone, over any number of steps', async () => {
    const byEmail = await createLead(database.db, { form: { email: 'Jordan@visitors.example', phone: '5125550101' } })
    const bridge = await createLead(database.db, { form: { email: 'jordan@visitors.example', phone: '5125550102' } })
    const held = {
      form: { email: 'avery@visitors.example', phone: '+1 (512) 555-0102' },
      heldReason: 'too_fast',
    } as const
    const byPhone = await createLead(database.db, held)
    const fromHeld = await createLead(database.db, { form: { email: 'AVERY@visitors.example', phone: '5125550103' } })
    const stranger = await createLead(database.db)

    expect(await others(fromHeld)).toEqual([byPhone, bridge, byEmail])
    expect(await counts(byEmail, bridge, byPhone, fromHeld, stranger)).toEqual([
      ...['1 of 4', '2 of 4', '3 of 4', '4 of 4'],
      '1 of 1',
    ])
  })

  it('are not those whose phone is no number, or whose mailbox has another tag', async () => {
    const phone = 'call me: 911'
    const first = await createLead(database.db, { form: { phone, email: 'jordan+a@visitors.example' } })
    await createLead(database.db, { form: { phone, email: 'jordan+b@visitors.example' } })
    expect(await others(first)).toEqual([])
  })

  it('are counted up to a limit', async () => {
    const id = await createLead(database.db, { form: { phone: '5125550101' } })
    await database.db.raw(
      `insert into leads (first_name, last_name, email, phone, zip_code, request_hash, person_key, repeat_window)
       select 'A', 'B', i || '@visitors.example', '(512) 555-0101', '78702', '', gen_random_uuid(), 'empty'
       from generate_series(1, 300) i`,
    )
    const [counted] = await relatedLeads.count(database.db, [{ id }])
    expect(counted?.requests.total).toBe(MAX_COUNTED_REQUESTS)
    expect(await others(id)).toHaveLength(10)
  })
})
