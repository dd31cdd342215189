import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { DeliveryError } from '../../worker/delivery-error.ts'
import { createMailer } from '../../worker/senders/mailer.ts'
import { selfSigned } from '../support/certificates.ts'
import { testEnv } from '../support/env.ts'
import { MAIL, type SmtpTls, startSmtpServer } from '../support/smtp-server.ts'

const PASSWORD = '100% s3cret: @/#'
let own: { key: string; cert: string }
beforeAll(async () => {
  own = await selfSigned()
})

/** A mail server, and how sending to it ends: with `query` in its address, and that authority. The worker shows it a password. */
async function sendTo(mode: SmtpTls['mode'] | 'none', query = '', ca?: string) {
  const smtp = await startSmtpServer(mode === 'none' ? {} : { tls: { ...own, mode } })
  const SMTP_URL = `${smtp.url.replace('//', `//worker:${encodeURIComponent(PASSWORD)}@`)}${query}`
  const mailer = createMailer(testEnv({ SMTP_URL }), ca)
  onTestFinished(async () => {
    mailer.close()
    await smtp.close()
  })
  const error = await mailer.send(MAIL).then(
    () => null,
    (reason: unknown) => reason,
  )
  return { smtp, error }
}

it.each([
  ['STARTTLS that is required', 'starttls', '?requireTLS=true'],
  ['STARTTLS that is only offered', 'starttls', ''],
  ['TLS from the start', 'implicit', '?requireTLS=true'],
] as const)(
  'a mail server whose certificate is trusted gets password and email encrypted, by %s',
  async (_, mode, query) => {
    const { smtp, error } = await sendTo(mode, query, own.cert)
    expect(error).toBeNull()
    expect(smtp.logins).toEqual([{ password: PASSWORD, isEncrypted: true }])
    expect(smtp.mails).toMatchObject([{ messageId: MAIL.messageId, isEncrypted: true }])
  },
)

it.each([
  ['offers no encryption though it is required', 'none', '?requireTLS=true', 'over an encrypted connection'],
  ['has an unknown certificate', 'starttls', '?requireTLS=true', 'self-signed certificate'],
  ['has one, and encryption is not required', 'starttls', '', 'self-signed certificate'],
  ['has one, with TLS from the start', 'implicit', '', 'self-signed certificate'],
] as const)(
  'a mail server that cannot be trusted gets neither password nor email, and is tried again later: it %s',
  async (_, mode, query, words) => {
    const { smtp, error } = await sendTo(mode, query)
    expect(error).toBeInstanceOf(DeliveryError)
    expect(error).toMatchObject({ retry: 'later', cause: 'unreachable' })
    expect(`${(error as DeliveryError).message} ${(error as DeliveryError).detail}`).toContain(words)
    expect(smtp.logins).toEqual([])
    expect(smtp.mails).toEqual([])
  },
)

it('goes without encryption where a server offers none and the settings ask for none', async () => {
  const { smtp, error } = await sendTo('none')
  expect(error).toBeNull()
  expect(smtp.mails).toMatchObject([{ isEncrypted: false }])
})
