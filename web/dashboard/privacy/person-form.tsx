import { HELD_REASONS, HeldReason } from '../../../core/contract/forms.ts'
import { jobLabel } from '../../../core/deliveries/contract/jobs.ts'
import type { LeadWork } from '../../../core/leads/contract/leads.ts'
import { type LeadOutcome, OUTCOME_WORDS, REASON_WORDS } from '../../../core/leads/contract/outcomes.ts'
import type { PersonForm } from '../../../core/privacy/contract/privacy.ts'
import { actorName } from '../../lib/actors.ts'
import { formatMoment } from '../../lib/dates.ts'
import { Facts } from '../../ui/action-button.tsx'
import { readable, useActWords } from '../acts.ts'
import { jobState } from '../job-labels.tsx'

export const nameOf = ({ kind, id }: Pick<PersonForm, 'kind' | 'id'>) =>
  `${kind === 'lead' ? 'Request' : 'Application'} no. ${id}`

type Props = { form: PersonForm; isChosen: boolean; onToggle: () => void }

export function Form({ form, isChosen, onToggle }: Props) {
  const wordsOf = useActWords()
  const { kind, created_at, deleted_at, fields, clinics, consent } = form
  const given = clinics.length > 0 ? `Given to ${clinics.map(({ name }) => name).join(', ')}.` : 'Given to no provider.'
  return (
    <article aria-label={nameOf(form)} className="mt-6 border-t border-line pt-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h3 className="text-lg font-semibold text-ink">
          {nameOf(form)}, {formatMoment(created_at)}
        </h3>
        <label className="flex min-h-10 items-center gap-2 text-quiet print:hidden">
          <input type="checkbox" checked={isChosen} onChange={onToggle} className="size-5 accent-secondary" />
          Erase {nameOf(form).toLowerCase()}
        </label>
      </div>
      <p className="text-quiet">
        {kind === 'application' ? 'A provider’s application.' : given}
        {deleted_at && ` Deleted by staff ${formatMoment(deleted_at)}; it can still be restored.`}
      </p>
      <Values title="What was sent" values={fields} />
      {consent && <Values title="Evidence of consent" values={consent} />}
      {sectionsOf(form, wordsOf).map(([title, lines]) => (
        <Part key={title} title={title} lines={lines} />
      ))}
    </article>
  )
}

function sectionsOf(form: PersonForm, wordsOf: ReturnType<typeof useActWords>): [title: string, lines: string[]][] {
  const { deliveries, outcomes, opt_outs, edits, acts, work, reads, other } = form
  return [
    [
      'Recipients',
      deliveries.map((job) => {
        const to = job.recipient ? ` (${job.recipient})` : ''
        const copy = job.has_copy ? ' (a copy is in the JSON)' : ''
        return `${jobLabel(job)}${to}: ${jobState(job).label}, ${formatMoment(job.finished_at ?? job.created_at)}${copy}`
      }),
    ],
    ['Outcome', outcomes.map(outcomeLine)],
    [
      'Providers that were asked to stop contact',
      opt_outs.map(({ clinic, asked_at, confirmed_at }) => {
        const answer = confirmed_at ? `confirmed ${formatMoment(confirmed_at)}` : 'not confirmed yet'
        return `${clinic}: asked ${formatMoment(asked_at)}, ${answer}`
      }),
    ],
    [
      'Corrections',
      edits.map((edit) => {
        const change = `${edit.field.replaceAll('_', ' ')} from “${edit.was}” to “${edit.became}”`
        return `${formatMoment(edit.at)}: ${actorName(edit)} changed the ${change}`
      }),
    ],
    ['Changes', acts.map((line) => `${formatMoment(line.at)}: ${actorName(line)} · ${wordsOf({ ...line, ip: null })}`)],
    ['Staff notes', work ? notedLines(work) : []],
    ['Access', reads.map((line) => `${formatMoment(line.at)}: ${actorName(line)}`)],
    [
      'Other data',
      Object.entries(other).flatMap(([table, rows]) => rows.map((row) => `${sentence(table)}: ${readable(row)}`)),
    ],
  ]
}

function notedLines({ owner, next_action, next_action_on, tags, notes }: LeadWork): string[] {
  const lines = [
    owner && `Owner: ${owner.name}`,
    (next_action ?? next_action_on) && `Next action: ${[next_action, next_action_on].filter(Boolean).join(', ')}`,
    tags.length > 0 && `Tags: ${tags.join(', ')}`,
    ...notes.map(
      ({ at, author: actor, author_name: actor_name, body }) =>
        `${formatMoment(at)}: ${actorName({ actor, actor_name })} wrote “${body}”`,
    ),
  ]
  return lines.filter((line) => typeof line === 'string')
}

function outcomeLine({ kind, reason, note, booked_for, value_cents, clinic, happened_at, ...by }: LeadOutcome): string {
  const facts = [
    reason && `Reason: ${REASON_WORDS[reason].toLowerCase()}.`,
    booked_for && `Appointment: ${booked_for}.`,
    value_cents !== null && `Value: $${(value_cents / 100).toFixed(2)}.`,
    clinic && `Provider: ${clinic}.`,
    note && `Note: “${note}”`,
  ]
  const said = `${formatMoment(happened_at)}: ${OUTCOME_WORDS[kind]}, reported by ${actorName(by)}.`
  return [said, ...facts].filter(Boolean).join(' ')
}

const sentence = (name: string) => {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The columns of a form and its evidence that are shown, with their labels. The file has the others, too. */
const FACTS: Record<string, string> = {
  first_name: 'First name',
  last_name: 'Last name',
  name: 'Name',
  practice_name: 'Practice',
  email: 'Email',
  phone: 'Phone',
  zip_code: 'Zip code',
  website: 'Website',
  message: 'Message',
  held_reason: 'Held because',
  preferred_time: 'Best time to call',
  crm_external_id: 'Number in the CRM',
  match_distance_miles: 'Miles to the provider',
  status: 'State of the application',
  notes: 'Notes of staff',
  attribution: 'Origin',
  wording: 'Agreed to',
  sharing_wording: 'And to',
  channel: 'By',
  page_url: 'On the page',
  given_at: 'At',
  ip: 'IP address',
  user_agent: 'Browser',
}

function Values({ title, values }: { title: string; values: Record<string, unknown> }) {
  return (
    <>
      <h4 className="mt-3 font-semibold text-ink">{title}</h4>
      <Facts
        className="mt-1 text-sm whitespace-pre-line"
        of={Object.entries(FACTS).map(([column, label]) => [label, textOf(values[column], column)])}
      />
    </>
  )
}

function textOf(value: unknown, column: string): string {
  if (value === null || value === undefined) return ''
  if (column === 'held_reason') return HELD_REASONS[HeldReason.catch('other').parse(value)]
  if (typeof value !== 'object') return column === 'message' ? String(value) : readable(value)
  return Object.entries(value)
    .map(([name, part]) => `${sentence(name)}: ${readable(part)}`)
    .join('\n')
}

export function Part({ title, lines }: { title: string; lines: string[] }) {
  if (lines.length === 0) return null
  return (
    <>
      <h4 className="mt-3 font-semibold text-ink">{title}</h4>
      <ul className="mt-1 grid gap-1 text-sm whitespace-pre-line wrap-anywhere text-ink">
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be the same, and none ever moves
          <li key={index}>{line}</li>
        ))}
      </ul>
    </>
  )
}
