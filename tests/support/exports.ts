import type { Db } from '../../core/platform/db.ts'
import { bulkServices } from './bulk.ts'
import { attempt } from './lead-jobs.ts'

/** Adds leads whose lines in an export have more than `size` characters each. */
export async function addLeads(db: Db, count: number, size = 100): Promise<void> {
  await db.raw(
    `insert into leads (first_name, last_name, email, phone, zip_code, acceptance_message, request_hash, person_key, repeat_window)
     select 'Jordan', 'Avery' || n, n || '@visitors.example', '1', '78702', repeat('x', ?::integer), '', gen_random_uuid(), 'empty'
     from generate_series(1, ?::integer) n`,
    [size, count],
  )
}

/** Makes one attempt at an export, as the worker does. */
export async function runExport(db: Db, id: string, stopping?: AbortSignal): Promise<void> {
  await attempt([id], bulkServices(db, stopping))
}
