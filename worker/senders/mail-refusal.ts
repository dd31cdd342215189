import type { FailureCause } from '../../core/deliveries/contract/jobs.ts'
import { CAUSE_WORDS } from '../../core/deliveries/contract/jobs.ts'
import { DeliveryError } from '../delivery-error.ts'

/** An error of nodemailer: `code` is the kind of failure, `command` the SMTP command, `response` the server's reply. */
export type MailFault = Error & { code?: string; command?: string; response?: string }

/** About the email itself: sender, recipient or content. All other codes are about the connection or credentials. */
const ABOUT_THE_MAIL = ['EENVELOPE', 'EMESSAGE']
/** 503: wrong sequence. 530: missing login or encryption. Source: RFC 5321, 4.2.3; RFC 4954, 6; RFC 3207, 4. */
const ABOUT_THE_SESSION = [503, 530]

/**
 * Maps nodemailer's error to a DeliveryError. A 5xx about this email is final: the same email would be refused again. A
 * reply about the sender's quota, rate or reputation is temporary, whatever its code. A refusal of the connection or of our credentials may be resolved before the next attempt; Postfix keeps the mail in
 * these cases as well (`smtp_skip_5xx_greeting`, `smtp_sasl_auth_soft_bounce`). A reply that is not SMTP, as from a
 * proxy in between, refuses nothing.
 */
export function mailRefusal({ code, command, response, message }: MailFault): DeliveryError {
  const status = statusOf(response)
  const error = (retry: 'later' | 'never', cause: FailureCause, summary: string) =>
    new DeliveryError(summary, { cause, retry, status, detail: response ?? (code === 'EABORT' ? undefined : message) })

  if (response && status === undefined) return error('later', 'server_error', 'The mail server did not speak SMTP.')
  const limited = refusesSender(response)
  if (limited === 'limit') return error('later', 'busy', 'The mail server could not accept the email yet.')
  if (limited === 'blocklist') return error('later', 'blocked', 'The mail server blocks the address that we send from.')
  if (code === 'EAUTH') return error('later', 'credentials', 'The mail server refused our credentials.')
  if (code === 'ETLS') {
    return error('later', 'unreachable', 'The mail server could not be reached over an encrypted connection.')
  }
  if (code === 'EABORT') return error('later', 'unreachable', 'The mail server did not answer in time.')
  if (status === undefined) {
    if (code === 'EENVELOPE') return error('never', 'bad_address', 'The email cannot be sent to this address.')
    if (code === 'EMESSAGE') return error('never', 'our_side', 'The email could not be built.')
    return error('later', 'unreachable', 'The mail server could not be reached.')
  }

  const isAboutSession = ABOUT_THE_SESSION.includes(status)
  if (status < 500 || isAboutSession) {
    const cause = status < 500 ? causeOf(status, response) : status === 530 ? 'credentials' : 'server_error'
    return error('later', cause, 'The mail server could not accept the email yet.')
  }
  if (!ABOUT_THE_MAIL.includes(String(code)))
    return error('later', 'blocked', 'The mail server refused our connection.')
  if (command === 'MAIL FROM') return error('never', 'blocked', 'The mail server does not let us send from MAIL_FROM.')

  const cause = causeOf(status, response)
  return error('never', cause, `The mail server refused the email. ${CAUSE_WORDS[cause]}`)
}

/** The codes of Exchange Online and Outlook.com for an unknown recipient. */
const UNKNOWN_TO_MICROSOFT = ['5.4.1', '5.5.0']

/** Source: RFC 5321, 4.2.3, and RFC 3463, 3.2 (addressing), 3.3 (mailbox), 3.8 (security and policy). */
function causeOf(status: number, response = ''): FailureCause {
  const [enhanced] = /\b[45]\.\d{1,3}\.\d{1,3}\b/.exec(response) ?? []
  const [, subject, reason] = enhanced?.split('.') ?? []
  const [isAboutAddress, isAboutMailbox] = [subject === '1', subject === '2']
  if ((isAboutMailbox && reason === '2') || (status === 552 && !subject)) return 'mailbox_full'
  if (status < 500) return 'busy'
  if (subject === '7' || (status === 554 && !subject)) return 'blocked'
  // About the sender's address, and so about our domain.
  if (isAboutAddress && (reason === '7' || reason === '8')) return 'blocked'
  if (isAboutAddress || (isAboutMailbox && reason === '1')) return 'unknown_mailbox'
  if (status === 550 && UNKNOWN_TO_MICROSOFT.includes(String(enhanced))) return 'unknown_mailbox'
  if ([550, 551, 553].includes(status) && !subject) return 'unknown_mailbox'
  return 'refused'
}

/** Returns the status at the start of a reply: three digits (RFC 5321, 4.2). Nodemailer accepts any number. */
function statusOf(response = ''): number | undefined {
  const [code] = /^[2-5]\d\d(?=[\s-]|$)/.exec(response) ?? []
  return code === undefined ? undefined : Number(code)
}

/*
 * Replies that refuse the sender for now, and not this recipient or this email. Providers answer a used-up quota with 4xx
 * and 5xx alike, and with codes that mean something else elsewhere, so the words decide. Sources: Google, "Gmail SMTP
 * errors and codes"; Microsoft, "Email non-delivery reports in Exchange Online"; AWS, "Errors related to the sending
 * quotas for your Amazon SES account"; the IANA registry of enhanced status codes; and replies in public bug reports.
 */

/** A line of a reply has 512 octets (RFC 5321, 4.5.3.1.5). What follows a few of them says nothing new and takes time. */
const MAX_REPLY = 2000

/** Congestion, a flood of mail (IANA), and Microsoft's and Google's limits of a sender. */
const LIMIT_CODES = /\b[45]\.(4\.5|7\.28|1\.90|2\.8|2\.121|2\.122|7\.232|7\.233|7\.508|7\.705|7\.708)\b/

/** The size of the email, or a loop: the same email would be refused again. */
const ABOUT_THE_EMAIL = /\bsize\b|too (large|big|long)|larger than|too many hops|\bhop count|\bloop/i

const LIMIT = '(limits?|limited|limiting|quotas?|thresholds?|allowance|allotment|credits?|caps?)'
const SENDING = '(senders?|sending|submissions?|outgoing|outbound|relay|dail?y|hourly|monthly|tenant)'
const PERIOD = '(per|an|every|each|this|\\d+)[ -]?(seconds?|minutes?|hours?|days?|months?)'

/** A limit of sending: wins over words about a mailbox, as in "daily user sending quota". */
const SENDING_LIMIT = new RegExp(
  [
    `\\b${SENDING}\\b[^.;]{0,60}\\b(${LIMIT}|rate|over ?limit|exceed\\w*)\\b`,
    `\\b${LIMIT}\\b[^.;]{0,60}\\b${SENDING}\\b`,
    `\\b(exceed\\w*|reached|over)\\b[^.;]{0,60}\\b${PERIOD}\\b`,
    `\\b${LIMIT}\\b[^.;]{0,60}\\b${PERIOD}\\b`,
    `\\b${PERIOD}\\b[^.;]{0,60}\\b${LIMIT}\\b`,
    `\\b(messag(e|es|ing)|e?mails?|recipients?) ${LIMIT}\\b(?! of (the )?(mailbox|recipient))`,
  ].join('|'),
  'i',
)

/** The recipient or the mailbox: final. */
const ABOUT_THE_RECIPIENT = new RegExp(
  [
    'no such|unknown (user|recipient|mailbox|address|account)|(user|recipient|mailbox|address|account) (is )?unknown',
    'does ?n.t exist|does not exist|not found|no mailbox|invalid (recipient|mailbox|address|user)|no longer',
    '(user|account|mailbox|recipient)[^.;]{0,40}(disabled|inactive|deactivated|suspended|closed|full|storage)',
    'marked as inactive|(mailbox|inbox|storage|disk|recipient|account|user)[^.;]{0,60}(quota|space|full)',
    'over ?quota|quota[^.;]{0,30}(mailbox|recipient|user)|storedrv\\.?deliver|exceeded storage|out of storage',
  ].join('|'),
  'i',
)

/** Rate, volume, reputation, and the request to try again later. */
const FOR_NOW = new RegExp(
  [
    'rate[ -]?limit|sending rate|message rate|throttl|too many|too much mail|too (quickly|fast)|slow down|unusual (rate|volume)',
    'suspicious rate|at a rate|unexpected volume|unusual sending|high volume|mail flood|flooding|congest|overload',
    'reputation|complaint|bounce rat',
    '(try|resend|retry|send)[^.;]{0,40}(later|after some ?time|in (a few|\\d+) |after \\d)|later time',
    'temporar(y|ily) (be(en)? )?(deferr|block|reject|rate|limit|restrict|refus|throttl|suspend|unable|local|system|server|error|fail|problem)',
    '\\bdeferr|gr[ea]y-?list|server (is )?(too )?busy|system (is )?busy|quota will reset|resets? (in|at)',
    '(exceeded|reached|over|hit)\\b[^.;]{0,40}\\b(limits?|quotas?|thresholds?|credits?|maximum|max)\\b',
    '(limits?|quotas?|thresholds?|credits?)\\b[^.;]{0,40}\\b(exceeded|reached|hit|used up)',
    '(sending|sender|outgoing|outbound)[^.;]{0,60}(paused|suspended|blocked|disabled)',
  ].join('|'),
  'i',
)

/** The address that we send from stands on a list. It is taken off, or the list is corrected, without a change here. */
const BLOCKLISTED =
  /block ?-?list|black ?-?list|spamhaus|barracuda|spamcop|sorbs|uceprotect|\b(dns|r)bls?\b|banned send|blocked using/i

/**
 * Returns whether a reply is about the sender: `limit` for its quota, rate or reputation and for "try again later",
 * `blocklist` for its address. Returns null for all other replies, also for those about the recipient.
 */
function refusesSender(reply = ''): 'limit' | 'blocklist' | null {
  const response = reply.slice(0, MAX_REPLY)
  const words = wordsOf(response)
  if (LIMIT_CODES.test(response)) return 'limit'
  if (ABOUT_THE_EMAIL.test(words)) return null
  if (SENDING_LIMIT.test(words)) return 'limit'
  if (ABOUT_THE_RECIPIENT.test(words) || isMailboxFull(response)) return null
  if (FOR_NOW.test(words)) return 'limit'
  return BLOCKLISTED.test(words) ? 'blocklist' : null
}

/** A mailbox that is full (RFC 3463, 3.3), or 552 without a code of its own (RFC 5321, 4.2.3). */
function isMailboxFull(response: string): boolean {
  return /\b[45]\.2\.2\b/.test(response) || (/^552/.test(response) && !/\b5\.\d{1,3}\.\d{1,3}\b/.test(response))
}

/** Leaves out codes, addresses and links, which could contain any word, and takes "QuotaExceeded" apart. */
function wordsOf(response: string): string {
  return response
    .replace(/<[^>]*>|\bhttps?:\S+|\S+@\S+/g, ' ')
    .replace(/(^|\r?\n)\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})?/g, ' ')
    .replace(/(recipient|sender) address rejected:?/gi, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/\s+/g, ' ')
}
