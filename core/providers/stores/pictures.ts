import { type Db, queryRows } from '../../platform/db.ts'
import type { RowWith } from '../../tables/table.ts'
import { DAY, HOUR, MINUTE } from '../../time.ts'

/** The time for which a worker claims a picture, in milliseconds. */
const CLAIM = 5 * MINUTE
/** The interval between two copies of a picture, which may change at the same address. */
const REFRESH_INTERVAL = 7 * DAY
const MIN_BACKOFF = 10 * MINUTE
const MAX_BACKOFF = 12 * HOUR

/** A picture, as the site serves it. */
export type Picture = { fileName: string; body: Buffer }

/** Adds a row for each picture of a provider, and removes those that no provider has. */
export async function register(db: Db): Promise<void> {
  await db.raw(
    `with wanted as (
      select distinct source from providers cross join lateral (values (image_url), (logo_url)) as picture (source)
      where source like 'http%'
    ), gone as (
      delete from pictures where not exists (select from wanted where source = source_url)
    )
    insert into pictures (source_url) select source from wanted on conflict do nothing`,
  )
}

/** Claims due pictures, so that no other worker fetches them. Returns their addresses. */
export async function claim(db: Db, limit: number): Promise<string[]> {
  const rows = await queryRows<RowWith<'pictures', 'source_url'>>(
    db,
    `update pictures set next_attempt_at = now() + ? * interval '1 ms'
     where source_url in (
       select source_url from pictures where next_attempt_at <= now()
       order by next_attempt_at limit ? for update skip locked
     )
     returning source_url`,
    [CLAIM, limit],
  )
  return rows.map(({ source_url }) => source_url)
}

export async function save(db: Db, sourceUrl: string, { fileName, body }: Picture): Promise<void> {
  await db('pictures')
    .where('source_url', sourceUrl)
    .update({
      file_name: fileName,
      body,
      problem: null,
      failures: 0,
      next_attempt_at: db.raw(`now() + ? * interval '1 ms'`, [REFRESH_INTERVAL]),
    })
}

/** Records in a sentence why a picture could not be fetched. An earlier copy stays. */
export async function fail(db: Db, sourceUrl: string, problem: string): Promise<void> {
  await db('pictures')
    .where('source_url', sourceUrl)
    .update({
      problem,
      failures: db.raw('failures + 1'),
      next_attempt_at: db.raw(`now() + least(? * power(2, least(failures, 20)), ?) * interval '1 ms'`, [
        MIN_BACKOFF,
        MAX_BACKOFF,
      ]),
    })
}

/** Returns the bytes of a picture, or null if there is none of that name. */
export async function find(db: Db, fileName: string): Promise<Buffer | null> {
  const row = await db('pictures').select('body').where('file_name', fileName).first()
  return row?.body ?? null
}
