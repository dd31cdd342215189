import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import type { Env } from '../../core/env.ts'
import { SettingsError } from '../../core/settings/read-settings.ts'

/**
 * The sender of our e-mails and their signature. `ca` are the authorities that may have issued the mail server's
 * certificate.
 */
export type MailIdentity = {
  from: { name: string; address: string }
  ca?: string[]
  dkim?: { domainName: string; keySelector: string; privateKey: string; headerFieldNames: string }
}

/** The signed headers. They include those of one-click unsubscribe (RFC 8058, section 4). */
const SIGNED_HEADERS = [
  ...['From', 'Reply-To', 'To', 'Subject', 'Date', 'Message-ID', 'MIME-Version', 'Content-Type'],
  ...['Content-Transfer-Encoding', 'List-Unsubscribe', 'List-Unsubscribe-Post'],
].join(':')

export type MailIdentityEnv = Pick<
  Env,
  'MAIL_FROM' | 'SMTP_CA_FILE' | 'DKIM_DOMAIN' | 'DKIM_SELECTOR' | 'DKIM_PRIVATE_KEY'
>

/**
 * Reads the files and the key that the settings name.
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

/** Parses `Name <address>`, also with a comma in the name, or the bare address. */
function parseSender(text: string): MailIdentity['from'] {
  const [, name = '', address = text] = /^(.*?)\s*<([^<>]+)>$/.exec(text.trim()) ?? []
  return { name: name.replace(/^"(.*)"$/, '$1'), address: address.trim() }
}

/**
 * Parses a key. In environment variables its line breaks are often written as `
 * `.
 */
function dkimKey(given: string): string {
  const pem = given.replaceAll('\\n', '\n')
  // Nodemailer sends unsigned what it cannot sign, and signs with RSA only.
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
