import { describe, expect, it } from 'vitest'
import { queryRows } from '../../../core/platform/db.ts'
import { recipientOf } from '../../../core/rules/mail-caps.ts'
import { useDatabase } from '../../support/database.ts'

const database = useDatabase()

describe('recipient_of', () => {
  it.each([
    'Visitor@Visitors.example',
    'visitor+a+b@visitors.example',
    'visitor@plus+sign.example',
    'First.Last+1.2@GoogleMail.com',
    'f.i.r.s.t@gmail.com',
    'first.last@mygmail.com',
    'first.last@gmail.com.example',
    '+tag@gmail.com',
    'a.b@sub.gmail.com',
  ])('takes %s for the same mailbox as the API does', async (email) => {
    const [row] = await queryRows<{ mailbox: string }>(database.db, 'select recipient_of(?) as mailbox', [email])
    expect(row?.mailbox).toBe(recipientOf(email))
  })

  it('has statistics, so that the leads of a mailbox are looked up by it among any number of others', async () => {
    const trx = await database.db.transaction()
    try {
      await trx.raw(`insert into leads (first_name, last_name, email, phone, zip_code, acceptance_consent, request_hash, person_key, repeat_window)
        select 'A', 'B', 'visitor' || n || '@visitors.example', '5125550177', '78701', true, '', gen_random_uuid(), 'empty'
        from generate_series(1, 4000) n`)
      await trx.raw('analyze all_leads')
      const plan = await queryRows<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
        trx,
        `explain (format json) select from leads where recipient_of(email) = 'visitor7@visitors.example' and held_reason is null`,
      )
      // Without them, 0.5 % of all.
      expect(plan[0]?.['QUERY PLAN'][0].Plan['Plan Rows']).toBeLessThan(3)
    } finally {
      await trx.rollback()
    }
  })
})
