import { type FormEvent, type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import {
  deleteTestLead,
  type Progress,
  type Setup,
  sendTestLead,
  type TestLead,
} from '../../../core/conditions/contract/integrations.ts'
import { ZipCode } from '../../../core/contract/forms.ts'
import { act, call } from '../../lib/call.ts'
import { formatMoment, formatSoon, formatTime } from '../../lib/dates.ts'
import { milesInWords } from '../../lib/distance.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useMe } from '../access.tsx'
import { ProviderLink } from '../provider-link.tsx'
import { addressProblem, isOpen, SETUP } from './steps.tsx'

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
  const email = useMe()?.email ?? ''
  const [problems, setProblems] = useState<{ email?: string; zip?: string }>({})
  const send = useAction({
    act: (body: { email: string; zip_code: string }) => call(sendTestLead, { body }),
    failed: 'Failed to send the test lead',
    changes: SETUP,
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const [address, zip_code] = ['email', 'zip'].map((name) => String(form.get(name)).trim()) as [string, string]
    const parsed = ZipCode.safeParse(zip_code)
    const found = { email: addressProblem(address), zip: parsed.success ? undefined : parsed.error.issues[0]?.message }
    setProblems(found)
    if (!found.email && !found.zip) send.mutate({ email: address, zip_code })
  }
  return (
    <form onSubmit={submit} noValidate className="mt-3 sm:-mb-2 flex flex-wrap items-start gap-x-3 gap-y-1">
      <TextField
        label="Your email"
        name="email"
        type="email"
        autoComplete="email"
        defaultValue={email}
        error={problems.email}
        className="w-72 max-w-full"
      />
      <TextField
        label="Zip code"
        name="zip"
        inputMode="numeric"
        autoComplete="off"
        defaultValue={zip}
        error={problems.zip}
        className="w-32"
      />
      <Button type="submit" className="sm:mt-6 staff:lg:min-h-11" busy={send.isPending}>
        Send test lead
      </Button>
    </form>
  )
}

function Way({ lead }: { lead: TestLead }) {
  const { clinic, held, deliveries } = lead
  const of = (name: string, ...purposes: string[]) =>
    deliveries.find((each) => each.name === name && (purposes.length === 0 || purposes.includes(each.purpose)))
  const match = of('match-lead')
  const forClinic = of('send-email', 'provider')
  const forTeam = of('send-email', 'team')
  const forVisitor = of('send-email', 'visitor')
  const forCrm = of('sync-crm', 'created')
  return (
    <>
      <ol aria-label="Progress of the test lead" aria-live="polite" className="mt-3 grid gap-3">
        <Stage state="done" title="Received" at={lead.created_at}>
          Lead #{lead.id}, zip code {lead.zip_code}
        </Stage>
        {held ? (
          <Stage state="failed" title="Held for review">
            This address asked not to be contacted, so nothing is sent. Use another one.
          </Stage>
        ) : (
          <>
            {clinic ? (
              <Stage state="done" title="Matched">
                With <ProviderLink id={clinic.id}>{clinic.name}</ProviderLink>
                {clinic.miles !== null && `, ${milesInWords(clinic.miles)} away`}
              </Stage>
            ) : match && isOpen(match) ? (
              <Stage state="open" title="Looking for a provider" />
            ) : (
              <Stage state="failed" title="No provider in reach">
                The team would look for one. Delete the test lead and send one with the zip code of a provider.
              </Stage>
            )}
            {forClinic && <Delivery title="Email for the provider" of={forClinic} to />}
            {forTeam && <Delivery title="Email for the team" of={forTeam} to />}
            {forVisitor && <Delivery title="Email for the visitor" of={forVisitor} to />}
            {forCrm && <Delivery title="CRM" of={forCrm} />}
          </>
        )}
      </ol>
      <div className="mt-4 flex flex-wrap gap-2">
        <Link to={`?tab=leads&lead=${lead.id}`} className={buttonClass({ variant: 'outline' })}>
          Open the lead
        </Link>
        <ActionButton
          variant="quietDanger"
          size="medium"
          act={() => act(deleteTestLead)}
          done="The test lead is deleted"
          failed="Failed to delete the test lead"
          changes={SETUP}
        >
          Delete the test lead
        </ActionButton>
      </div>
    </>
  )
}

function Delivery({ title, of, to = false }: { title: string; of: Progress; to?: boolean }) {
  const { state, answer, error, at, next_attempt_at: next } = of
  if (state === 'done')
    return (
      <Stage state="done" title={`${title}: accepted`} at={at}>
        {to && of.to && `To ${of.to}. `}
        {answer && `“${answer}”`}
      </Stage>
    )
  if (isOpen(of))
    return (
      <Stage state={error ? 'failed' : 'open'} title={error ? `${title}: not accepted yet` : `${title}: being sent`}>
        {error}
        {answer && ` “${answer}”`}
        {error && next && ` The next attempt is at ${formatSoon(next)}.`}
      </Stage>
    )
  return (
    <Stage
      state={state === 'failed' ? 'failed' : 'none'}
      title={`${title}: ${state === 'failed' ? 'failed' : 'not sent'}`}
    >
      {error}
      {answer && ` “${answer}”`}
    </Stage>
  )
}

type StageProps = { state: 'done' | 'open' | 'failed' | 'none'; title: string; at?: string; children?: ReactNode }

function Stage({ state, title, at, children }: StageProps) {
  return (
    <li className="flex gap-3">
      <StageMark state={state} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap justify-between gap-x-3 font-semibold text-ink">
          {title}
          {at && (
            <time dateTime={at} title={formatMoment(at)} className="font-normal text-quiet tabular-nums">
              {formatTime(at)}
            </time>
          )}
        </p>
        {children && <p className="wrap-anywhere text-quiet">{children}</p>}
      </div>
    </li>
  )
}

const MARKS = {
  done: { look: 'text-good', path: 'm3.5 8.5 3 3 6-7' },
  failed: { look: 'text-bad', path: 'm4 4 8 8m0-8-8 8' },
  none: { look: 'text-quiet', path: 'M4 8h8' },
} as const

function StageMark({ state }: Pick<StageProps, 'state'>) {
  if (state === 'open')
    return (
      <span
        aria-hidden="true"
        className="mt-0.5 size-4 shrink-0 animate-pulse rounded-full border-2 border-secondary"
      />
    )
  const { look, path } = MARKS[state]
  return (
    <svg viewBox="0 0 16 16" className={`mt-0.5 size-4 shrink-0 ${look}`} aria-hidden="true">
      <path d={path} fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
