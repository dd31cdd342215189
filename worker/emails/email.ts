import type { ReactElement } from 'react'
import type { Application } from '../../core/applications/contract/applications.ts'
import { brand } from '../../core/brand/brand.ts'
import {
  EMAILS,
  type EmailAbout,
  type EmailFacts,
  type EmailPurpose,
  type PayloadOf,
} from '../../core/deliveries/emails.ts'
import type { Job } from '../../core/deliveries/stores/attempts.ts'
import type { Env } from '../../core/env.ts'
import type { Lead } from '../../core/leads/contract/leads.ts'
import * as answerClocks from '../../core/leads/stores/answer-clocks.ts'
import type { PersonHash } from '../../core/privacy/rules/opt-outs.ts'
import type { Provider } from '../../core/providers/stores/providers.ts'
import type { Recipient } from '../../core/staff/stores/staff-accounts.ts'
import { NotNeeded } from '../delivery-error.ts'
import type { TaskAbout, WorkerServices } from '../handlers/handler.ts'
import type { Mail } from '../senders/mailer.ts'
import { env } from './sample-people.ts'
import { mailtoUrl } from './words.ts'

export type Settings = { env: Pick<Env, 'PUBLIC_URL' | 'TEAM_EMAIL' | 'NETWORK_TIME_ZONE' | 'MATCH_RADIUS_MILES'> }

/** The rows that a batch of e-mails is about, read together. */
export type Known = {
  /** Finds a provider. Returns null for null, and for a provider that is gone. */
  provider(id: number | null): Provider | null
  /** The leads and applications whose person asked for no contact, by what of them is on the list. */
  suppressed: Map<object, Set<PersonHash['kind']>>
}
export type Reading = WorkerServices & { known: Known }

/** An e-mail before rendering. */
export type EmailDraft = Pick<Mail, 'to' | 'replyTo' | 'subject' | 'optOut' | 'isTest'> & { body: ReactElement }
type Envelope = Pick<EmailDraft, 'to' | 'replyTo' | 'optOut'>

/** What the envelope needs, by the recipient. `optOutUrl` is the link to stop contact. */
type Addressee = {
  clinic: { provider: Provider }
  second: { answer: { secondEmail: string } }
  previous_clinic: { previous: Provider }
  visitor: { lead: Lead; optOutUrl: string }
  applicant: { application: Application; optOutUrl: string }
  team: object
  account: { account: Recipient }
  stated: { to: string }
}

const OURS = { name: brand.company, address: brand.email }
/** Everybody but the team and the staff may reply to us. Those who agreed to further contact may withdraw that. */
const ENVELOPES: { [To in EmailFacts['to']]: (context: Addressee[To] & Settings) => Envelope } = {
  clinic: ({ provider }) => ({ to: provider.requestEmail, replyTo: OURS }),
  second: ({ answer }) => ({ to: answer.secondEmail, replyTo: OURS }),
  previous_clinic: ({ previous }) => ({ to: previous.requestEmail, replyTo: OURS }),
  visitor: ({ lead, optOutUrl }) => ({
    ...{ to: lead.email, replyTo: OURS },
    optOut: { url: optOutUrl, mailto: mailtoUrl(brand.email, `STOP (request no. ${lead.id})`) },
  }),
  applicant: ({ application, optOutUrl }) => ({
    ...{ to: application.email, replyTo: OURS },
    optOut: { url: optOutUrl, mailto: mailtoUrl(brand.email, 'STOP') },
  }),
  team: ({ env }) => ({ to: env.TEAM_EMAIL }),
  account: ({ account }) => ({ to: account.email }),
  stated: ({ to }) => ({ to, replyTo: OURS }),
}

type ToOf<About extends EmailAbout, Purpose> = {
  [P in keyof (typeof EMAILS)[About]]: (typeof EMAILS)[About][P] extends { to: infer To }
    ? P extends Purpose
      ? To
      : never
    : never
}[keyof (typeof EMAILS)[About]] &
  EmailFacts['to']

type Awaitable<Value> = Value | Promise<Value>
/** The job with its row, and what it says beside its subject, as its schema has parsed it. */
type Loading<About extends EmailAbout, Purpose> = TaskAbout<About> & { payload: PayloadOf<About, Purpose> }

type Definition<About extends EmailAbout, Purpose, Context> = {
  about: About
  purpose: Purpose
  /** Reads the context of the e-mail, as it is now. @throws NotNeeded when it must not be sent any more */
  load(task: Loading<About, Purpose>, reading: Reading): Awaitable<Context>
  /** Subject, body, and what differs from the usual envelope of the recipient. */
  draft(context: Context & Settings): Pick<EmailDraft, 'subject' | 'body' | 'isTest'> & Partial<Envelope>
  /** Samples about fictional people, by names for addresses and files. */
  samples: Record<string, [title: string, context: NoInfer<Context>]>
}

/** An e-mail of a job, from the row of its owner to its envelope and body. */
export type Email<About extends EmailAbout, Context = never> = {
  draft(context: Context & Settings): EmailDraft
  prepare(task: TaskAbout<About>, reading: Reading): Promise<EmailDraft>
  samples(): { name: string; title: string; draft: EmailDraft }[]
}

/** Defines an e-mail. Its recipient, label and rules of contact are in `core/deliveries/emails.ts`. */
export function defineEmail<About extends EmailAbout, Purpose extends EmailPurpose<About>, Context extends object>({
  about,
  purpose,
  load,
  draft,
  samples,
}: Definition<About, Purpose, Context> & {
  load(task: Loading<About, Purpose>, reading: Reading): Awaitable<Addressee[ToOf<About, NoInfer<Purpose>>]>
}): Email<About, Context> {
  const { to, payload } = (EMAILS[about] as Record<string, EmailFacts>)[purpose] as EmailFacts
  const envelopeOf = ENVELOPES[to] as (context: Context & Settings) => Envelope
  const parse = (job: Job) => (payload?.parse(job.payload) ?? {}) as PayloadOf<About, Purpose>
  const complete = (context: Context & Settings): EmailDraft => ({ ...envelopeOf(context), ...draft(context) })
  return {
    draft: complete,
    prepare: async (task, reading) => {
      const loaded = await load({ ...task, payload: parse(task.job) }, reading)
      return complete({ ...loaded, env: reading.env })
    },
    samples: () =>
      Object.entries(samples).map(([name, [title, context]]) => ({
        name,
        title,
        draft: complete({ ...context, env }),
      })),
  }
}

/** Returns the clinics that a lead went to and came from. @throws NotNeeded when it has not moved */
export function movedBetween({ row: lead, payload }: Loading<'lead', 'passed_on' | 'new_clinic'>, { known }: Reading) {
  const [provider, previous] = [known.provider(lead.provider_id), known.provider(payload.previousProviderId)]
  if (!previous || !provider || previous.id === provider.id) {
    throw new NotNeeded('The lead has not gone to another clinic.')
  }
  return { provider, previous }
}

/** Returns the time zone of a clinic (IANA), for the times in e-mails to it. */
export function timeZoneOf(providerId: number, { db, env }: Reading): Promise<string> {
  return answerClocks.findTimeZone(db, providerId, env.NETWORK_TIME_ZONE)
}
