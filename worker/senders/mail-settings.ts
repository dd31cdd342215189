import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import type { Env } from '../../core/env.ts'
import { SettingsError } from '../../core/settings/read-settings.ts'

/** The sender of our emails, and the authorities that may have issued the mail server's certificate. */
export type MailIdentity = { from: { name: string; address: string }; ca?: string[] }

export type MailIdentityEnv = Pick<Env, 'MAIL_FROM' | 'SMTP_CA_FILE'>

/**
 * Reads the file that the settings name.
 * @throws SettingsError
 */
export function readMailIdentity({ MAIL_FROM, SMTP_CA_FILE }: MailIdentityEnv): MailIdentity {
  const from = parseSender(MAIL_FROM)
  return SMTP_CA_FILE ? { from, ca: [...rootCertificates, readAuthority(SMTP_CA_FILE)] } : { from }
}

/** Parses `Name <address>`, also with a comma in the name, or the bare address. */
function parseSender(text: string): MailIdentity['from'] {
  const [, name = '', address = text] = /^(.*?)\s*<([^<>]+)>$/.exec(text.trim()) ?? []
  return { name: name.replace(/^"(.*)"$/, '$1'), address: address.trim() }
}

function readAuthority(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new SettingsError(
      `Fix these settings, then start again:\n  SMTP_CA_FILE names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`,
    )
  }
}
