import { type ClinicMail, MAILS_JUDGED } from '../contract/provider-record.ts'
import { AppError } from '../errors.ts'
import { type Db, queryRows } from '../platform/db.ts'
import type { RowWith } from './table.ts'

/** SQL for the address that gets the leads of a clinic: ours, or else that of WordPress. */
const ADDRESS = `coalesce(provider_rules.request_email, providers.email)`
const WITH_RULES = `providers left join provider_rules on provider_rules.provider_id = providers.id`

/** Finds the address that gets the leads of a clinic. @throws AppError `not_found` */
export async function findAddress(db: Db, providerId: number): Promise<string> {
  const [row] = await queryRows<{ address: string }>(
    db,
    `select ${ADDRESS} as address from ${WITH_RULES} where providers.id = ?`,
    [providerId],
  )
  if (!row) throw new AppError('not_found', 'There is no such clinic.')
  return row.address
}

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
     from ${WITH_RULES}
     cross join lateral (
       select id, purpose, lead_id, coalesce(finished_at, enqueued_at, created_at) as at,
         case state when 'done' then 'delivered' when 'failed' then 'failed' else 'retrying' end as state,
         case when state <> 'done' then last_error end as error, case when state <> 'done' then last_detail end as detail,
         case when state <> 'done' then last_cause end as cause
       from jobs
       where name = 'send-email' and purpose not in ('visitor', 'new_clinic') and result->>'to' = ${ADDRESS}
         and state <> 'cancelled'
       order by created_at desc limit ${MAILS_JUDGED}
     ) mail
     where providers.id = any(?::integer[])
     order by providers.id, mail.at desc`,
    [ids],
  )
  const mails = new Map<number, ClinicMail[]>(ids.map((id) => [id, []]))
  for (const { provider_id, at, ...mail } of rows) mails.get(provider_id)?.push({ ...mail, at: at.toISOString() })
  return mails
}
