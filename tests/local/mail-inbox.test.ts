import { createTransport } from 'nodemailer'
import { expect, test } from 'vitest'
import { startMailInbox } from '../../local/mail-inbox.ts'
import { temporaryFolder } from './temporary-folder.ts'

const MAIL = {
  from: '"Leadwell" <care@leadwell.example>',
  to: 'clinic@austin.example',
  subject: 'A new lead <script>alert(1)</script>',
  messageId: '<lead-1@leadwell.example>',
  text: 'Maria would like a call.',
  html: '<p>Maria would like a <b>call</b>.</p>',
}

test('the mail inbox shows a mail without letting it run or load anything', async () => {
  const inbox = await startMailInbox({ dataDir: await temporaryFolder() })
  const transport = createTransport(inbox.smtpUrl)
  await transport.sendMail(MAIL)
  transport.close()
  const page = await (await fetch(`${inbox.url}/messages/1`)).text()
  expect(page).not.toContain('<script>alert')
  expect(page).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"')

  const content = await fetch(`${inbox.url}/messages/1/html`)
  expect(await content.text()).toContain(MAIL.html)
  expect(content.headers.get('content-security-policy')).toMatch(/^sandbox .*default-src 'none'/)
  await inbox.stop()
})
