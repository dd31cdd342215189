import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SettingsError } from '../../core/settings/read-settings.ts'
import { whole } from '../../worker/emails/render.tsx'
import { createMailer } from '../../worker/senders/mailer.ts'
import { temporaryFolder } from '../local/temporary-folder.ts'
import { testEnv } from '../support/env.ts'
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.ts'

const KEY = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const MAIL = {
  messageId: '<one@leadwell.example>',
  to: 'clinic@clinics.example',
  replyTo: { name: 'Zoë Avery', address: 'zoe@visitors.example' },
  optOut: {
    url: 'https://www.leadwell.example/do-not-contact?t=token',
    mailto: 'mailto:care@leadwell.example?subject=STOP',
  },
  subject: 'For Zoë',
  text: whole('Zoë asked.\n.\nA line with a dot above, and trailing spaces   \n\n'),
  html: whole('<p>Zoë asked.</p>'),
}

let smtp: TestSmtpServer
beforeEach(async () => {
  smtp = await startSmtpServer()
})
afterEach(() => smtp.close())

/** Sends the mail with these settings; returns it as it has arrived, byte for byte. */
async function arrive(settings: Record<string, string>): Promise<Buffer> {
  const mailer = createMailer(testEnv({ SMTP_URL: smtp.url, ...settings }))
  await mailer.send(MAIL).finally(() => mailer.close())
  return smtp.mails[0]?.raw as Buffer
}

/** What a receiving server makes of it, whose DNS has our key at that name alone. */
async function verify(raw: Buffer, name: string) {
  const record = createPublicKey(KEY.publicKey).export({ type: 'spki', format: 'der' }).toString('base64')
  const { results } = await dkimVerify(raw, {
    resolver: async (asked: string) => {
      if (asked !== name) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
      return [[`v=DKIM1; k=rsa; p=${record}`]]
    },
  })
  return results
}

describe('a signed e-mail', () => {
  it('is verified with the public key, for the domain of the sender', async () => {
    const raw = await arrive({ DKIM_SELECTOR: 'lw1', DKIM_PRIVATE_KEY: KEY.privateKey })
    expect(await verify(raw, 'lw1._domainkey.leadwell.example')).toMatchObject([
      { signingDomain: 'leadwell.example', selector: 'lw1', status: { result: 'pass', aligned: 'leadwell.example' } },
    ])
  })

  it('is signed for another domain where the settings say so, with a key of one line or from a file', async () => {
    const file = join(await temporaryFolder(), 'dkim.pem')
    await writeFile(file, KEY.privateKey)
    const domain = { DKIM_SELECTOR: 'a.b', DKIM_DOMAIN: 'mail.leadwell.example' }
    const keys: Record<string, string>[] = [
      { DKIM_PRIVATE_KEY: KEY.privateKey.trim().replaceAll('\n', '\\n') },
      { DKIM_PRIVATE_KEY_FILE: file },
    ]
    for (const key of keys) {
      smtp.mails.length = 0
      expect(await verify(await arrive({ ...domain, ...key }), 'a.b._domainkey.mail.leadwell.example')).toMatchObject([
        { signingDomain: 'mail.leadwell.example', status: { result: 'pass' } },
      ])
    }
  })

  it.each([
    ['an answer to somebody else', 'zoe@visitors.example', 'eve@visitors.example'],
    ['another subject', 'Subject:', 'Subject: Not'],
    ['other words', 'dot above', 'dot below'],
    ['another sender', 'care@leadwell.example>', 'boss@leadwell.example>'],
    ['another link to stop', 'do-not-contact?t=token', 'do-not-contact?t=other'],
    ['another click to stop', 'List-Unsubscribe=One-Click', 'List-Unsubscribe=Two-Click'],
  ])('is no longer valid with %s', async (_, ours, theirs) => {
    const raw = (await arrive({ DKIM_SELECTOR: 'lw1', DKIM_PRIVATE_KEY: KEY.privateKey })).toString('latin1')
    expect(raw).toContain(ours)
    const [result] = await verify(Buffer.from(raw.replace(ours, theirs), 'latin1'), 'lw1._domainkey.leadwell.example')
    expect(result?.status.result).not.toBe('pass')
  })
})

it('has no signature where the settings ask for none', async () => {
  expect((await arrive({})).toString()).not.toMatch(/^DKIM-Signature/im)
})

describe('a key that cannot sign', () => {
  const ed25519 = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  it.each([
    ['is no key', { DKIM_PRIVATE_KEY: 'secret-canary' }, 'DKIM_PRIVATE_KEY must hold an RSA private key'],
    ['is of another kind', { DKIM_PRIVATE_KEY: ed25519 }, 'DKIM_PRIVATE_KEY must hold an RSA private key'],
    [
      'is not there',
      { DKIM_PRIVATE_KEY_FILE: '/nowhere.pem' },
      'DKIM_PRIVATE_KEY_FILE names a file that cannot be read',
    ],
  ])('stops the start, because mail would go out without a signature: it %s', (_, key, words) => {
    const start = () => createMailer(testEnv({ DKIM_SELECTOR: 'lw1', ...key } as Record<string, string>))
    expect(start).toThrow(SettingsError)
    expect(start).toThrow(words)
    expect(start).not.toThrow(/canary/)
  })

  it.each([
    [{ DKIM_SELECTOR: 'lw1' }, 'DKIM_PRIVATE_KEY is required'],
    [{ DKIM_PRIVATE_KEY: KEY.privateKey }, 'DKIM_SELECTOR is required'],
    [
      { DKIM_SELECTOR: 'lw1', DKIM_PRIVATE_KEY: 'a', DKIM_PRIVATE_KEY_FILE: 'package.json' },
      'DKIM_PRIVATE_KEY must not be set',
    ],
    [{ DKIM_SELECTOR: 'l w', DKIM_PRIVATE_KEY: 'a' }, 'DKIM_SELECTOR must be a name'],
    [{ DKIM_SELECTOR: 'lw1', DKIM_PRIVATE_KEY: 'a', DKIM_DOMAIN: 'no domain' }, 'DKIM_DOMAIN must be a domain'],
  ])('is told from the settings alone where it can be: %o', (settings, words) => {
    expect(() => testEnv(settings as Record<string, string>)).toThrow(words)
  })
})
