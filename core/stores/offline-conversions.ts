import { BOOKING_QUESTION, conversionTags } from '../contract/ad-measurement.ts'
import type { ConversionQuery } from '../contract/offline-conversions.ts'
import { type Db, queryRows } from '../platform/db.ts'
import { CONVERTED, type Conversion, FORMATS } from '../rules/offline-conversions.ts'
import { BOOKED } from '../rules/outcome-stages.ts'
import type { Period } from '../rules/periods.ts'
import { readAll } from './cursor.ts'
import * as suppressions from './suppressions.ts'

/** The query with its period, whose days are in a time zone. */
type Wanted = ConversionQuery & Period & { timeZone: string }

type Found = {
  id: number
  email: string
  phone: string
  click_id: string
  booked_at: Date
  value_cents: number | null
  provider_id: number
  provider_name: string
  google_ads_id: string | null
  bing_ads_id: string | null
}

/**
 * Reads the bookings that an advertising partner may learn of, the oldest first: of leads whose visitor allowed it to the clinic that
 * has the lead, and who came by a click on an ad of the partner. The clinic is active and has an id of the partner. Leads
 * that are held, deleted or made up are left out, and people who asked not to be contacted.
 *
 * The time is that of the first booking at this clinic, so that a later outcome does not make another conversion. The period
 * is that in which the booking was recorded, so that one which the CRM states late is in a later file.
 * @param key of the purpose `person-hash`
 */
export async function* read(
  db: Db,
  { network, provider_id, from, to, timeZone }: Wanted,
  key: Buffer,
): AsyncGenerator<Conversion & Pick<Found, 'id' | 'provider_id' | 'provider_name'>> {
  const { parameter, form } = FORMATS[network].clickId
  const clickIds = ['last', 'first'].map((touch) => `attribution #>> '{${touch},${parameter}}'`)
  const rows = readAll<Found>(db, (trx) => {
    const query = trx('leads')
      .joinRaw(`join providers on providers.id = leads.provider_id and providers.status = 't'`)
      .joinRaw(
        `join lateral (
           select min(happened_at) as happened_at, min(at) as recorded_at,
             (array_agg(value_cents order by happened_at desc, id desc)
               filter (where value_cents is not null and kind = any(?)))[1] as value_cents
           from lead_outcomes
           where lead_outcomes.lead_id = leads.id and lead_outcomes.provider_id = leads.provider_id and kind = any(?)
         ) booking on booking.recorded_at is not null`,
        [[...CONVERTED], [...BOOKED]],
      )
      .select('leads.id', 'leads.email', 'leads.phone', 'leads.provider_id', 'google_ads_id', 'bing_ads_id')
      .select({ value_cents: 'booking.value_cents' })
      .select(trx.raw(`coalesce(nullif(practice_name, ''), providers.name) as provider_name`))
      .select(trx.raw(`coalesce(${clickIds.join()}) as click_id`))
      .select(trx.raw('greatest(booking.happened_at, leads.created_at) as booked_at'))
      .whereRaw(`attribution->'ad_consent' is not null`)
      .whereRaw(`attribution #>> ? = ?`, [['ad_consent', network], BOOKING_QUESTION])
      .whereRaw(`attribution #>> '{ad_consent,clinic}' = leads.provider_id::text`)
      .whereRaw(`attribution #>> '{ad_consent,withdrawn_at}' is null and attribution->'made_up' is null`)
      .whereRaw('held_reason is null and not is_test and outcome = any(?)', [[...CONVERTED]])
      .whereRaw('booking.recorded_at >= start_of_day(?, ?)', [from, timeZone])
      .whereRaw('booking.recorded_at < start_of_day(?::date + 1, ?)', [to, timeZone])
      .orderBy(['booked_at', 'leads.id'])
    return provider_id === undefined ? query : query.where('leads.provider_id', provider_id)
  })

  const isSuppressed = await suppressions.readAll(db, key)
  for await (const { id, provider_name, click_id, booked_at, value_cents, ...row } of rows) {
    if (conversionTags(row)[network] === null || !form.test(click_id ?? '') || isSuppressed(row)) continue
    yield {
      ...{ id, provider_id: row.provider_id, provider_name },
      ...{ clickId: click_id, bookedAt: booked_at, valueCents: value_cents },
    }
  }
}

const NOW = `to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Withdraws the consent in the rows of a table, in the order of their ids, so that two such statements cannot deadlock. */
const withdrawalIn = (table: string, column: string, attribution: string, reference: string) => `
  with asked as (
    select id from ${table}
    where ${reference} = any(:references::bigint[])
      and ${attribution}->'ad_consent' is not null and ${attribution} #> '{ad_consent,withdrawn_at}' is null
    order by id for no key update
  )
  update ${table} set ${column} = jsonb_set(${column}, :path, to_jsonb(${NOW})) from asked where ${table}.id = asked.id
  returning ${table}.id`

const IN_LEADS = withdrawalIn('leads', 'attribution', 'attribution', 'reference')
const IN_DELETED_LEADS = withdrawalIn(
  'deleted_leads',
  'lead',
  `(lead->'attribution')`,
  `((lead->>'reference')::bigint)`,
)

/**
 * Takes back the consent of leads to ad measurement, by the random references of their receipts. Includes deleted leads, which
 * may be restored. The consent itself stays, because bookings may have been exported while it held.
 *
 * A statement that waits for a lead that is being deleted or restored does not see the row to which it is moved. The next
 * statement does, so the leads are read before the deleted ones and again after them.
 * @returns the number of leads whose consent was taken back
 */
export async function withdraw(db: Db, references: number[]): Promise<number> {
  return db.transaction(async (trx) => {
    const inLeads = () => queryRows(trx, IN_LEADS, { references, path: ['ad_consent', 'withdrawn_at'] })
    const path = ['attribution', 'ad_consent', 'withdrawn_at']
    const first = await inLeads()
    const deleted = await queryRows(trx, IN_DELETED_LEADS, { references, path })
    const restored = await inLeads()
    return first.length + deleted.length + restored.length
  })
}
