import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import type { Env } from '../../core/env.ts'
import { SettingsError } from '../../core/settings/read-settings.ts'

/** Who an e-mail is from, and how it is signed; `ca` are the authorities that the mail server's certificate may be from. */
export type MailIdentity = {
  from: { name: string; address: string }
  ca?: string[]
  dkim?: { domainName: string; keySelector: string; privateKey: string; headerFieldNames: string }
}

/** What the signature covers of our e-mails: also what lets a recipient stop them with one click (RFC 8058, section 4). */
const SIGNED_HEADERS = [
  ...['From', 'Reply-To', 'To', 'Subject', 'Date', 'Message-ID', 'MIME-Version', 'Content-Type'],
  ...['Content-Transfer-Encoding', 'List-Unsubscribe', 'List-Unsubscribe-Post'],
].join(':')

export type MailIdentityEnv = Pick<
  Env,
  'MAIL_FROM' | 'SMTP_CA_FILE' | 'DKIM_DOMAIN' | 'DKIM_SELECTOR' | 'DKIM_PRIVATE_KEY'
>

/**
 * Reads what the settings only name: files, and a key.
 * @throws SettingsError
 */
export function readMailIdentity(env: MailIdentityEnv): MailIdentity {
  const from = parseSender(env.MAIL_FROM)
  return {
    from,
    ...(env.SMTP_CA_FILE && { ca: [...rootCertificates, readSetting('SMTP_CA_FILE', env.SMTP_CA_FILE)] }),
    ...(env.DKIM_SELECTOR && {
      dkim: {
        domainName: env.DKIM_DOMAIN ?? String(from.address.split('@')[1]),
        keySelector: env.DKIM_SELECTOR,
        privateKey: dkimKey(String(env.DKIM_PRIVATE_KEY)),
        headerFieldNames: SIGNED_HEADERS,
      },
    }),
  }
}

/** `Name <address>`, whose name may have a comma in it, or the bare address. */
function parseSender(text: string): MailIdentity['from'] {
  const [, name = '', address = text] = /^(.*?)\s*<([^<>]+)>$/.exec(text.trim()) ?? []
  return { name: name.replace(/^"(.*)"$/, '$1'), address: address.trim() }
}

/** In an environment variable the lines of a key are often parted by `\n` in letters. */
function dkimKey(given: string): string {
  const pem = given.replaceAll('\\n', '\n')
  // Nodemailer sends without a signature what it cannot sign, and signs with RSA only.
  if (keyType(pem) !== 'rsa')
    throw problem('DKIM_PRIVATE_KEY', 'must hold an RSA private key (PEM, without a passphrase)')
  return pem
}

function keyType(pem: string): string | undefined {
  try {
    return createPrivateKey(pem).asymmetricKeyType
  } catch {
    return undefined
  }
}

function readSetting(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw problem(name, `names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

function problem(name: string, words: string): SettingsError {
  return new SettingsError(`Fix these settings, then start again:\n  ${name} ${words}`)
}
