import type { ClinicPart } from '../../contract/page.ts'
import { DAY, HOUR } from '../../contract/time.ts'
import * as jobs from '../../deliveries/stores/jobs.ts'
import { hashToken, newToken } from '../../platform/data-key.ts'
import { type Db, only, queryRows, type Transaction } from '../../platform/db.ts'
import { currentRequest } from '../../platform/log.ts'
import { CLINICS_OF_ADDRESS } from './clinic-people.ts'

/** The lifetime of a link after it was sent, in milliseconds: one that was asked for, and one that we send unasked. */
export const LINK_LIFETIME = 4 * HOUR
const INVITATION_LIFETIME = 7 * DAY
/**
 * The most links of one address to one clinic that work at the same time. A further one is refused only while these are in the
 * mailbox, so that a stranger who asks for links can't keep the clinic out, and sends it a dozen emails a day at most. A browser
 * in which the address has signed in before may have more.
 */
export const MAX_LINKS = { ofKnownBrowser: 5, ofOthers: 2 }
/** The most clinics of one address. Each has a link of its own. */
const MAX_CLINICS = 10

/**
 * Adds a job that mails a link for each clinic of this address. One statement, so that it takes equally long for an address
 * of no clinic. Returns the number of links.
 * @param options `part` of the pages, to which the link leads; `isKnown`: the address has signed in with this browser before
 */
export async function request(
  db: Db,
  email: string,
  { part = null, isKnown = false }: { part?: ClinicPart | null; isKnown?: boolean } = {},
): Promise<number> {
  const rows = await queryRows<{ links: number }>(
    db,
    `with asked as (
       select id from (${CLINICS_OF_ADDRESS} limit :clinics) clinic
       where (select count(*) from one_time_tokens join jobs on jobs.id = job_id
         where provider_id = clinic.id and lower(email) = lower(:email) and state not in ('failed', 'cancelled')
           and coalesce(expires_at, requested_at + interval '1 day') > now()) < :links
     ), job as (
       insert into jobs (name, purpose, subject_kind, subject_id, request_id)
       select 'send-email', 'clinic_link', 'provider', id, :requestId from asked returning id, subject_id
     ), link as (
       insert into one_time_tokens (purpose, job_id, provider_id, email, page)
       select 'clinic_link', id, subject_id, :email, :part from job returning 1
     )
     select count(*)::integer as links, pg_notify(:channel, '') from link`,
    {
      email,
      part,
      clinics: MAX_CLINICS,
      links: isKnown ? MAX_LINKS.ofKnownBrowser : MAX_LINKS.ofOthers,
      channel: jobs.JOBS_CHANNEL,
      requestId: currentRequest()?.id ?? null,
    },
  )
  return only(rows).links
}

/** Adds a job that mails a link to a new person of a clinic. */
export async function invite(trx: Transaction, providerId: number, email: string): Promise<void> {
  const { added } = await jobs.add(trx, `provider:${providerId}`, [{ name: 'send-email', purpose: 'clinic_link' }])
  await trx('one_time_tokens').insert({
    purpose: 'clinic_link',
    job_id: only(added),
    provider_id: providerId,
    email,
    page: 'requests',
  })
}

/**
 * Makes the token of a link that an email about a sync takes to an address of a clinic. Returns null unless the address may sign
 * in.
 */
export async function makeTokenFor(
  db: Db,
  { jobId, providerId, email }: { jobId: string; providerId: number; email: string },
): Promise<string | null> {
  const token = newToken()
  const made = await queryRows(
    db,
    `insert into one_time_tokens (purpose, job_id, provider_id, email, page, token_hash, expires_at)
     select 'clinic_link', :jobId, id, :email, 'people', :hash, now() + :lifetime * interval '1 ms'
     from (${CLINICS_OF_ADDRESS}) clinic where id = :providerId
     on conflict (job_id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at
     returning job_id`,
    { jobId, providerId, email, hash: hashToken(token), lifetime: INVITATION_LIFETIME },
  )
  return made.length > 0 ? token : null
}

/** SQL for the person whose address a link confirms, if it is not confirmed. */
const INVITED = `(select added_by from clinic_people person where person.provider_id = one_time_tokens.provider_id
  and lower(person.email) = lower(one_time_tokens.email) and confirmed_at is null and removed_at is null)`

/**
 * Makes the token of a link, for its email. Each attempt to send it makes another one. Returns null for a link that was
 * used, and one that was asked for more than a day ago. `invitedBy` is null unless it goes to a person who has never signed in.
 */
export async function makeToken(
  db: Db,
  jobId: string,
): Promise<{
  token: string
  email: string
  page: ClinicPart | null
  expiresAt: string
  invitedBy: string | null
} | null> {
  const token = newToken()
  const [row] = await db('one_time_tokens')
    .where('job_id', jobId)
    .whereRaw(`requested_at > now() - ? * interval '1 ms'`, [DAY])
    .update({
      token_hash: hashToken(token),
      expires_at: db.raw(`now() + case when ${INVITED} is null then ?::bigint else ? end * interval '1 ms'`, [
        LINK_LIFETIME,
        INVITATION_LIFETIME,
      ]),
    })
    .returning<{ email: string; page: ClinicPart | null; expires_at: Date; invited_by: string | null }[]>([
      'email',
      'page',
      'expires_at',
      db.raw(`${INVITED} as invited_by`),
    ])
  if (!row) return null
  const { email, page, expires_at, invited_by } = row
  return { token, email, page, expiresAt: expires_at.toISOString(), invitedBy: invited_by }
}

/** Finds what the link of a token opens, without using it. Returns null unless it is valid. */
export async function find(
  db: Db,
  token: string,
): Promise<{ clinic: { id: number; name: string; practiceName: string | null }; email: string } | null> {
  const [row] = await queryRows<{ id: number; name: string; practiceName: string | null; email: string }>(
    db,
    `select providers.id, name, practice_name as "practiceName", link.email
     from one_time_tokens link join providers on providers.id = link.provider_id
     where token_hash = :hash and expires_at > now() and exists (
       select from (${CLINICS_OF_ADDRESS.replaceAll(':email', 'link.email')}) clinic where clinic.id = providers.id)`,
    { hash: hashToken(token) },
  )
  if (!row) return null
  const { email, ...clinic } = row
  return { clinic, email }
}

/** Ends the link of a token. Returns its clinic and address, or null unless it is valid. */
export async function use(trx: Transaction, token: string): Promise<{ providerId: number; email: string } | null> {
  const [row] = await trx('one_time_tokens')
    .where({ purpose: 'clinic_link', token_hash: hashToken(token) })
    .where('expires_at', '>', trx.fn.now())
    .delete()
    .returning<{ provider_id: number; email: string }[]>(['provider_id', 'email'])
  return row ? { providerId: row.provider_id, email: row.email } : null
}

/** The lifetime of a session of a clinic, in milliseconds. */
export const SESSION_LIFETIME = 12 * HOUR

/** The time after a sign-in in which it counts as a fresh proof of the mailbox, in milliseconds. */
const FRESH = HOUR

/** The signed-in clinic, and the address that signed in. `isFresh`: within the last hour. */
export type SignedInClinic = {
  id: number
  name: string
  practiceName: string | null
  email: string
  sessionId: number
  isFresh: boolean
}

/** Opens a session. Returns its token, of which the database keeps only the hash. */
export async function open(
  trx: Transaction,
  { providerId, email }: { providerId: number; email: string },
  device: { ip: string; userAgent: string },
): Promise<string> {
  const token = newToken()
  await trx('clinic_sessions').insert({
    provider_id: providerId,
    email,
    token_hash: hashToken(token),
    expires_at: trx.raw(`now() + ? * interval '1 ms'`, [SESSION_LIFETIME]),
    ip: device.ip,
    user_agent: device.userAgent.slice(0, 300),
  })
  return token
}

/** Finds the clinic of a session. Returns null once it has ended, its address may no longer sign in, or the clinic has left. */
export async function findSession(db: Db, token: string): Promise<SignedInClinic | null> {
  const [row] = await queryRows<SignedInClinic>(
    db,
    `select providers.id, name, practice_name as "practiceName", session.email, session.id as "sessionId",
       session.created_at > now() - :fresh * interval '1 ms' as "isFresh"
     from clinic_sessions session join providers on providers.id = session.provider_id
     where token_hash = :hash and expires_at > now() and exists (
       select from (${CLINICS_OF_ADDRESS.replaceAll(':email', 'session.email')}) clinic where clinic.id = providers.id)`,
    { hash: hashToken(token), fresh: FRESH },
  )
  return row ?? null
}

export async function end(db: Db, token: string): Promise<void> {
  await db('clinic_sessions').where('token_hash', hashToken(token)).delete()
}
