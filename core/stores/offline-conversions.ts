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
      .whereRaw('held_reason is null and outcome = any(?)', [[...CONVERTED]])
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

/**
 * Takes back the consent of leads to ad measurement, by the random references of their receipts. Includes deleted leads, which
 * may be restored. The consent itself stays, because bookings may have been exported while it held.
 */
export async function withdraw(db: Db, references: number[]): Promise<void> {
  const taken = (attribution: string) =>
    `jsonb_set(${attribution}, '{ad_consent,withdrawn_at}', to_jsonb(to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))`
  const isOpen = (attribution: string) =>
    `${attribution}->'ad_consent' is not null and ${attribution} #> '{ad_consent,withdrawn_at}' is null`
  await queryRows(
    db,
    // In one order everywhere, so that two of these never wait for each other.
    `with asked as (
       select id from leads where reference = any(:references::bigint[]) and ${isOpen('attribution')}
       order by id for no key update
     ), deleted as (
       update deleted_leads set lead = jsonb_set(lead, '{attribution}', ${taken(`(lead->'attribution')`)})
       where (lead->>'reference')::bigint = any(:references::bigint[]) and ${isOpen(`(lead->'attribution')`)}
     )
     update leads set attribution = ${taken('attribution')} from asked where leads.id = asked.id`,
    { references },
  )
}
