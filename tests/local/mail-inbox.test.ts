import { createTransport, type SendMailOptions } from 'nodemailer'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Mail } from '../../local/mail-inbox.ts'
import { type MailInbox, startMailInbox } from '../../local/mail-inbox.ts'
import { temporaryFolder } from './temporary-folder.ts'

const MAIL = {
  from: '"Leadwell" <care@leadwell.example>',
  to: 'clinic@austin.example',
  subject: 'A new lead <script>alert(1)</script>',
  messageId: '<lead-1@leadwell.example>',
  text: 'Maria would like a call.',
  html: '<p>Maria would like a <b>call</b>.</p>',
}

describe('the mail inbox', () => {
  let dataDir: string
  beforeAll(async () => {
    dataDir = await temporaryFolder()
  })

  test('lists a mail as it was sent, newest first', async () => {
    const inbox = await startMailInbox({ dataDir })
    await send(inbox, MAIL)
    await send(inbox, { ...MAIL, to: 'second@austin.example', subject: 'Second' })

    const mails = await listed(inbox)
    expect(mails.map(({ subject }) => subject)).toEqual(['Second', MAIL.subject])
    expect(mails[1]).toMatchObject({
      from: 'Leadwell <care@leadwell.example>',
      to: [MAIL.to],
      messageId: MAIL.messageId,
      text: expect.stringContaining(MAIL.text),
      html: expect.stringContaining(MAIL.html),
    })
    await inbox.stop()
  })

  test('shows a mail without letting it run or load anything', async () => {
    const inbox = await startMailInbox({ dataDir })
    const page = await (await fetch(`${inbox.url}/messages/1`)).text()
    expect(page).not.toContain('<script>alert')
    expect(page).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"')

    const content = await fetch(`${inbox.url}/messages/1/html`)
    expect(await content.text()).toContain(MAIL.html)
    expect(content.headers.get('content-security-policy')).toMatch(/^sandbox .*default-src 'none'/)
    await inbox.stop()
  })
})

async function send(inbox: MailInbox, mail: SendMailOptions): Promise<void> {
  const transport = createTransport(inbox.smtpUrl)
  await transport.sendMail(mail)
  transport.close()
}

async function listed(inbox: MailInbox): Promise<Mail[]> {
  return (await fetch(`${inbox.url}/api/messages`)).json() as Promise<Mail[]>
}
