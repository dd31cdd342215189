import { CAUSE_WORDS, failureCause } from '../../core/rules/failure-causes.ts'
import { DeliveryError } from '../delivery-error.ts'

/** What nodemailer throws: `code` says where it failed, `command` what was asked, `response` what was answered. */
export type MailFault = Error & { code?: string; command?: string; response?: string }

/** Refusals of what was to be sent: its sender, its recipient or its content. All others are of us, or of nobody. */
const ABOUT_THE_MAIL = ['EENVELOPE', 'EMESSAGE']
/**
 * 503 says that the session went wrong, 530 that it needs a login or encryption first, whatever was to be sent.
 * Source: RFC 5321, 4.2.3; RFC 4954, 6; RFC 3207, 4.
 */
const ABOUT_THE_SESSION = [503, 530]

/**
 * What a failed attempt means. A 5xx to this e-mail is final: the same e-mail would be refused again. A refusal of the
 * connection or of our credentials is not about this e-mail, and may be mended before the next attempt; Postfix, too,
 * keeps the mail then (`smtp_skip_5xx_greeting`, `smtp_sasl_auth_soft_bounce`). What is no reply of SMTP, as from a
 * proxy in between, refuses nothing.
 */
export function mailRefusal(fault: MailFault): DeliveryError {
  const { code, response } = fault
  const status = statusOf(response)
  if (response && status === undefined) return later('The mail server answered with something that is no SMTP', fault)
  if (code === 'EAUTH') return later('The mail server refused our credentials', fault)
  if (code === 'ETLS') return later('The mail server could not be reached over an encrypted connection', fault)
  if (status === undefined) {
    if (ABOUT_THE_MAIL.includes(String(code))) return never('The e-mail cannot be sent as it is', fault)
    return later(`The mail server could not be reached${code ? ` (${code})` : ''}`, fault)
  }

  const isRefused = status >= 500 && !ABOUT_THE_SESSION.includes(status)
  if (!isRefused) return later('The mail server could not take the e-mail yet', fault)
  if (!ABOUT_THE_MAIL.includes(String(code))) return later('The mail server refused our connection', fault)
  if (fault.command === 'MAIL FROM') return never('The mail server does not let us send from MAIL_FROM', fault)

  const cause = failureCause({ name: 'send-email', status, detail: enhancedStatus(response), error: '' })
  return never(`The mail server refused the e-mail. ${CAUSE_WORDS[cause].words}`, fault)
}

/** The status that a reply begins with: three digits. Source: RFC 5321, 4.2. Nodemailer's takes any number for one. */
function statusOf(response = ''): number | undefined {
  const [code] = /^[2-5]\d\d(?=[\s-]|$)/.exec(response) ?? []
  return code === undefined ? undefined : Number(code)
}

/** The enhanced status code in an answer, like 5.1.1 (RFC 3463). */
function enhancedStatus(response = ''): string | null {
  return /\b[45]\.\d{1,3}\.\d{1,3}\b/.exec(response)?.[0] ?? null
}

const later = (words: string, fault: MailFault) => refusal(words, 'later', fault)
const never = (words: string, fault: MailFault) => refusal(words, 'never', fault)

/** Our words are for the log as well; what the other side said may name the visitor. */
function refusal(words: string, retry: 'later' | 'never', fault: MailFault): DeliveryError {
  const { code, response, message } = fault
  const status = statusOf(response)
  const said = code === 'EABORT' ? 'it did not answer in time' : (response ?? message)
  return new DeliveryError(`${words.replace(/\.$/, '')}: ${said}`, {
    summary: status === undefined ? words : `${words} (${status})`,
    retry,
    status,
    cause: fault,
  })
}
