import type { z } from 'zod'
import { SECOND } from '../../core/contract/time.ts'
import type { FailureCause } from '../../core/deliveries/contract/jobs.ts'
import type { WorkerEnv } from '../../core/env.ts'
import type { CrmChange } from '../../core/leads/answers.ts'
import type { Lead } from '../../core/leads/contract/leads.ts'
import type { LeadOutcome } from '../../core/leads/contract/outcomes.ts'
import type { ErasureReason } from '../../core/privacy/contract/privacy.ts'
import type { Provider } from '../../core/providers/stores/providers.ts'
import { readSettings } from '../../core/settings/read-settings.ts'
import { DeliveryError } from '../delivery-error.ts'
import {
  HTTP_TIMEOUT,
  type HttpAnswer,
  HttpError,
  type HttpOptions,
  isBusy,
  isRedirect,
  isTemporary,
  readText,
  request,
  retryAfter,
} from '../http.ts'

/**
 * An event of a lead, and its time (ISO 8601). `messageId` and `occurredAt` are the same for every attempt. Of a lead
 * that was permanently deleted only the ids are left: ours, and the CRM's if it gave one.
 */
export type CrmEvent = LeadEvent | DeletedEvent
export type DeletedEvent = Message & {
  purpose: 'deleted'
  lead: Pick<Lead, 'id'>
  reason: ErasureReason
  crmId: string | null
  isTest?: boolean
}
export type LeadEvent = Message & {
  purpose: 'created' | 'matched' | 'outcome' | 'opted_out'
  lead: Lead
  provider: Provider | null
  /** The current outcome. An event of the purpose `outcome` always has one. */
  outcome?: LeadOutcome
  /** The person asks for no contact, as of now. */
  doNotContact?: boolean
}
type Message = { messageId: string; occurredAt: string }

/** A lead whose email staff have corrected, with the CRM's id of it and its earlier emails in lower case. */
export type Renamed = { leadId: number; crmId: string; former: string[] }

/** What a sender may use: reads of our database, and the copy that staff can look at. */
export type CrmServices = {
  /** Returns the event with its person's newest lead as it is now. Skips leads that are held or failed at the CRM. */
  readNewest(event: LeadEvent): Promise<LeadEvent>
  /** Returns whether a lead has this email, ignoring case. Counts deleted leads that can be restored. */
  hasPerson(email: string): Promise<boolean>
  /** Returns the lead if the CRM knows it and its email was corrected. */
  findRenamed(leadId: number): Promise<Renamed | undefined>
  /** Keeps the payload of an event, before the call. It must contain no secret. The last one counts. */
  keep(event: LeadEvent, payload: unknown): void
}

/** An accepted event, perhaps with the CRM's id of the lead. */
export type CrmAnswer = { status: number; externalId?: string }

/** Sends events of leads to a CRM. */
export type CrmSender = {
  /** Concurrent calls of `send` in one process, at most. */
  concurrency: number
  /** The host that is called, for staff. */
  host?: string
  /** A CRM that keeps persons reads the newest lead before its call. @throws DeliveryError, or NotNeeded */
  send(event: CrmEvent, services: CrmServices): Promise<CrmAnswer>
  /** Asks the CRM whether it accepts us. `messageId` is the same for every attempt. @throws DeliveryError */
  check(messageId: string): Promise<CrmAnswer>
  /** What is read from this CRM, if outcomes are read from it. */
  outcomes?: CrmOutcomes
  close?(): void
}

/** Reads the outcomes of leads from a CRM, page by page. */
export type CrmOutcomes = {
  /** The name of what is read. Each has a cursor of its own. */
  source: string
  /**
   * Reads the next page of the records that have changed since a time, those with greater ids than `afterId`.
   * @param reads.known returns those of the CRM's ids that leads of ours have; nothing else is read further
   * @returns the stated outcomes; the CRM's own time; and the last id, or null where no page follows
   * @throws DeliveryError; the signal's reason once that is aborted
   */
  readPage(
    place: { since: Date; afterId: string | null },
    reads: { known(crmIds: string[]): Promise<Set<string>>; signal?: AbortSignal },
  ): Promise<{ changes: CrmChange[]; readAt: Date; lastId: string | null }>
}

/** A kind of CRM that can be connected. */
export type Crm = {
  kind: string
  settings: z.ZodObject
  /** @throws SettingsError when a setting is wrong or missing */
  create(env: WorkerEnv): CrmSender
}

/** Declares a kind of CRM: its name, its settings, each with a sentence, and the function that makes its sender. */
export function defineCrm<Settings extends z.ZodObject>({
  kind,
  settings,
  create,
}: {
  kind: string
  settings: Settings
  create(settings: z.output<Settings>, env: WorkerEnv): CrmSender
}): Crm {
  return { kind, settings, create: (env) => create(readSettings(settings, env.given), env) }
}

/** Ten thousand bytes for each of a hundred contacts, the most that one answer is about. */
const MAX_ANSWER_BYTES = 1024 * 1024

type Asked = Pick<HttpOptions, 'method' | 'headers' | 'body' | 'signal'>

/**
 * Sends a request to a CRM, with JSON if it has a body, and returns its answer, whatever its status. Redirects are not followed.
 * @throws DeliveryError when there is no answer within 15 seconds; the signal's reason once that is aborted
 */
export async function askCrm(url: string, { headers, ...asked }: Asked): Promise<HttpAnswer> {
  try {
    const type = asked.body !== undefined && { 'content-type': 'application/json' }
    return await request(url, { ...asked, headers: { ...type, ...headers } })
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    const isLate = error.reason === 'timeout'
    throw new DeliveryError(
      isLate ? `The CRM did not answer within ${HTTP_TIMEOUT / SECOND} seconds.` : 'The CRM could not be reached.',
      { cause: 'unreachable', retry: 'later', detail: isLate ? undefined : error.detail },
    )
  }
}

/** A broken answer or an overlong refusal counts as empty. @throws DeliveryError when a success is over 1 MiB */
export async function readAnswer(response: HttpAnswer): Promise<string> {
  const { text, isWhole } = await readText(response, MAX_ANSWER_BYTES).catch(() => ({ text: '', isWhole: true }))
  if (isWhole) return text
  if (!response.ok) return ''
  throw new DeliveryError(
    'The CRM’s answer was larger than 1 MB. It may have accepted the lead, which is sent again.',
    { cause: 'server_error', retry: 'later', status: response.status },
  )
}

type Refusal = { detail?: string; isFinal?: boolean; what?: string; words?: string }

/**
 * Returns the failure that an answer other than 2xx means. 408, 423, 425, 429, 477 and 5xx are retried and everything else is
 * final, unless the sender says otherwise (`isFinal`). `detail` is the text of the other side. `what` was sent to the CRM, or
 * `words` say what failed.
 */
export function refusal(
  { status, headers }: HttpAnswer,
  { detail, isFinal = !isTemporary(status), what = 'the lead', words = wordsOf(status, isFinal, what) }: Refusal = {},
): DeliveryError {
  return new DeliveryError(words, {
    cause: causeOf(status),
    retry: isFinal ? 'never' : 'later',
    detail,
    retryAfter: isFinal ? undefined : retryAfter(headers.get('retry-after')),
    status,
  })
}

/** Maps the status of an answer to the cause of the failure (RFC 9110, 15). */
function causeOf(status: number): FailureCause {
  if (status === 401 || status === 403) return 'credentials'
  if (isBusy(status)) return 'busy'
  if (status >= 500) return 'server_error'
  if (status < 400 || [404, 405, 410].includes(status)) return 'wrong_address'
  return 'refused'
}

function wordsOf(status: number, isFinal: boolean, what: string): string {
  if (!isFinal) return `The CRM could not accept ${what} yet: it answered ${status}.`
  if (isRedirect(status)) return `The CRM answered with a redirect (${status}), which we do not follow.`
  if (status === 410) {
    return 'The CRM says that this address is gone (410). Set the new address, then retry what failed.'
  }
  return `The CRM refused ${what}: it answered ${status}.`
}
