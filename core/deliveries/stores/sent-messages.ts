import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { z } from 'zod'
import { type Db, queryRows } from '../../platform/db.ts'
import type { RowWith } from '../../tables/table.ts'
import type { SentEmail } from '../contract/jobs.ts'

/** An email as it was sent, but without its secrets, so that a reader cannot act in the name of its recipient. */
const Email = z.object({ to: z.string(), subject: z.string(), html: z.string(), text: z.string() })

/** A sent message: an email, or a payload for the CRM. */
export type SentMessage = { email: z.infer<typeof Email> } | { payload: unknown }

/** Compresses a message for its column, as base64. The lowest quality: it costs 0.1 ms and leaves a quarter of an email. */
export function pack(message: SentMessage): string {
  const content = JSON.stringify('email' in message ? message.email : message.payload)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 1 }
  return brotliCompressSync(content, { params }).toString('base64')
}

const unpack = (body: Buffer): unknown => JSON.parse(brotliDecompressSync(body).toString())

/** A job of a lead. */
type JobOfLead = { leadId: number; jobId: string }

/** Finds the email that a job of a lead has sent. */
export async function findEmail(db: Db, of: JobOfLead): Promise<(SentEmail & { html: string }) | null> {
  const found = await find(db, { ...of, name: 'send-email' })
  return found && { ...Email.parse(found.content), sent_at: found.at.toISOString() }
}

/** Finds the payload that a job of a lead has sent to the CRM, in its latest attempt. */
export async function findPayload(db: Db, of: JobOfLead): Promise<{ sent_at: string; payload: unknown } | null> {
  const found = await find(db, { ...of, name: 'sync-crm' })
  return found && { sent_at: found.at.toISOString(), payload: found.content }
}

async function find(db: Db, { leadId, jobId, name }: JobOfLead & { name: 'send-email' | 'sync-crm' }) {
  const row = await db('sent_messages')
    .join('jobs', 'jobs.id', 'job_id')
    .where({ 'jobs.id': jobId, subject_kind: 'lead', subject_id: leadId, name })
    .first('at', 'body')
  return row ? { at: row.at, content: unpack(row.body) } : null
}

/** Lists everything that was sent about a lead, the oldest first. The lead may be deleted. */
export async function list(db: Db, leadId: number): Promise<{ job_id: string; at: string; content: unknown }[]> {
  const rows = await queryRows<RowWith<'sent_messages', 'job_id' | 'at' | 'body'>>(
    db,
    `select job_id, at, body from sent_messages join jobs on jobs.id = job_id
     where subject_kind = 'lead' and subject_id = ? order by at, job_id`,
    [leadId],
  )
  return rows.map(({ job_id, at, body }) => ({ job_id, at: at.toISOString(), content: unpack(body) }))
}
