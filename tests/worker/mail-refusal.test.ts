import { describe, expect, it } from 'vitest'
import { type MailFault, mailRefusal } from '../../worker/senders/mail-refusal.ts'

/** What nodemailer throws when a mail server gives this answer to a command. */
function answered(response: string, { code = 'EENVELOPE', command = 'RCPT TO' } = {}): MailFault {
  return Object.assign(new Error(`Can't send mail: ${response}`), { code, command, response })
}
/** What nodemailer throws without an answer. */
function unanswered(message: string, code?: string): MailFault {
  return Object.assign(new Error(message), { code })
}

const BLOCKED = 'The mail server treats our e-mails as spam or does not accept them.'
const CONTENT = 'The other side refused the content.'

describe('an e-mail that is refused with 5xx', () => {
  it.each([
    ['550 5.1.1 no such user', 'EENVELOPE', 'RCPT TO', 'unknown_mailbox', 'The mailbox does not exist.'],
    ['552 5.2.2 over quota', 'EENVELOPE', 'RCPT TO', 'mailbox_full', 'The mailbox is full.'],
    ['550 5.7.1 looks like spam', 'EMESSAGE', 'DATA', 'blocked', BLOCKED],
    ['554 5.6.0 bad content', 'EMESSAGE', 'DATA', 'refused', CONTENT],
    ['500 what', 'EMESSAGE', 'DATA', 'refused', CONTENT],
  ] as const)('is never retried: %s (%s at %s)', (response, code, command, cause, words) => {
    expect(mailRefusal(answered(response, { code, command }))).toMatchObject({
      retry: 'never',
      status: Number(response.slice(0, 3)),
      cause,
      summary: `The mail server refused the e-mail. ${words}`,
      detail: response,
    })
  })

  it('is never retried from an address that may not send', () => {
    expect(mailRefusal(answered('553 not your address', { command: 'MAIL FROM' }))).toMatchObject({
      retry: 'never',
      status: 553,
      cause: 'blocked',
      summary: 'The mail server does not let us send from MAIL_FROM.',
    })
  })

  it.each([
    ['550 5.1.1', 'unknown_mailbox'],
    ['550 5.1.10', 'unknown_mailbox'],
    ['550 5.2.1', 'unknown_mailbox'],
    ['550 no', 'unknown_mailbox'],
    ['551 no', 'unknown_mailbox'],
    ['553 no', 'unknown_mailbox'],
    ['550 5.4.1', 'unknown_mailbox'],
    ['550 5.5.0', 'unknown_mailbox'],
    ['552 no', 'mailbox_full'],
    ['552 5.2.2', 'mailbox_full'],
    ['552 5.7.0', 'blocked'],
    ['550 5.1.7', 'blocked'],
    ['550 5.1.8', 'blocked'],
    ['550 5.7.1', 'blocked'],
    ['554 5.7.26', 'blocked'],
    ['554 no', 'blocked'],
    ['552 5.3.4', 'refused'],
    ['552 5.2.3', 'refused'],
    ['554 5.4.1', 'refused'],
    ['554 5.16.1', 'refused'],
    ['550 5.2.3', 'refused'],
    ['501 no', 'refused'],
    ['452 4.2.2', 'mailbox_full'],
    ['451 4.7.1', 'busy'],
    ['421 no', 'busy'],
  ] as const)('has its cause by the status and the enhanced one: %s is %s', (response, cause) => {
    expect(mailRefusal(answered(response)).cause).toBe(cause)
  })

  it('does not have its cause by the words of the mail server', () => {
    for (const words of [
      'refused our credentials',
      'could not be reached',
      'does not let us send',
      'has no provider',
    ]) {
      expect(mailRefusal(answered(`550 5.1.1 <a@b.example> ${words}`)).cause).toBe('unknown_mailbox')
    }
  })

  it('has its cause by the enhanced status code, wherever it stands in the answer', () => {
    const cause = (response: string) => mailRefusal(answered(response)).cause
    expect(cause('550-first\n550 5.2.2 full')).toBe('mailbox_full')
    expect(cause('550 [192.0.2.1] 5.7.1 policy')).toBe('blocked')
    expect(cause('550 5.7.123 policy')).toBe('blocked')
    expect(cause('554 5.123.1 policy')).toBe('refused')
    // Digits of something else: an address, a version.
    for (const response of [
      '550 host 15.2.2 said no',
      '550 3.2.2 said no',
      '550 5.2.2222 said no',
      '550 5x2x2 said no',
    ]) {
      expect(cause(response)).toBe('unknown_mailbox')
    }
  })
})

describe('an e-mail that is not refused for what it is', () => {
  it.each([
    ['421 4.3.2 closing', 'ECONNECTION', 'CONN', 'busy'],
    ['450 4.7.1 greylisted', 'EENVELOPE', 'RCPT TO', 'busy'],
    ['451 4.3.0 no disk', 'EMESSAGE', 'DATA', 'busy'],
    ['499 later', 'EENVELOPE', 'MAIL FROM', 'busy'],
    ['354 go on', 'EMESSAGE', 'DATA', 'busy'],
    ['503 5.5.1 bad sequence', 'EENVELOPE', 'MAIL FROM', 'server_error'],
    ['530 5.7.0 authentication required', 'EENVELOPE', 'RCPT TO', 'credentials'],
  ])('is retried: %s (%s at %s)', (response, code, command, cause) => {
    expect(mailRefusal(answered(response, { code, command }))).toMatchObject({
      retry: 'later',
      status: Number(response.slice(0, 3)),
      cause,
      summary: 'The mail server could not accept the e-mail yet.',
      detail: response,
    })
  })

  it.each([
    ['554 no mail from you', 'EPROTOCOL', 'CONN', 'blocked', 'The mail server refused our connection.'],
    ['550 no mail from you', 'EPROTOCOL', 'EHLO', 'blocked', 'The mail server refused our connection.'],
    ['535 5.7.8 wrong password', 'EAUTH', 'AUTH PLAIN', 'credentials', 'The mail server refused our credentials.'],
    [
      '454 4.7.0 no database of users',
      'EAUTH',
      'AUTH PLAIN',
      'credentials',
      'The mail server refused our credentials.',
    ],
    [
      '454 4.7.0 no TLS',
      'ETLS',
      'STARTTLS',
      'unreachable',
      'The mail server could not be reached over an encrypted connection.',
    ],
  ])('is retried, because it is about us: %s (%s at %s)', (response, code, command, cause, summary) => {
    const status = Number(response.slice(0, 3))
    expect(mailRefusal(answered(response, { code, command }))).toMatchObject({ retry: 'later', status, cause, summary })
  })
})

describe('an answer that is not SMTP', () => {
  it.each([
    'garbage from a proxy',
    'HTTP/1.1 502 Bad Gateway',
    'said 550 no',
    '5000 of anything',
    '550! no',
    '55',
    '150 no',
    '650 no',
    '5x0 no',
    '55x no',
  ])('refuses nothing: %s', (response) => {
    for (const code of ['EENVELOPE', 'EAUTH', 'ETLS']) {
      expect(mailRefusal(answered(response, { code }))).toMatchObject({
        retry: 'later',
        status: undefined,
        cause: 'server_error',
        summary: 'The mail server did not speak SMTP.',
        detail: response,
      })
    }
  })

  it.each(['550', '550-first line', '250 fine', '354 go on'])(
    'is told apart from a short or early one: %s',
    (response) => {
      expect(mailRefusal(answered(response)).status).toBe(Number(response.slice(0, 3)))
    },
  )
})

describe('an attempt without an answer', () => {
  it.each([
    ['EAUTH', 'credentials', 'The mail server refused our credentials.'],
    ['ETLS', 'unreachable', 'The mail server could not be reached over an encrypted connection.'],
  ])('is retried when it is about us (%s)', (code, cause, summary) => {
    expect(mailRefusal(unanswered('why', code))).toMatchObject({ retry: 'later', cause, summary, detail: 'why' })
  })

  it.each([
    ['EENVELOPE', 'bad_address', 'The e-mail cannot be sent to this address.'],
    ['EMESSAGE', 'our_side', 'The e-mail could not be built.'],
  ])('is final when nodemailer itself refuses the e-mail (%s)', (code, cause, summary) => {
    expect(mailRefusal(unanswered('Invalid recipient', code))).toMatchObject({
      retry: 'never',
      status: undefined,
      cause,
      summary,
      detail: 'Invalid recipient',
    })
  })

  it.each([
    [unanswered('connect refused', 'ECONNREFUSED'), 'could not be reached', 'connect refused'],
    [unanswered('socket hang up'), 'could not be reached', 'socket hang up'],
    [unanswered('This operation was aborted', 'EABORT'), 'did not answer in time', undefined],
  ])('is retried: %s', (fault, what, detail) => {
    expect(mailRefusal(fault)).toMatchObject({
      retry: 'later',
      status: undefined,
      cause: 'unreachable',
      summary: `The mail server ${what}.`,
      detail,
    })
  })
})
