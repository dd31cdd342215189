import { expect, it } from 'vitest'
import { queryRows } from '../../../../core/platform/db.ts'
import { DATA_KINDS, USUAL_TIMES, withTimes } from '../../../../core/privacy/contract/data-map.ts'
import { useDatabase } from '../../../support/database.ts'

const database = useDatabase()

/** Columns that hold something about a person, or that belong to a request or an application. */
const PERSONAL =
  '(^|_)(lead_id|application_id|account_id|subject_id|ip|ip_hash|user_agent|browser_hash|email|to_email|email_hash|phone|phone_hash|first_name|author|actor|recipient|body|row_ids)$'

it('lists every table of the database that holds personal data', async () => {
  const tables = await queryRows<{ name: string }>(
    database.db,
    `select distinct table_name as name from information_schema.columns
     where table_schema = 'public' and column_name ~ ? order by 1`,
    [PERSONAL],
  )
  const listed = new Set(DATA_KINDS.flatMap((kind) => kind.tables))
  // Pictures of clinics, and the result of a match without whose it is.
  const others = ['pictures']
  expect(tables.map(({ name }) => name).filter((name) => !listed.has(name) && !others.includes(name))).toEqual([])
})

it('names what, from where, what for, who and how long for each kind of data', () => {
  for (const { what, from, why, who, kept } of DATA_KINDS) {
    for (const text of [what, from, why, who, kept]) expect(text, what).toMatch(/\w{3}/)
    expect(withTimes(kept, USUAL_TIMES)).not.toMatch(/[{}]/)
  }
})
