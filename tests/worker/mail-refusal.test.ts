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

describe('an e-mail that is refused with 5xx', () => {
  it.each([
    [
      '550 5.1.1 no such user',
      'EENVELOPE',
      'RCPT TO',
      'The mail server refused the e-mail. The mailbox does not exist',
    ],
    ['552 5.2.2 over quota', 'EENVELOPE', 'RCPT TO', 'The mail server refused the e-mail. The mailbox is full'],
    [
      '550 5.7.1 looks like spam',
      'EMESSAGE',
      'DATA',
      'The mail server refused the e-mail. The mail server takes our e-mails for spam or forbids them',
    ],
    [
      '554 5.6.0 bad content',
      'EMESSAGE',
      'DATA',
      'The mail server refused the e-mail. The other side refused the content',
    ],
    ['553 not your address', 'EENVELOPE', 'MAIL FROM', 'The mail server does not let us send from MAIL_FROM'],
    ['500 what', 'EMESSAGE', 'DATA', 'The mail server refused the e-mail. The other side refused the content'],
  ])('is never retried: %s (%s at %s)', (response, code, command, words) => {
    const fault = answered(response, { code, command })
    const status = Number(response.slice(0, 3))
    expect(mailRefusal(fault)).toMatchObject({
      retry: 'never',
      status,
      message: `${words}: ${response}`,
      summary: expect.stringMatching(new RegExp(`^${words}\\.? \\(${status}\\)$`)),
      cause: fault,
    })
  })

  it('has its cause by the enhanced status code, wherever it stands in the answer', () => {
    const words = (response: string) => mailRefusal(answered(response)).summary
    expect(words('550 5.2.2 full')).toContain('The mailbox is full')
    expect(words('550-first\n550 5.2.2 full')).toContain('The mailbox is full')
    expect(words('550 [192.0.2.1] 5.7.1 policy')).toContain('for spam')
    expect(words('550 5.7.123 policy')).toContain('for spam')
    expect(words('554 5.123.1 policy')).toContain('refused the content')
    // Digits of something else: an address, a version.
    expect(words('550 host 15.2.2 said no')).toContain('does not exist')
    expect(words('550 3.2.2 said no')).toContain('does not exist')
    expect(words('550 5.2.2222 said no')).toContain('does not exist')
    expect(words('550 5x2x2 said no')).toContain('does not exist')
  })
})

describe('an e-mail that is not refused for what it is', () => {
  it.each([
    ['421 4.3.2 closing', 'ECONNECTION', 'CONN'],
    ['450 4.7.1 greylisted', 'EENVELOPE', 'RCPT TO'],
    ['451 4.3.0 no disk', 'EMESSAGE', 'DATA'],
    ['499 later', 'EENVELOPE', 'MAIL FROM'],
    ['354 go on', 'EMESSAGE', 'DATA'],
    ['503 5.5.1 bad sequence', 'EENVELOPE', 'MAIL FROM'],
    ['530 5.7.0 authentication required', 'EENVELOPE', 'RCPT TO'],
  ])('is retried: %s (%s at %s)', (response, code, command) => {
    const status = Number(response.slice(0, 3))
    expect(mailRefusal(answered(response, { code, command }))).toMatchObject({
      retry: 'later',
      status,
      message: `The mail server could not take the e-mail yet: ${response}`,
      summary: `The mail server could not take the e-mail yet (${status})`,
    })
  })

  it.each([
    ['554 no mail from you', 'EPROTOCOL', 'CONN', 'The mail server refused our connection'],
    ['550 no mail from you', 'EPROTOCOL', 'EHLO', 'The mail server refused our connection'],
    ['535 5.7.8 wrong password', 'EAUTH', 'AUTH PLAIN', 'The mail server refused our credentials'],
    ['454 4.7.0 no database of users', 'EAUTH', 'AUTH PLAIN', 'The mail server refused our credentials'],
    ['454 4.7.0 no TLS', 'ETLS', 'STARTTLS', 'The mail server could not be reached over an encrypted connection'],
  ])('is retried, because it is about us: %s (%s at %s)', (response, code, command, words) => {
    expect(mailRefusal(answered(response, { code, command }))).toMatchObject({
      retry: 'later',
      message: `${words}: ${response}`,
      summary: `${words} (${response.slice(0, 3)})`,
    })
  })
})

describe('an answer that is no SMTP', () => {
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
        message: `The mail server answered with something that is no SMTP: ${response}`,
        summary: 'The mail server answered with something that is no SMTP',
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
  it.each(['EENVELOPE', 'EMESSAGE'])('is final when nodemailer itself refuses the e-mail (%s)', (code) => {
    expect(mailRefusal(unanswered('Invalid recipient', code))).toMatchObject({
      retry: 'never',
      status: undefined,
      message: 'The e-mail cannot be sent as it is: Invalid recipient',
      summary: 'The e-mail cannot be sent as it is',
    })
  })

  it.each([
    [unanswered('connect refused', 'ECONNREFUSED'), ' (ECONNREFUSED)', 'connect refused'],
    [unanswered('socket hang up'), '', 'socket hang up'],
    [unanswered('This operation was aborted', 'EABORT'), ' (EABORT)', 'it did not answer in time'],
  ])('is retried: the mail server could not be reached', (fault, code, why) => {
    expect(mailRefusal(fault)).toMatchObject({
      retry: 'later',
      status: undefined,
      message: `The mail server could not be reached${code}: ${why}`,
      summary: `The mail server could not be reached${code}`,
    })
  })

  it.each([
    ['EAUTH', 'The mail server refused our credentials'],
    ['ETLS', 'The mail server could not be reached over an encrypted connection'],
  ])('is retried when it is about us (%s)', (code, summary) => {
    expect(mailRefusal(unanswered('why', code))).toMatchObject({ retry: 'later', summary, message: `${summary}: why` })
  })
})
