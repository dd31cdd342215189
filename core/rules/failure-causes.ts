import type { JobName, JobState } from '../contract/jobs.ts'
import type { FailureCause } from '../contract/overview.ts'

/** What is known of an attempt that failed. */
export type FailedAttempt = {
  name: JobName
  /** The HTTP or SMTP status, where there was an answer. */
  status: number | null
  /** The enhanced status code of a mail server, like 5.1.1 (RFC 3463), where its answer has one. */
  detail: string | null
  /** The ledger's `last_error`: what we said, up to a colon, and then perhaps what the other side said. */
  error: string
}

/**
 * Why a delivery failed. Our own words come first: they are exact where a status is ambiguous. Those of the other side,
 * which may say anything, count for nothing.
 */
export function failureCause({ name, status, detail, error }: FailedAttempt): FailureCause {
  const [ours = ''] = error.split(':', 1)
  if (/refused our credentials/.test(ours)) return 'credentials'
  if (/no valid e-mail address/.test(ours)) return 'bad_address'
  if (/has no provider/.test(ours)) return 'no_provider'
  if (/could not be reached/.test(ours)) return 'unreachable'
  if (/^The mail server answered with something that is no SMTP/.test(ours)) return 'server_error'
  if (/does not let us send/.test(ours)) return 'blocked'
  if (/^The CRM takes no more calls for now/.test(ours)) return 'busy'
  if (/^HubSpot has no contact property/.test(ours)) return 'unknown_property'
  // Said of a contact in an answer that was a success for others.
  if (/^HubSpot (did not say what became of|could not take) this contact/.test(ours)) return 'server_error'
  if (status === null) return 'our_side'
  return name === 'send-email' ? mailCause(status, detail) : crmCause(status)
}

/** Microsoft's codes for a recipient that it does not know: Exchange Online's and Outlook.com's. */
const UNKNOWN_TO_MICROSOFT = ['5.4.1', '5.5.0']

/** Source: RFC 5321, 4.2.3, and RFC 3463, 3.2 (addressing), 3.3 (mailbox), 3.8 (security and policy). */
function mailCause(status: number, detail: string | null): FailureCause {
  const [, subject, reason] = detail?.split('.') ?? []
  const [isAboutAddress, isAboutMailbox] = [subject === '1', subject === '2']
  if ((isAboutMailbox && reason === '2') || (status === 552 && !subject)) return 'mailbox_full'
  if (status < 500) return 'busy'
  if (subject === '7' || (status === 554 && !subject)) return 'blocked'
  // The sender's address, and so our domain.
  if (isAboutAddress && (reason === '7' || reason === '8')) return 'blocked'
  if (isAboutAddress || (isAboutMailbox && reason === '1')) return 'unknown_mailbox'
  if (status === 550 && UNKNOWN_TO_MICROSOFT.includes(String(detail))) return 'unknown_mailbox'
  if ([550, 551, 553].includes(status) && !subject) return 'unknown_mailbox'
  return 'refused'
}

function crmCause(status: number): FailureCause {
  // A batch was taken in part (207): this lead was not.
  if (status === 207) return 'refused'
  if (status === 401 || status === 403) return 'credentials'
  if ([408, 425, 429].includes(status)) return 'busy'
  if (status >= 500) return 'server_error'
  if (status < 400 || status === 404 || status === 405 || status === 410) return 'wrong_address'
  return 'refused'
}

/** Each cause in plain words, and what mends it. */
export const CAUSE_WORDS: Record<FailureCause, { words: string; advice: string }> = {
  unknown_mailbox: {
    words: 'The mailbox does not exist.',
    advice: 'Check the e-mail address, of the clinic above all, then resend.',
  },
  mailbox_full: {
    words: 'The mailbox is full.',
    advice: 'Call the recipient, then resend.',
  },
  blocked: {
    words: 'The mail server takes our e-mails for spam or forbids them.',
    advice: 'Have SPF, DKIM and DMARC of our domain checked, then resend.',
  },
  bad_address: {
    words: 'The e-mail address is not valid.',
    advice: 'Correct the address of the clinic, then resend.',
  },
  credentials: {
    words: 'Our credentials were refused.',
    advice: 'Have the user, password or secret in the settings checked.',
  },
  unreachable: {
    words: 'The other side could not be reached.',
    advice: 'Nothing needs doing if it is back soon. Else have its address in the settings checked.',
  },
  busy: {
    words: 'The other side was busy and asked for patience.',
    advice: 'Nothing needs doing: it is tried again by itself.',
  },
  server_error: {
    words: 'The other side had an error of its own.',
    advice: 'Nothing needs doing if it recovers. Else tell whoever runs it.',
  },
  wrong_address: {
    words: 'Nothing takes leads at the address of the CRM.',
    advice: 'Have CRM_WEBHOOK_URL or HUBSPOT_BASE_URL in the settings checked, then retry.',
  },
  unknown_property: {
    words: 'HubSpot does not have a property that it is told.',
    advice: 'Have it created there, or taken out of HUBSPOT_PROPERTIES in the settings, then retry.',
  },
  refused: {
    words: 'The other side refused the content.',
    advice: 'Open a lead and read the answer under what happened.',
  },
  no_provider: {
    words: 'The lead had no provider to write to.',
    advice: 'Match the lead with a provider.',
  },
  our_side: {
    words: 'Something went wrong on our side.',
    advice: 'It is tried again by itself. If it stays, tell the developers.',
  },
}

/** What is known of a job that may have failed, as the ledger has it. */
export type JudgedJob = {
  name: JobName
  purpose: string
  state: JobState
  last_error: string | null
  result: Record<string, unknown> | null
}

/** What staff can do about one job that failed; null where nothing failed. */
export function adviceFor({ name, purpose, state, last_error: error, result }: JudgedJob): string | null {
  if (!error || state === 'cancelled' || state === 'done') return null
  if (state !== 'failed') return 'Nothing needs doing yet: it is tried again by itself.'
  if (name === 'match-lead') return 'Match the lead with a provider yourself.'

  const cause = recordedCause({ name, error, result })
  return name === 'send-email' ? mailAdvice(cause, purpose) : crmAdvice(cause)
}

/** The cause by what an attempt leaves in the ledger. */
export function recordedCause({
  name,
  error,
  result,
}: {
  name: JobName
  error: string
  result?: Record<string, unknown> | null
}): FailureCause {
  const status = typeof result?.status === 'number' ? result.status : null
  return failureCause({ name, status, detail: ENHANCED_STATUS.exec(error)?.[1] ?? null, error })
}

/** The enhanced status code of a mail server (RFC 3463, 2) in what it said. */
const ENHANCED_STATUS = /\b([45]\.\d{1,3}\.\d{1,3})\b/

const RESEND = 'press “Resend Email”'
const CLINIC_ADDRESS = `Correct the clinic’s e-mail address in WordPress, sync the providers, then ${RESEND}.`
const ADDRESSES: Record<string, string> = {
  visitor: 'The visitor has probably mistyped it. Call them instead.',
  applicant: 'The applicant has probably mistyped it. Call them instead.',
  team: `Have the team’s address in the settings corrected, then ${RESEND}.`,
}

function mailAdvice(cause: FailureCause, purpose: string): string {
  switch (cause) {
    case 'unknown_mailbox':
    case 'bad_address':
      return `The address does not work. ${ADDRESSES[purpose] ?? CLINIC_ADDRESS}`
    case 'mailbox_full':
      return `The mailbox is full. Call the recipient, then ${RESEND}.`
    case 'blocked':
      return `Our e-mails are taken for spam there. Have SPF, DKIM and DMARC of our domain checked, then ${RESEND}.`
    case 'no_provider':
      return 'Match the lead with a provider. The clinic is then written to.'
    case 'credentials':
      return REFUSED_CREDENTIALS
    case 'refused':
      return `The mail server does not accept this e-mail. Read its answer above, have it mended, then ${RESEND}.`
    default:
      return 'Press “Resend Email” once the mail server works again.'
  }
}

function crmAdvice(cause: FailureCause): string {
  switch (cause) {
    case 'credentials':
      return REFUSED_CREDENTIALS
    case 'wrong_address':
      return 'Nothing takes leads at the address of the CRM. Have CRM_WEBHOOK_URL or HUBSPOT_BASE_URL in the settings checked, then press “Retry CRM Sync”.'
    case 'unknown_property':
      return 'Have the property created in HubSpot, or taken out of HUBSPOT_PROPERTIES in the settings, then press “Retry CRM Sync”.'
    case 'refused':
      return 'The CRM does not accept this lead. Look there which fields it insists on, then press “Retry CRM Sync”.'
    default:
      return 'Press “Retry CRM Sync” once the CRM works again.'
  }
}

const REFUSED_CREDENTIALS = 'Our credentials were refused. Have them checked in the settings, then try again here.'
