import {
  type ApplicationCheck,
  type ApplicationDemand,
  type ApplicationDetails,
  type ApplicationNote,
  type ApplicationStage,
  DEMAND_DAYS,
  type LikelyDuplicate,
} from '../contract/application-details.ts'
import type { Application } from '../contract/applications.ts'
import { type Db, queryRows, type Transaction } from '../platform/db.ts'
import { nationalDigits } from '../rules/phone-numbers.ts'
import { REQUEST_EMAIL } from './clinic-addresses.ts'
import { deleteRows, hasRows, type OldRows } from './old-rows.ts'
import { listNearest, type NearProvider } from './providers.ts'
import { MILES } from './zip-codes.ts'

const PLACES_SHOWN = 8
const CLINICS_SHOWN = 8
const DUPLICATES_SHOWN = 10
/** Practices of the same name within this distance are likely the same one. In miles. */
const SAME_NAME_MILES = 50

/** Hosts on which many practices have a page. */
const SHARED_HOSTS = ['facebook.com', 'instagram.com', 'linkedin.com', 'linktr.ee', 'google.com', 'yelp.com']

/** Reads what the dashboard shows of an application beside its own fields. `radiusMiles` is that of matching. */
export async function read(
  db: Db,
  application: Application,
  { radiusMiles }: { radiusMiles: number },
): Promise<ApplicationDetails> {
  const { id, zip_code } = application
  const [place, stages, notes, checks, demand, duplicates, provider] = await Promise.all([
    db('zip_codes').where('zip', zip_code).first('city', 'state'),
    listStages(db, application),
    listNotes(db, id),
    db('application_checks')
      .where('application_id', id)
      .select('item', 'done_at as at', 'done_by as actor', db.raw(nameOf('done_by')))
      .orderBy('done_at'),
    findDemand(db, zip_code, radiusMiles),
    listDuplicates(db, application),
    findProvider(db, id),
  ])
  return {
    ...application,
    place: place?.city ? { city: place.city, state: place.state } : null,
    ...{ stages, notes, demand, duplicates, provider },
    checks: checks.map(({ at, ...check }) => ({ ...check, at: at.toISOString() })),
  }
}

/** Finds the clinic that was made of an application. */
export async function findProvider(db: Db, id: number): Promise<ApplicationDetails['provider']> {
  const [row] = await queryRows<NonNullable<ApplicationDetails['provider']>>(
    db,
    `select providers.id, case providers.status when 't' then 'active' else 'inactive' end as status
     from provider_applications application join providers on providers.id = provider_id where application.id = ?`,
    [id],
  )
  return row ?? null
}

/** Adds a note. The caller holds the lock of the application. */
export async function addNote(trx: Transaction, id: number, { author, text }: { author: string; text: string }) {
  await trx('application_notes').insert({ application_id: id, author, text })
}

/** Finds a note of an application, also a deleted one. */
export async function findNote(db: Db, id: number, noteId: number) {
  return db('application_notes')
    .leftJoin('deleted_application_notes', 'note_id', 'id')
    .where({ id: noteId, application_id: id })
    .first('author', 'deleted_at')
}

/** Marks a note as deleted, or takes that back. The caller holds the lock of the application. */
export async function setNoteDeleted(trx: Transaction, noteId: number, isDeleted: boolean): Promise<void> {
  const deleted = trx('deleted_application_notes')
  await (isDeleted ? deleted.insert({ note_id: noteId }) : deleted.where({ note_id: noteId }).delete())
}

/** A deletion can be undone for this time, and a little longer. */
const DELETED: OldRows = {
  table: 'application_notes',
  where: `id in (select note_id from deleted_application_notes where deleted_at < now() - interval '1 hour')`,
}
export const isPurgeDue = (db: Db) => hasRows(db, DELETED)
/** Deletes a batch of deleted notes for good. Returns their number. */
export const purge = (db: Db) => deleteRows(db, DELETED)

/** Ticks an item of the checklist, or clears it. Returns whether that changed it. The caller holds the lock of the application. */
export async function setCheck(
  trx: Transaction,
  id: number,
  { item, done, by }: { item: ApplicationCheck; done: boolean; by: string },
): Promise<boolean> {
  const key = { application_id: id, item }
  if (!done) return (await trx('application_checks').where(key).delete()) > 0
  const added = await trx('application_checks')
    .insert({ ...key, done_by: by })
    .onConflict(['application_id', 'item'])
    .ignore()
    .returning('item')
  return added.length > 0
}

/** Returns SQL for the name of the account with the e-mail in a column. */
const nameOf = (column: string) =>
  `(select name from staff_accounts where lower(email) = lower(${column})) as actor_name`

async function listStages(db: Db, { id, created_at }: Application): Promise<ApplicationStage[]> {
  const rows = await db('audit_log')
    .where({ entity: 'application', entity_id: String(id), action: 'set-status' })
    .select<Stage[]>('at', 'actor', db.raw(`details ->> 'to' as status`), db.raw(nameOf('actor')))
    .orderBy('id')
  const first = { status: 'new' as const, at: created_at, actor: null, actor_name: null }
  return [first, ...rows.map(({ at, ...stage }) => ({ ...stage, at: at.toISOString() }))]
}
type Stage = Omit<ApplicationStage, 'at'> & { at: Date }

async function listNotes(db: Db, id: number): Promise<ApplicationNote[]> {
  const rows = await db('application_notes')
    .where('application_id', id)
    .whereRaw('not exists (select from deleted_application_notes where note_id = application_notes.id)')
    .select<Note[]>('id', 'at', 'author as actor', 'text', db.raw(nameOf('author')))
    .orderBy('id')
  return rows.map(({ at, ...note }) => ({ ...note, at: at.toISOString() }))
}
type Note = Omit<ApplicationNote, 'at'> & { at: Date }

/** Counts the people of the last days who have no clinic, by place, within `radiusMiles` of a zip. */
async function findDemand(db: Db, zip: string, radiusMiles: number): Promise<ApplicationDemand> {
  const [[found], nearest] = await Promise.all([
    queryRows<Pick<ApplicationDemand, 'here' | 'places'> & { people: number }>(
      db,
      `with here as materialized (
         select coalesce((select location from zip_codes where zip = :zip), zip_location(:zip)) as point
       ), waiting as materialized (
         select zip_code as zip, lower(email) as email from leads
         where provider_id is null and held_reason is null and not is_test and created_at > now() - :days * interval '24 hours'
       ), near as materialized (
         select zip, city, state, miles, latitude(location) as latitude, longitude(location) as longitude from (
           select each.zip, coalesce(city, each.zip) as city, state, location, ${MILES} as miles
           from (select distinct zip from waiting) each
           left join (select zip, city, state, location as center from zip_codes) known on known.zip = each.zip
           cross join lateral (select coalesce(center, zip_location(each.zip)) as location offset 0) there
           cross join here
         ) placed where miles <= :radiusMiles
       ), places as (
         select city, state, count(distinct email)::integer as people, min(miles) as miles,
           avg(latitude) as latitude, avg(longitude) as longitude
         from waiting join near using (zip) group by city, state
         order by people desc, miles, city limit :most
       )
       select (select case when point is not null then
           json_build_object('latitude', latitude(point), 'longitude', longitude(point)) end from here) as here,
         (select count(distinct email)::integer from waiting join near using (zip)) as people,
         coalesce((select json_agg(places) from places), '[]') as places`,
      { zip, days: DEMAND_DAYS, radiusMiles, most: PLACES_SHOWN },
    ),
    listNearest(db, zip, CLINICS_SHOWN),
  ])
  const [first] = nearest
  return {
    radius_miles: radiusMiles,
    here: found?.here ?? null,
    people: found?.here ? found.people : null,
    places: found?.places ?? [],
    nearest: first ? { id: first.id, name: nameOfClinic(first), miles: first.miles } : null,
    clinics: await placeClinics(db, nearest),
  }
}

const nameOfClinic = ({ practiceName, name }: NearProvider) => practiceName ?? name

/** Adds to clinics where they are, the nearest first. */
async function placeClinics(db: Db, clinics: NearProvider[]): Promise<ApplicationDemand['clinics']> {
  const rows = await queryRows<{ id: number; latitude: number; longitude: number }>(
    db,
    `select id, latitude(location) as latitude, longitude(location) as longitude from providers
     where id = any(?::integer[]) and location is not null`,
    [clinics.map(({ id }) => id)],
  )
  return clinics.flatMap((clinic) => {
    const place = rows.find(({ id }) => id === clinic.id)
    return place ? [{ ...place, name: nameOfClinic(clinic) }] : []
  })
}

/** Returns SQL for the host of a website without `www.`. */
const HOST = (column: string) =>
  `nullif(regexp_replace(lower(${column}), '^([a-z]+://|)(www\\.|)([^/:#]*).*$', '\\3'), '')`

/** Words that many names of practices have. */
const COMMON_WORDS = 'the|clinic|clinics|center|centers|medical|health|group|and|of|llc|pllc|pc|inc|md|dr'

/** Returns SQL for the letters and digits of a practice's name without common words. */
const PLAIN_NAME = (column: string) =>
  `nullif(regexp_replace(folded(${column}), '\\y(${COMMON_WORDS})\\y|[^a-z0-9]', '', 'g'), '')`

/** Lists clinics and other applications with the same e-mail, phone, website, or practice name nearby. */
async function listDuplicates(db: Db, application: Application): Promise<LikelyDuplicate[]> {
  const { id, email, phone, website, practice_name, zip_code } = application
  return queryRows<LikelyDuplicate>(
    db,
    `with wanted as materialized (
       select lower(:email) as email, :phone as phone, ${PLAIN_NAME(':practice')} as name,
         (select host from (select ${HOST('cast(:website as text)')} as host) own where host <> all(:shared)) as host,
         coalesce((select location from zip_codes where zip = :zip), zip_location(:zip)) as point
     ), others as (
       select 'provider' as kind, id, coalesce(practice_name, name) as name,
         case status when 't' then 'active' else 'inactive' end as status,
         array[lower(email), lower(${REQUEST_EMAIL})] as emails, national_digits(phone) as phone,
         array[${HOST('website')}, ${HOST('domain')}] as hosts, coalesce(practice_name, name) as practice, location
       from providers
       union all
       select 'application', id, practice_name, status, array[lower(email)], national_digits(phone),
         array[${HOST('website')}], practice_name,
         (select location from zip_codes where zip = zip_code)
       from provider_applications where id <> :id
     ), compared as (
       select kind, id, others.name, status, array_remove(array[
         case when wanted.email = any(emails) then 'email' end,
         case when wanted.phone <> '' and wanted.phone = others.phone then 'phone' end,
         case when wanted.host = any(hosts) then 'website' end,
         case when wanted.name = ${PLAIN_NAME('practice')} and ${MILES} <= :miles then 'name' end
       ], null) as reasons
       from others cross join wanted
     )
     select * from compared where cardinality(reasons) > 0
     order by cardinality(reasons) desc, kind desc, status, id desc limit :most`,
    {
      ...{ id, email, zip: zip_code, practice: practice_name, website },
      phone: nationalDigits(phone),
      shared: SHARED_HOSTS,
      miles: SAME_NAME_MILES,
      most: DUPLICATES_SHOWN,
    },
  )
}
