import { readdir } from 'node:fs/promises'
import type { EmailAbout } from '../../core/deliveries/emails.ts'
import type { Mail } from '../senders/mailer.ts'
import { DEFINED, type Email, type EmailDraft } from './email.ts'
import { render } from './render.tsx'

const folder = new URL('./', import.meta.url)
const modules = (await readdir(folder)).filter((name) => /^[^.]+\.[jt]sx?$/.test(name) && !/^emails\./.test(name))
await Promise.all(modules.map((name) => import(new URL(name, folder).href)))

/** Every email that is defined in this folder. */
export const DEFINITIONS: readonly Email[] = DEFINED.toSorted((a, b) => a.purpose.localeCompare(b.purpose))

const byName = new Map(DEFINITIONS.map((email) => [`${email.about} ${email.purpose}`, email]))
export const findEmail = (about: EmailAbout, purpose: string) => byName.get(`${about} ${purpose}`)

/** An email as HTML and as plain text. */
export type Composed = Omit<Mail, 'messageId'>

export function compose({ body, ...envelope }: EmailDraft): Composed {
  return { ...envelope, ...render(body) }
}

/** An email about fictional people. `name` is for addresses and files. */
export type EmailSample = { name: string; title: string; mail: Composed }

/** Returns samples of every email, and of the unusual cases: long, hostile or incomplete data. */
export function emailSamples(): EmailSample[] {
  return DEFINITIONS.flatMap((email) => email.samples()).map(({ name, title, draft }) => ({
    ...{ name, title },
    mail: compose(draft),
  }))
}
