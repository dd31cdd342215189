import { CAUSE_WORDS } from '../../core/deliveries/contract/failure-causes.ts'
import type { FailureCause } from '../../core/deliveries/contract/jobs.ts'
import { DeliveryError } from '../delivery-error.ts'
import { refusesSender } from './sender-limits.ts'

/** An error of nodemailer: `code` is the kind of failure, `command` the SMTP command, `response` the server's reply. */
export type MailFault = Error & { code?: string; command?: string; response?: string }

/**
 * Codes about the e-mail itself: its sender, recipient or content. All other codes are about the connection or our
 * credentials.
 */
const ABOUT_THE_MAIL = ['EENVELOPE', 'EMESSAGE']
/**
 * 503 means a wrong sequence of commands and 530 a missing login or encryption, whatever the e-mail. Source: RFC 5321,
 * 4.2.3; RFC 4954, 6; RFC 3207, 4.
 */
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
  const limited = status === undefined || status < 400 ? null : refusesSender(response)
  if (limited === 'limit') return error('later', 'busy', 'The mail server could not accept the e-mail yet.')
  if (limited === 'blocklist') return error('later', 'blocked', 'The mail server blocks the address that we send from.')
  if (code === 'EAUTH') return error('later', 'credentials', 'The mail server refused our credentials.')
  if (code === 'ETLS') {
    return error('later', 'unreachable', 'The mail server could not be reached over an encrypted connection.')
  }
  if (code === 'EABORT') return error('later', 'unreachable', 'The mail server did not answer in time.')
  if (status === undefined) {
    if (code === 'EENVELOPE') return error('never', 'bad_address', 'The e-mail cannot be sent to this address.')
    if (code === 'EMESSAGE') return error('never', 'our_side', 'The e-mail could not be built.')
    return error('later', 'unreachable', 'The mail server could not be reached.')
  }

  const isAboutSession = ABOUT_THE_SESSION.includes(status)
  if (status < 500 || isAboutSession) {
    const cause = status < 500 ? causeOf(status, response) : status === 530 ? 'credentials' : 'server_error'
    return error('later', cause, 'The mail server could not accept the e-mail yet.')
  }
  if (!ABOUT_THE_MAIL.includes(String(code)))
    return error('later', 'blocked', 'The mail server refused our connection.')
  if (command === 'MAIL FROM') return error('never', 'blocked', 'The mail server does not let us send from MAIL_FROM.')

  const cause = causeOf(status, response)
  return error('never', cause, `The mail server refused the e-mail. ${CAUSE_WORDS[cause]}`)
}

/** The codes of Exchange Online and Outlook.com for an unknown recipient. */
const UNKNOWN_TO_MICROSOFT = ['5.4.1', '5.5.0']

/**
 * Maps an SMTP reply to the cause of the failure. Source: RFC 5321, 4.2.3, and RFC 3463, 3.2 (addressing), 3.3
 * (mailbox), 3.8 (security and policy).
 */
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
