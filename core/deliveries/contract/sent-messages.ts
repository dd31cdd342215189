import { z } from 'zod'
import { defineCall, RowParams } from '../../contract/call.ts'

/** A delivery of a lead. */
const DeliveryParams = RowParams.extend({ jobId: z.uuid() })

/** An e-mail as it was sent, except that secrets are replaced: codes, and the tokens of links. */
export const SentEmail = z.object({
  to: z.string(),
  subject: z.string(),
  sent_at: z.iso.datetime(),
  /** The part in plain text. */
  text: z.string(),
})
export type SentEmail = z.infer<typeof SentEmail>

/** Replaces a secret in the copy of an e-mail. */
export const SECRET_MARK = '•••'

export const getSentEmail = defineCall({
  method: 'GET',
  path: '/api/leads/:id/emails/:jobId',
  summary: 'Get an e-mail about a lead as it was sent, without the secrets in it.',
  access: 'agent',
  input: { params: DeliveryParams },
  output: SentEmail,
})

export const showSentEmail = defineCall({
  method: 'GET',
  path: '/api/leads/:id/emails/:jobId/html',
  summary: 'Show the HTML part of an e-mail about a lead as it was sent, without the secrets in it.',
  access: 'agent',
  input: { params: DeliveryParams },
  output: z.string(),
  type: 'text/html',
})

/** What the CRM was sent in the latest attempt at a delivery. */
export const SentPayload = z.object({ sent_at: z.iso.datetime(), payload: z.unknown() })
export type SentPayload = z.infer<typeof SentPayload>

export const getSentPayload = defineCall({
  method: 'GET',
  path: '/api/leads/:id/crm-payloads/:jobId',
  summary: 'Get the payload about a lead that was sent to the CRM.',
  access: 'manager',
  input: { params: DeliveryParams },
  output: SentPayload,
})
