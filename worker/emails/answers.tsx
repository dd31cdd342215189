import { formatDayAndTime } from '../../core/dates.ts'
import * as deliveryStatus from '../../core/deliveries/stores/delivery-status.ts'
import type { Lead } from '../../core/leads/contract/leads.ts'
import { type AnswerKind, REQUEST_ANSWERS } from '../../core/leads/contract/outcomes.ts'
import * as answerClocks from '../../core/leads/stores/answer-clocks.ts'
import * as outcomes from '../../core/leads/stores/outcomes.ts'
import * as zipCodes from '../../core/leads/stores/places.ts'
import type { Provider } from '../../core/providers/stores/providers.ts'
import { NotNeeded } from '../delivery-error.ts'
import type { TaskAbout } from '../handlers/handler.ts'
import { type Reading, timeZoneOf } from './email.ts'
import { requestLink } from './links.ts'
import { Large, MainAction, Note, Paragraph, Phone, Tiles, Typed } from './parts.tsx'
import { nameOf } from './words.ts'

/** `place` is that of the lead. */
export type AnswerContext = { lead: Lead; provider: Provider; answer: Answer; place: string; timeZone: string }
type Answer = {
  /** ISO 8601; null before it is worked out. */
  dueAt: string | null
  /** The clinic's page for the request. */
  requestUrl: string
  /** Whether the request has arrived at the clinic. */
  hasArrived: boolean
  /** Whether the visitor's last answer is that nobody has called. */
  isUncalled: boolean
  /** The clinic's last answer, if it gave one. */
  clinicSaid: AnswerKind | null
}

/**
 * Reads what is known of the clinic's answer now, for an email to the clinic or the team. `to` is the clinic's address
 * that gets it, if that is not the one for requests.
 * @throws NotNeeded when the clinic no longer has the lead
 */
export async function readAnswer(task: TaskAbout<'lead'>, reading: Reading, to?: string): Promise<AnswerContext> {
  const { row: lead, job } = task
  const { db, env } = reading
  const provider = clinicOf(task, reading)
  const matchedAt = lead.matched_at ?? ''
  const [clocks, all, hasArrived, zip, timeZone] = await Promise.all([
    answerClocks.findMany(db, [lead.id]),
    outcomes.list(db, lead.id),
    deliveryStatus.hasArrived(db, lead, ['provider']),
    zipCodes.find(db, lead.zip_code),
    timeZoneOf(provider.id, reading),
  ])
  const mailed = { of: 'clinic', mailedAt: job.createdAt, to: to ?? provider.requestEmail } as const
  const requestUrl = requestLink(env, lead, mailed)
  if (!requestUrl) throw passedOn()
  const answers = all.filter(({ kind, at }) => kind !== 'opened' && at >= matchedAt)
  const last = answers.at(-1)
  const clinicSaid = answers.findLast(({ source }) => source === 'clinic')?.kind as AnswerKind | undefined
  const answer = {
    ...{ requestUrl, hasArrived },
    dueAt: clocks.get(lead.id)?.due_at ?? null,
    isUncalled: last?.source === 'visitor' && last.kind === 'no_answer',
    clinicSaid: clinicSaid ?? null,
  }
  return { lead, provider, answer, place: placeOf(lead, zip), timeZone }
}

/** Reads the answer for an email about a missing one. @throws NotNeeded when the clinic has answered */
export async function readMissing(task: TaskAbout<'lead'>, reading: Reading, to?: string): Promise<AnswerContext> {
  const context = await readAnswer(task, reading, to)
  const { outcome } = context.lead
  const isOpen = outcome === null || outcome === 'opened' || context.answer.isUncalled
  if (!isOpen) throw new NotNeeded('The clinic has answered.')
  return context
}

/** Returns the clinic that the job is about. @throws NotNeeded when it no longer has the lead */
export function clinicOf({ job, row: lead }: TaskAbout<'lead'>, { known }: Reading): Provider {
  const provider = known.provider(job.payload.providerId ?? lead.provider_id)
  if (provider?.id !== lead.provider_id || job.createdAt < (lead.matched_at ?? '')) throw passedOn()
  return provider
}

export const passedOn = () => new NotNeeded('The clinic no longer has this lead.')

/** Returns the time at which the clinic got the lead. */
export const sentAt = ({ matched_at, created_at }: Lead, zone: string) =>
  formatDayAndTime(matched_at ?? created_at, zone)

/** Returns the facts about a lead's person. */
export const personFacts = (lead: Lead): [string, React.ReactNode][] => [
  ['Name', <Typed key="name">{nameOf(lead)}</Typed>],
  ['Phone', <Phone key="phone">{lead.phone}</Phone>],
]

/** The answers that the tiles of an email preselect on the clinic's page. The page has the others. */
const TILES = ['reached', 'booked', 'no_answer', 'declined'] as const

/** Renders the answers of a clinic: a tap on one, and one on the page to send it. */
export function AnswerTiles({ requestUrl }: { requestUrl: string }) {
  return (
    <>
      <Paragraph>How did it go?</Paragraph>
      <Tiles of={TILES.map((answer) => [REQUEST_ANSWERS[answer], `${requestUrl}?answer=${answer}`])} />
      <Note>One click opens the request with that answer, and one more sends it. A wrong number? Say so there.</Note>
    </>
  )
}

type Called = { name: string; phone: string; dial: string | null; requestUrl: string }

/** Renders whom to call, with the number as the first thing to press; where nobody can dial it, the request. */
export function CallFirst({ name, phone, dial, requestUrl }: Called) {
  return (
    <>
      <Large size={20}>
        <Typed>{name}</Typed>
      </Large>
      <Large size={28}>
        <Phone dial={dial}>{phone}</Phone>
      </Large>
      {dial === null ? (
        <MainAction label="Open the request" href={requestUrl} />
      ) : (
        <MainAction label={`Call ${phone}`} href={`tel:${dial}`} />
      )}
    </>
  )
}

/** Returns the place of a lead in words: `Austin, TX 78702`. */
export function placeOf({ zip_code }: Lead, zip: Awaited<ReturnType<typeof zipCodes.find>>): string {
  return zip?.city && zip.state ? `${zip.city}, ${zip.state} ${zip_code}` : zip_code
}
