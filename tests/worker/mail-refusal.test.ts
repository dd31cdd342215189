import { describe, expect, it } from 'vitest'
import { type MailFault, mailRefusal } from '../../worker/senders/mail-refusal.ts'

/** What nodemailer throws when a mail server gives this answer to a command. */
function fault(response: string, code = 'EENVELOPE', command = 'RCPT TO'): MailFault {
  return Object.assign(new Error(`Can't send mail: ${response}`), { code, command, response })
}
const statusOf = (response: string) => Number(response.slice(0, 3))

const BLOCKED = 'The mail server refused the email. The mail server treats our emails as spam or does not accept them.'
const CONTENT = 'The mail server refused the email. The receiver rejected the content.'
const NOT_YET = 'The mail server could not accept the email yet.'
const CONNECTION = 'The mail server refused our connection.'
const CREDENTIALS = 'The mail server refused our credentials.'
const ENCRYPTION = 'The mail server could not be reached over an encrypted connection.'

it.each([
  [
    '550 5.1.1 no such user',
    'EENVELOPE',
    'RCPT TO',
    'unknown_mailbox',
    'The mail server refused the email. The mailbox does not exist.',
  ],
  [
    '552 5.2.2 over quota',
    'EENVELOPE',
    'RCPT TO',
    'mailbox_full',
    'The mail server refused the email. The mailbox is full.',
  ],
  ['550 5.7.1 looks like spam', 'EMESSAGE', 'DATA', 'blocked', BLOCKED],
  ['554 5.6.0 bad content', 'EMESSAGE', 'DATA', 'refused', CONTENT],
  ['500 what', 'EMESSAGE', 'DATA', 'refused', CONTENT],
  ['553 not your address', 'EENVELOPE', 'MAIL FROM', 'blocked', 'The mail server does not let us send from MAIL_FROM.'],
  ['421 4.3.2 closing', 'ECONNECTION', 'CONN', 'busy', NOT_YET],
  ['450 4.7.1 greylisted', 'EENVELOPE', 'RCPT TO', 'busy', NOT_YET],
  ['451 4.3.0 no disk', 'EMESSAGE', 'DATA', 'busy', NOT_YET],
  ['499 later', 'EENVELOPE', 'MAIL FROM', 'busy', NOT_YET],
  ['354 go on', 'EMESSAGE', 'DATA', 'busy', NOT_YET],
  ['503 5.5.1 bad sequence', 'EENVELOPE', 'MAIL FROM', 'server_error', NOT_YET],
  ['530 5.7.0 authentication required', 'EENVELOPE', 'RCPT TO', 'credentials', NOT_YET],
  ['554 no mail from you', 'EPROTOCOL', 'CONN', 'blocked', CONNECTION],
  ['550 no mail from you', 'EPROTOCOL', 'EHLO', 'blocked', CONNECTION],
  ['535 5.7.8 wrong password', 'EAUTH', 'AUTH PLAIN', 'credentials', CREDENTIALS],
  ['454 4.7.0 no database of users', 'EAUTH', 'AUTH PLAIN', 'credentials', CREDENTIALS],
  ['454 4.7.0 no TLS', 'ETLS', 'STARTTLS', 'unreachable', ENCRYPTION],
])(
  'is final only with 5xx about the email itself, and says whose fault it is: %s (%s at %s)',
  (response, code, command, cause, message) => {
    const retry = [NOT_YET, CONNECTION, CREDENTIALS, ENCRYPTION].includes(message) ? 'later' : 'never'
    const about = { retry, status: statusOf(response), cause, message, detail: response }
    expect(mailRefusal(fault(response, code, command))).toMatchObject(about)
  },
)

it.each(
  Object.entries({
    unknown_mailbox: [
      ...['550 5.1.1', '550 5.1.10', '550 5.2.1', '550 no', '551 no', '553 no', '550 5.4.1', '550 5.5.0'],
      // Words of the mail server do not count, nor digits of something else: an address, a version.
      ...['refused our credentials', 'could not be reached', 'does not let us send', 'has no provider'].map(
        (words) => `550 5.1.1 <a@b.example> ${words}`,
      ),
      ...['550 host 15.2.2 said no', '550 3.2.2 said no', '550 5.2.2222 said no', '550 5x2x2 said no'],
    ],
    mailbox_full: ['552 no', '552 5.2.2', '452 4.2.2', '550-first\n550 5.2.2 full'],
    blocked: [
      '552 5.7.0',
      '550 5.1.7',
      '550 5.1.8',
      '550 5.7.1',
      '554 5.7.26',
      '554 no',
      '550 [192.0.2.1] 5.7.1 policy',
      '550 5.7.123 policy',
    ],
    refused: ['552 5.3.4', '552 5.2.3', '554 5.4.1', '554 5.16.1', '550 5.2.3', '501 no', '554 5.123.1 policy'],
    busy: ['451 4.7.1', '421 no'],
  }),
)('is %s by the status and the enhanced one, wherever it stands in the answer', (cause, responses) => {
  for (const response of responses) expect([response, mailRefusal(fault(response)).cause]).toEqual([response, cause])
})

describe('an answer that is not SMTP', () => {
  it.each([
    ...['garbage from a proxy', 'HTTP/1.1 502 Bad Gateway', 'said 550 no', '5000 of anything', '550! no', '55'],
    ...['150 no', '650 no', '5x0 no', '55x no'],
  ])('refuses nothing: %s', (response) => {
    const message = 'The mail server did not speak SMTP.'
    const about = { retry: 'later', status: undefined, cause: 'server_error', message, detail: response }
    for (const code of ['EENVELOPE', 'EAUTH', 'ETLS']) expect(mailRefusal(fault(response, code))).toMatchObject(about)
  })

  it.each(['550', '550-first line', '250 fine', '354 go on'])(
    'is distinguished from a short or early one: %s',
    (response) => {
      expect(mailRefusal(fault(response)).status).toBe(statusOf(response))
    },
  )
})

it.each([
  ['EAUTH', 'later', 'credentials', CREDENTIALS],
  ['ETLS', 'later', 'unreachable', ENCRYPTION],
  ['EENVELOPE', 'never', 'bad_address', 'The email cannot be sent to this address.'],
  ['EMESSAGE', 'never', 'our_side', 'The email could not be built.'],
  ['ECONNREFUSED', 'later', 'unreachable', 'The mail server could not be reached.'],
  [undefined, 'later', 'unreachable', 'The mail server could not be reached.'],
  ['EABORT', 'later', 'unreachable', 'The mail server did not answer in time.', undefined],
])(
  'without an answer is final only when nodemailer itself refuses the email: %s is tried %s',
  (code, retry, cause, message, ...detail) => {
    const about = { retry, status: undefined, cause, message, detail: detail.length > 0 ? undefined : 'why' }
    expect(mailRefusal(Object.assign(new Error('why'), { code }))).toMatchObject(about)
  },
)

/** The failure that a reply means, at any command of an email. */
const failures = (response: string) => [
  mailRefusal(fault(response, 'EENVELOPE', 'MAIL FROM')),
  mailRefusal(fault(response, 'EENVELOPE', 'RCPT TO')),
  mailRefusal(fault(response, 'EMESSAGE', 'DATA')),
]

describe('a reply about the quota, rate or reputation of the sender', () => {
  it.each([
    '550 5.4.5 Daily user sending limit exceeded',
    '550 5.4.5 Daily sending quota exceeded. n37sm954097wag',
    '550-5.4.5 Daily user sending limit exceeded. For more information on Gmail\n550-5.4.5 sending limits go to\n550 5.4.5  https://support.google.com/a/answer/166852 - gsmtp',
    '550 5.7.1 Daily SMTP relay limit exceeded for customer. For more information on SMTP relay sending limits please contact your administrator.',
    '550-5.7.1 [192.0.2.1] Our system has detected an unusual rate of unsolicited mail originating from your IP address.',
    '550 5.7.28 Mail flood detected',
    '550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered.',
    '550 5.2.1 The user you are trying to contact is receiving mail too quickly. Please resend your message at a later time.',
    '554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException; Failed to process message',
    "550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients",
    '550 5.7.705 Access denied, tenant has exceeded threshold',
    '550 5.7.233 tenant exceeded its daily limit for sending email to external recipients',
    '550 5.7.508 Access denied, [192.0.2.1] has exceeded permitted limits within IPv4 range',
    '550 5.2.121 The recipient’s per hour message receive limit from this sender was exceeded',
    '554 5.7.0 Your message could not be sent. The limit on the number of allowed outgoing messages was exceeded. Try again later.',
    '550 5.4.5 <full@clinic.example>: Recipient address rejected: Domain Sending Quota Exceeded',
    '554 5.7.1 <a@clinic.example>: Recipient address rejected: Quota exceeded',
    '554 5.7.1 <a@clinic.example>: Recipient address rejected: You have exceeded your Outmail quota.',
    '554 Throttling failure: Maximum sending rate exceeded',
    '554 Throttling failure: Daily message quota exceeded',
    '550 User sales@leadwell.example has exceeded its 24-hour sending limit. Messages to 500 recipients out of 500 allowed have been sent. Relay quota will reset in 2.5 hours.',
    '550 Domain leadwell.example has exceeded the max emails per hour (150/150 (100%)) allowed. Message discarded.',
    '550 Maximum credits exceeded',
    '551 You have exceeded your messaging limits',
    '550 5.4.6 Unusual sending activity detected. Please try after sometime',
    '550 Too many messages from this sender, slow down',
    '550 5.7.1 too many emails',
    '554-mx.clinic.example Your access to this mail system has been rejected due to the sending MTA’s poor reputation.',
    '550-5.7.1 [192.0.2.1 19] Our system has detected that this message is\n550-5.7.1 likely suspicious due to the very low reputation of the sending domain.\n550 5.7.1 https://support.google.com/mail/answer/188131',
    '554 5.7.1 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1',
    '554 4.7.0 temporarily deferred',
    '550 5.7.0 Message rejected. Sending suspended for this account.',
    '550 mailbox unavailable: rate limit exceeded',
    '550 5.1.1 rate limited, please retry later',
    '553 sorry, try again later',
    '550 5.3.0 Server busy, please try again in 5 minutes',
    '554 5.7.1 Service unavailable; greylisted, please retry in 300 seconds',
    '421 4.7.0 Too many concurrent connections',
    '450 4.2.0 Greylisted',
    '454 Throttling failure: Maximum sending rate exceeded',
  ])('is temporary, whatever its code: %s', (response) => {
    const about = { retry: 'later', cause: 'busy', status: statusOf(response) }
    for (const failure of failures(response)) expect(failure).toMatchObject(about)
  })

  it.each([
    ['554 5.7.1 Rejected due to poor reputation', 'EPROTOCOL', 'CONN'],
    ['535 5.7.0 Too many login attempts, please try again later', 'EAUTH', 'AUTH PLAIN'],
  ])('is temporary before any email as well: %s', (...answer) => {
    expect(mailRefusal(fault(...answer))).toMatchObject({ retry: 'later', cause: 'busy' })
  })

  it.each([
    '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org',
    "550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3140).",
    '550 5.7.511 Access denied, banned sender[192.0.2.1]',
  ])('is tried again, and shown as what it is, where our address stands on a list: %s', (response) => {
    const message = 'The mail server blocks the address that we send from.'
    for (const failure of failures(response))
      expect(failure).toMatchObject({ retry: 'later', cause: 'blocked', message })
  })
})

it.each([
  ['550 5.1.1 The email account does not exist', 'unknown_mailbox'],
  [
    "550-5.1.1 The email account that you tried to reach does not exist. Please try\n550-5.1.1 double-checking the recipient's email address for typos or unnecessary spaces.",
    'unknown_mailbox',
  ],
  ['550 5.1.1 <quota@clinic.example>: no such user', 'unknown_mailbox'],
  ['550 5.1.1 <rate-limit@clinic.example> unknown user, see https://clinic.example/try-again-later', 'unknown_mailbox'],
  ['550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup', 'unknown_mailbox'],
  ['550 5.2.1 The email account that you tried to reach is disabled', 'unknown_mailbox'],
  ['550 Requested action not taken: mailbox unavailable', 'unknown_mailbox'],
  ['550 User unknown; too many bad recipients', 'unknown_mailbox'],
  ['552 5.2.2 The email account that you tried to reach is over quota', 'mailbox_full'],
  ['552 5.2.2 The recipient’s inbox is out of storage space. Please try again later.', 'mailbox_full'],
  ['552 5.2.2 Quota exceeded (mailbox for user is full)', 'mailbox_full'],
  ['552 Mailbox quota exceeded', 'mailbox_full'],
  ['552 Quota exceeded', 'mailbox_full'],
  ['554 5.2.2 STOREDRV.Deliver.Exception:QuotaExceededException.MapiExceptionShutoffQuotaExceeded', 'mailbox_full'],
  ['552 5.3.4 Message size exceeds fixed maximum message size', 'refused'],
  ["552 5.2.3 Your message exceeded Google's message size limits", 'refused'],
  ['554 5.4.6 Too many hops', 'refused'],
  ['550 5.7.1 This message looks like spam', 'blocked'],
  ['550 5.7.26 This mail has been blocked because the sender is unauthenticated', 'blocked'],
  ['554 5.7.1 <a@clinic.example>: Relay access denied', 'blocked'],
  ['550 5.7.1 Message rejected because of its content', 'blocked'],
] as const)('a reply about the recipient or the email is final: %s', (response, cause) => {
  expect(mailRefusal(fault(response))).toMatchObject({ retry: 'never', cause })
})
