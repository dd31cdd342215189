import { type Db, queryRows } from '../../platform/db.ts'
import type { RowWith } from '../../tables/table.ts'
import { type ClinicMail, MAILS_JUDGED } from '../contract/provider-record.ts'
import { REQUEST_EMAIL } from './clinic-people.ts'

/**
 * Lists the last e-mails to the address of each clinic, the newest first, by the clinic's id. Found by the address and not by
 * the lead: a clinic whose leads were passed on keeps its failures, and a new address begins without any. The condition on
 * `purpose` is that of the index.
 */
export async function listMails(db: Db, ids: number[]): Promise<Map<number, ClinicMail[]>> {
  type Found = RowWith<
    'jobs',
    'id' | 'lead_id',
    Omit<ClinicMail, 'id' | 'lead_id' | 'at'> & { provider_id: number; at: Date }
  >
  const rows = await queryRows<Found>(
    db,
    `select providers.id as provider_id, mail.*
     from (select id, ${REQUEST_EMAIL} as address from providers where id = any(?::integer[]) offset 0) providers
     cross join lateral (
       select id, purpose, lead_id, coalesce(finished_at, enqueued_at, created_at) as at,
         case state when 'done' then 'delivered' when 'failed' then 'failed' else 'retrying' end as state,
         case when state <> 'done' then last_error end as error, case when state <> 'done' then last_detail end as detail,
         case when state <> 'done' then last_cause end as cause
       from jobs
       where name = 'send-email' and purpose not in ('visitor', 'new_clinic') and result->>'to' = providers.address
         and state <> 'cancelled'
       order by created_at desc limit ${MAILS_JUDGED}
     ) mail
     order by providers.id, mail.at desc`,
    [ids],
  )
  const mails = new Map<number, ClinicMail[]>(ids.map((id) => [id, []]))
  for (const { provider_id, at, ...mail } of rows) mails.get(provider_id)?.push({ ...mail, at: at.toISOString() })
  return mails
}
