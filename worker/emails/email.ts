import type { ReactElement } from 'react'
import type { Application } from '../../core/applications/contract/applications.ts'
import { brand } from '../../core/brand/brand.ts'
import {
  type EmailAbout,
  type EmailFacts,
  PAYLOADS,
  type Payload,
  type PayloadKind,
} from '../../core/deliveries/emails.ts'
import type { Job } from '../../core/deliveries/stores/attempts.ts'
import type { Env } from '../../core/env.ts'
import type { Lead } from '../../core/leads/contract/leads.ts'
import * as answerClocks from '../../core/leads/stores/answer-clocks.ts'
import type { PersonHash } from '../../core/privacy/rules/opt-outs.ts'
import type { Provider } from '../../core/providers/stores/providers.ts'
import type { Recipient } from '../../core/staff/stores/staff-accounts.ts'
import { NotNeeded } from '../delivery-error.ts'
import type { Task, WorkerServices } from '../handlers/handler.ts'
import type { Mail } from '../senders/mailer.ts'
import { env } from './sample-people.ts'
import { mailtoUrl } from './words.ts'

export type Settings = {
  env: Pick<Env, 'PUBLIC_URL' | 'TEAM_EMAIL' | 'INBOX_URL' | 'NETWORK_TIME_ZONE' | 'MATCH_RADIUS_MILES'>
}

/** The rows that a batch of emails is about, read together. */
export type Known = {
  /** Finds a provider. Returns null for null, and for a provider that is gone. */
  provider(id: number | null): Provider | null
  /** The leads and applications whose person asked for no contact, by what of them is on the list. */
  suppressed: Map<object, Set<PersonHash['kind']>>
}
export type Reading = WorkerServices & { known: Known }

/** An email before rendering. */
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
/** Where a reply about a lead is read by the worker, if there is such a mailbox. */
const answers = ({ INBOX_URL: inbox }: Settings['env']) => (inbox ? { ...OURS, address: inbox.address } : OURS)
/** Everybody but the team and the staff may reply to us. Those who agreed to further contact may withdraw that. */
const ENVELOPES: { [To in EmailFacts['to']]: (context: Addressee[To] & Settings) => Envelope } = {
  clinic: ({ provider, env }) => ({ to: provider.requestEmail, replyTo: answers(env) }),
  second: ({ answer, env }) => ({ to: answer.secondEmail, replyTo: answers(env) }),
  previous_clinic: ({ previous }) => ({ to: previous.requestEmail, replyTo: OURS }),
  visitor: ({ lead, optOutUrl, env }) => ({
    ...{ to: lead.email, replyTo: answers(env) },
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

type Awaitable<Value> = Value | Promise<Value>
/** The job with its row, and its parsed payload. */
export type Loading<About extends EmailAbout, Kind = undefined> = Extract<Task, { of: About }> & {
  payload: Payload<Kind>
}

type Definition<
  About extends EmailAbout,
  To extends EmailFacts['to'],
  Kind extends PayloadKind | undefined,
  Context,
> = {
  about: About
  /** Names the email in the ledger. */
  purpose: string
  to: To
  payload?: Kind
  /** Reads the context of the email, as it is now. @throws NotNeeded when it must no longer be sent */
  load(task: Loading<About, Kind>, reading: Reading): Awaitable<Context>
  /** Subject, body, and what differs from the usual envelope of the recipient. */
  draft(context: NoInfer<Context> & Settings): Pick<EmailDraft, 'subject' | 'body' | 'isTest'> & Partial<Envelope>
  /** Samples about fictional people, by names for addresses and files. */
  samples: Record<string, [title: string, context: NoInfer<Context>]>
} & Omit<EmailFacts, 'to' | 'payload'>

/** An email of a job, from the row of its owner to its envelope and body. */
export type Email = {
  about: EmailAbout
  purpose: string
  facts: EmailFacts
  prepare(task: Task, reading: Reading): Promise<EmailDraft>
  samples(): { name: string; title: string; draft: EmailDraft }[]
}

/** The emails of all modules that are loaded so far. `emails.ts` loads those of this folder. */
export const DEFINED: Email[] = []

/** Defines an email. `npm run generate` writes its facts to `core/deliveries/emails.ts`, where jobs of it get their types. */
export function defineEmail<
  About extends EmailAbout,
  To extends EmailFacts['to'],
  Context extends object,
  Kind extends PayloadKind | undefined = undefined,
>({
  about,
  purpose,
  load,
  draft,
  samples,
  ...facts
}: Definition<About, To, Kind, Context> & {
  load(task: Loading<About, Kind>, reading: Reading): Awaitable<Addressee[NoInfer<To>]>
}) {
  const { to, payload } = facts
  const envelopeOf = ENVELOPES[to] as (context: Context & Settings) => Envelope
  const parse = (job: Job) => (payload ? PAYLOADS[payload].parse(job.payload) : {}) as Payload<Kind>
  const complete = (context: Context & Settings): EmailDraft => ({ ...envelopeOf(context), ...draft(context) })
  const isAbout = (task: Task): task is Extract<Task, { of: About }> => task.of === about
  const email = {
    ...{ about, purpose, facts },
    draft: complete,
    async prepare(task: Task, reading: Reading) {
      if (!isAbout(task)) throw new NotNeeded('There is no such email.')
      const loaded = await load({ ...task, payload: parse(task.job) }, reading)
      return complete({ ...loaded, env: reading.env })
    },
    samples: () =>
      Object.entries(samples).map(([name, [title, context]]) => ({
        ...{ name, title },
        draft: complete({ ...context, env }),
      })),
  }
  DEFINED.push(email)
  return email
}

/** Returns the clinics that a lead went to and came from. @throws NotNeeded when it has not moved */
export function movedBetween({ row: lead, payload }: Loading<'lead', 'previous_provider'>, { known }: Reading) {
  const [provider, previous] = [known.provider(lead.provider_id), known.provider(payload.previousProviderId)]
  if (!previous || !provider || previous.id === provider.id) {
    throw new NotNeeded('The lead has not gone to another clinic.')
  }
  return { provider, previous }
}

/** Returns the time zone of a clinic (IANA), for the times in emails to it. */
export function timeZoneOf(providerId: number, { db, env }: Reading): Promise<string> {
  return answerClocks.findTimeZone(db, providerId, env.NETWORK_TIME_ZONE)
}
