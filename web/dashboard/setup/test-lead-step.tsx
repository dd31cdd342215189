import type { FormEvent, ReactNode } from 'react'
import { Link } from 'react-router-dom'
import {
  deleteTestLead,
  type Progress,
  type Setup,
  sendTestLead,
  type TestLead,
} from '../../../core/conditions/contract/integrations.ts'
import { act, call } from '../../lib/call.ts'
import { formatMoment, formatSoon, formatTime } from '../../lib/dates.ts'
import { milesInWords } from '../../lib/distance.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useMe } from '../access.tsx'
import { ProviderLink } from '../provider-link.tsx'

type Props = { step: Setup['test_lead']; crmKind: string }

/** Sends a lead on its real way, and shows each stage of it. Every email about it goes to the address of the staff. */
export function TestLeadStep({ step: { lead, zip_code }, crmKind }: Props) {
  return (
    <>
      <p className="text-quiet">
        Sends a lead named Test Lead through the normal flow. All its emails go to you and are marked as a test. It is
        excluded from all figures
        {crmKind === 'none' ? '.' : ', and the CRM gets it with a made-up address.'}
      </p>
      {lead ? <Way lead={lead} /> : <TestLeadForm zip={zip_code ?? ''} />}
    </>
  )
}

function TestLeadForm({ zip }: { zip: string }) {
  const send = useAction({
    act: (body: { email: string; zip_code: string }) => call(sendTestLead, { body }),
    failed: 'Failed to send the test lead',
    changes: 'setup',
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    send.mutate({ email: String(form.get('email')).trim(), zip_code: String(form.get('zip')).trim() })
  }
  return (
    <form onSubmit={submit} className="mt-3 flex flex-wrap items-start gap-x-3 gap-y-1 sm:-mb-2">
      <TextField
        label="Your email"
        name="email"
        type="email"
        autoComplete="email"
        required
        defaultValue={useMe()?.email ?? ''}
        className="w-72 max-w-full"
      />
      <TextField
        label="Zip code"
        name="zip"
        inputMode="numeric"
        autoComplete="off"
        required
        pattern="\d{5}"
        title="Five digits"
        defaultValue={zip}
        className="w-32"
      />
      <Button type="submit" className="sm:mt-6 staff:lg:min-h-11" busy={send.isPending}>
        Send test lead
      </Button>
    </form>
  )
}

type Stage = { state: keyof typeof MARKS; title: string; words?: ReactNode; at?: string }

const MARKS = {
  done: ['✓', 'text-good'],
  failed: ['✕', 'text-bad'],
  none: ['–', 'text-quiet'],
  open: ['…', 'text-secondary'],
} as const

/** The deliveries of a test lead, in their order, by their job and purpose. */
const DELIVERIES = [
  ['send-email', 'provider', 'Email for the provider'],
  ['send-email', 'team', 'Email for the team'],
  ['send-email', 'visitor', 'Email for the visitor'],
  ['sync-crm', 'created', 'CRM'],
] as const

function stagesOf({ id, zip_code, created_at: at, clinic, held, deliveries }: TestLead): Stage[] {
  const of = (name: string, purpose?: string) =>
    deliveries.find((each) => each.name === name && (purpose === undefined || each.purpose === purpose))
  const received: Stage = { state: 'done', title: 'Received', at, words: `Lead #${id}, zip code ${zip_code}` }
  if (held) {
    const words = 'This address asked not to be contacted, so nothing is sent. Use another one.'
    return [received, { state: 'failed', title: 'Held for review', words }]
  }
  const match = of('match-lead')?.state
  const none = 'The team would look for one. Delete the test lead and send one with the zip code of a provider.'
  const matched: Stage = clinic
    ? {
        ...{ state: 'done', title: 'Matched' },
        words: (
          <>
            With <ProviderLink id={clinic.id}>{clinic.name}</ProviderLink>
            {clinic.miles !== null && `, ${milesInWords(clinic.miles)} away`}
          </>
        ),
      }
    : match === 'waiting' || match === 'enqueued'
      ? { state: 'open', title: 'Looking for a provider' }
      : { state: 'failed', title: 'No provider in reach', words: none }
  const sent = DELIVERIES.flatMap(([name, purpose, title]) => {
    const delivery = of(name, purpose)
    return delivery ? [stageOf(title, delivery)] : []
  })
  return [received, matched, ...sent]
}

function stageOf(title: string, { state, to, at, answer, error, next_attempt_at: next }: Progress): Stage {
  const said = answer && `“${answer}”`
  if (state === 'done') {
    return { state, title: `${title}: accepted`, at, words: [to && `To ${to}.`, said].filter(Boolean).join(' ') }
  }
  const words = [error, said, error && next && `The next attempt is at ${formatSoon(next)}.`].filter(Boolean).join(' ')
  if (state === 'failed') return { state, title: `${title}: failed`, words }
  if (state === 'cancelled') return { state: 'none', title: `${title}: not sent`, words }
  return error
    ? { state: 'failed', title: `${title}: not accepted yet`, words }
    : { state: 'open', title: `${title}: being sent` }
}

function Way({ lead }: { lead: TestLead }) {
  return (
    <>
      <ol aria-label="Progress of the test lead" aria-live="polite" className="mt-3 grid gap-3">
        {stagesOf(lead).map(({ state, title, words, at }) => (
          <li key={title} className="flex gap-3">
            <span aria-hidden="true" className={`w-4 shrink-0 text-center font-semibold ${MARKS[state][1]}`}>
              {MARKS[state][0]}
            </span>
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap justify-between gap-x-3 font-semibold text-ink">
                {title}
                {at && (
                  <time dateTime={at} title={formatMoment(at)} className="font-normal text-quiet tabular-nums">
                    {formatTime(at)}
                  </time>
                )}
              </p>
              {words && <p className="wrap-anywhere text-quiet">{words}</p>}
            </div>
          </li>
        ))}
      </ol>
      <div className="mt-4 flex flex-wrap gap-2">
        <Link to={`?tab=leads&lead=${lead.id}`} className={buttonClass({ variant: 'outline', size: 'small' })}>
          Open the lead
        </Link>
        <ActionButton
          variant="quietDanger"
          act={() => act(deleteTestLead)}
          done="The test lead is deleted"
          failed="Failed to delete the test lead"
          changes="setup"
        >
          Delete the test lead
        </ActionButton>
      </div>
    </>
  )
}
