import { domainToASCII } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { HandedBack } from '../../worker/delivery-error.ts'
import { createMailer, type Mail, type Mailer } from '../../worker/senders/mailer.ts'
import { failure } from '../support/crm-events.ts'
import { testEnv } from '../support/env.ts'
import { MAIL, startSmtpServer, type TestSmtpServer } from '../support/smtp-server.ts'

let smtp: TestSmtpServer
let mailer: Mailer
beforeEach(async () => {
  smtp = await startSmtpServer()
  mailer = createMailer(testEnv({ SMTP_URL: smtp.url }))
})
afterEach(async () => {
  mailer.close()
  await smtp.close()
})

const mail = (overrides: Partial<Mail> = {}): Mail => ({ ...MAIL, ...overrides })

function mailerTo(url: string, settings: Record<string, string> = {}): Mailer {
  const other = createMailer(testEnv({ SMTP_URL: url, ...settings }))
  onTestFinished(() => other.close())
  return other
}

it('the pool of connections sends one mail after the other over the same connection', async () => {
  for (let number = 0; number < 5; number++) await mailer.send(mail({ messageId: `<${number}@leadwell.example>` }))
  expect(smtp.mails).toHaveLength(5)
  expect(smtp.connections()).toBe(1)
})

describe('more emails than connections', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, number) => mailer.send(mail({ messageId: `<${number}@leadwell.example>` })))

  it('are sent over ten connections', async () => {
    await Promise.all(many(40))
    expect(smtp.mails).toHaveLength(40)
    expect(smtp.connections()).toBe(10)
  })

  it('are handed back when the mailer stops, except those that are being sent', async () => {
    const sending = many(15)
    await new Promise((resolve) => setImmediate(resolve))
    mailer.stop()
    const settled = await Promise.allSettled(sending)
    const handedBack = settled.flatMap((each) => (each.status === 'rejected' ? each.reason : []))
    expect(handedBack).toHaveLength(5)
    for (const error of handedBack) expect(error).toBeInstanceOf(HandedBack)
    expect(smtp.mails).toHaveLength(10)
  })
})

it('text and HTML arrive as they are, in lines that every mail server takes', async () => {
  const nasty = [
    '.first',
    '..dots',
    'a=b',
    'ünï ✓ 👩‍⚕️',
    ' trailing ',
    'tab\t',
    '',
    'x'.repeat(200),
    '='.repeat(90),
    '--=_part',
  ]
  const text = `${nasty.join('\n')}\n.\nlast\n`
  await mailer.send(mail({ text, html: text }))
  const [received] = smtp.mails
  expect([received?.text, received?.html]).toEqual([text, text])
  const lines = String(received?.raw).split('\r\n')
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(79)
})

it.each([
  ['Leadwell <care@leadwell.example>', 'Leadwell'],
  ['Leadwell, Inc. <care@leadwell.example>', 'Leadwell, Inc.'],
  ['"Leadwell, Inc." <care@leadwell.example>', 'Leadwell, Inc.'],
  ['care@leadwell.example', ''],
])('the sender is one address, whatever is in its name: %s', async (MAIL_FROM, name) => {
  await mailerTo(smtp.url, { MAIL_FROM }).send(MAIL)
  expect(smtp.mails[0]?.from?.value).toEqual([{ name, address: 'care@leadwell.example' }])
})

describe('an email that is accepted', () => {
  it('arrives once, as text and HTML, under its own id, from us', async () => {
    const { response } = await mailer.send(
      mail({ replyTo: { name: 'Jordan Avery', address: 'jordan@visitors.example' } }),
    )

    expect(response).toMatch(/^250/)
    expect(smtp.mails).toHaveLength(1)
    expect(smtp.mails[0]).toMatchObject({
      recipients: ['clinic@clinics.example'],
      messageId: '<one@leadwell.example>',
      subject: 'A subject',
      from: { value: [{ name: 'Leadwell', address: 'care@leadwell.example' }] },
      replyTo: { value: [{ name: 'Jordan Avery', address: 'jordan@visitors.example' }] },
    })
    expect(smtp.mails[0]?.text?.trim()).toBe('Plain words')
    expect(smtp.mails[0]?.html).toContain('<p>Plain words</p>')
  })

  it('says that a program has sent it, and how the recipient hears no more', async () => {
    const url = 'https://www.leadwell.example/do-not-contact?t=person.1.token'
    const mailto = 'mailto:care@leadwell.example?subject=STOP%20(request%20no.%201)'
    await mailer.send(mail({ optOut: { url, mailto } }))
    await mailer.send(MAIL)
    const [first, second] = smtp.mails.map(({ raw }) => raw.toString().replace(/\r\n /g, ' '))
    expect(first).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    expect(first).toMatch(/^X-Auto-Response-Suppress: OOF, AutoReply\r$/m)
    expect(first).toContain(`\nList-Unsubscribe: <${url}>, <${mailto}>\r\n`)
    expect(first).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
    expect(second).not.toMatch(/^List-/m)
  })
})

it.each([
  'a@b.example, evil@evil.example',
  'a@b.example;evil@evil.example',
  'a@b.example evil@evil.example',
  'Group: a@b.example, evil@evil.example;',
  'a@b.example\r\nBcc: evil@evil.example',
  'a@b.example>\r\nRCPT TO:<evil@evil.example',
  '<a@b.example>',
  'Name <a@b.example>',
  '',
  'nobody',
])('the recipient is exactly one address, so %j gets nothing', async (to) => {
  expect(await failure(mailer.send(mail({ to })))).toMatchObject({ retry: 'never' })
  expect(smtp.mails).toEqual([])
})

const inAscii = (address: string) => address.replace(/[^@]+$/, domainToASCII)

it.each(['smith&jones@example.com', "pat'@example.com", '=?utf-8?q?pat?=@example.com', 'maria@xn--e1afmkfd.xn--p1ai'])(
  'an address of unusual characters is the very recipient: %s',
  async (to) => {
    await mailer.send(mail({ to }))
    // The test server shows domains in Unicode.
    expect(smtp.mails.map(({ recipients }) => recipients.map(inAscii))).toEqual([[to]])
    expect(smtp.mails[0]?.headerLines.find(({ key }) => key === 'to')?.line).toContain(to)
  },
)

it.each([
  ['a line break', 'Jordan\r\nBcc: evil@evil.example'],
  ['a quote', 'Jordan" <evil@evil.example>, "x'],
  ['a comma', 'Avery, evil@evil.example'],
  ['an address', 'evil@evil.example'],
  ['an umlaut', 'Zoë'],
])('what a visitor typed never adds a recipient or a header: a name with %s', async (_, name) => {
  await mailer.send(mail({ replyTo: { name, address: 'jordan@visitors.example' }, subject: `For ${name}` }))

  const [received] = smtp.mails
  expect(received?.recipients).toEqual(['clinic@clinics.example'])
  expect(received?.bcc).toBeUndefined()
  expect(received?.cc).toBeUndefined()
  expect(received?.replyTo?.value.map(({ address }) => address)).toEqual(['jordan@visitors.example'])
})
