import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import {
  checkConnection,
  getSetup,
  type Progress,
  type Setup,
  SetupStep,
} from '../../../core/conditions/contract/integrations.ts'
import { act, call } from '../../lib/call.ts'
import { formatSoon } from '../../lib/dates.ts'
import { countOf } from '../../lib/numbers.ts'
import { SECOND } from '../../lib/time.ts'
import { ActionButton, Since } from '../../ui/action-button.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useMe } from '../access.tsx'
import { useSync } from '../sync/use-sync.tsx'

export const SETUP = 'setup'

export const isOpen = ({ state }: Progress) => state === 'waiting' || state === 'enqueued'

/** Reads what is set up. Follows tests, and the way of a test lead, until they end. */
export function useSetup() {
  return useQuery({
    queryKey: [SETUP],
    queryFn: () => call(getSetup),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) ? SECOND : 10 * SECOND),
  })
}

function isUnderWay({ mail, crm, wordpress, test_lead }: Setup): boolean {
  const deliveries = [mail.check, crm.check, ...(test_lead.lead?.deliveries ?? [])]
  return wordpress.is_running || deliveries.some((delivery) => delivery !== null && isOpen(delivery))
}

export type StepState = 'done' | 'skipped' | 'open'

/** Returns the state of each step. One that is done is not shown as skipped. */
export function statesOf(setup: Setup): Record<SetupStep, StepState> {
  const stateOf = (step: SetupStep): StepState => {
    if (setup[step].is_done) return 'done'
    return setup.skipped.includes(step) ? 'skipped' : 'open'
  }
  return Object.fromEntries(SetupStep.options.map((step) => [step, stateOf(step)])) as Record<SetupStep, StepState>
}

export const FACTS = 'grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 max-sm:grid-cols-1 max-sm:gap-y-0.5'

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="whitespace-nowrap text-quiet">{label}</dt>
      <dd className="min-w-0 wrap-anywhere text-ink max-sm:mb-1.5">{children}</dd>
    </div>
  )
}

export function Variable({ name }: { name: string }) {
  return <code className="rounded bg-mist px-1 font-mono text-[0.8125rem] wrap-anywhere text-ink">{name}</code>
}

/** How a test ended, in the words of the other side. `what` names what answers. */
export function Result({ check, what }: { check: Progress; what: string }) {
  const { state, at, answer, error, next_attempt_at: next } = check
  const isRetried = isOpen(check) && error !== null
  return (
    <div role="status" className="mt-3 rounded-lg border border-line bg-mist px-3 py-2">
      <p className={`font-semibold ${state === 'done' ? 'text-good' : error ? 'text-bad' : 'text-ink'}`}>
        {state === 'done' ? `Accepted by ${what}` : (error ?? `Waiting for ${what}...`)}
      </p>
      {answer && <p className="wrap-anywhere text-ink">It said: “{answer}”</p>}
      <p className="text-quiet">
        {isRetried && next ? `The next attempt is at ${formatSoon(next)}.` : <Since time={at} />}
      </p>
    </div>
  )
}

/** Says which address is missing or wrong; nothing if it looks like one. */
export function addressProblem(address: string): string | undefined {
  return /^\S+@\S+\.\S+$/.test(address) ? undefined : 'Enter an email address'
}

export function MailStep({ mail: { settings, check } }: { mail: Setup['mail'] }) {
  const email = useMe()?.email ?? ''
  const [problem, setProblem] = useState<string>()
  const test = useAction({
    act: (address: string) => act(checkConnection, { body: { email: address } }),
    failed: 'Failed to send the test email',
    changes: SETUP,
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const address = String(new FormData(event.currentTarget).get('email')).trim()
    const found = addressProblem(address)
    setProblem(found)
    if (!found) test.mutate(address)
  }
  return (
    <>
      {settings ? (
        <dl className={FACTS}>
          <Fact label="Mail server">{settings.server}</Fact>
          <Fact label="From">{settings.from}</Fact>
          <Fact label="Team">{settings.team}</Fact>
        </dl>
      ) : (
        <p className="text-ink">
          The worker needs <Variable name="SMTP_URL" />, <Variable name="MAIL_FROM" /> and{' '}
          <Variable name="TEAM_EMAIL" />. What they are shows here once it runs.
        </p>
      )}
      <form onSubmit={submit} noValidate className="mt-3 sm:-mb-2 flex flex-wrap items-start gap-x-3 gap-y-1">
        <TextField
          label="Send a test email to"
          name="email"
          type="email"
          autoComplete="email"
          defaultValue={email}
          error={problem}
          className="w-72 max-w-full"
        />
        <Button type="submit" variant="outline" className="sm:mt-6 staff:lg:min-h-11" busy={test.isPending}>
          Send test email
        </Button>
      </form>
      {check && <Result check={check} what={check.to ? `the mail server, for ${check.to}` : 'the mail server'} />}
    </>
  )
}

const CRM_NAMES: Record<string, string> = { hubspot: 'HubSpot', webhook: 'Webhook' }

export function CrmStep({ crm: { kind, host, check }, hasWorker }: { crm: Setup['crm']; hasWorker: boolean }) {
  if (kind === 'none')
    return (
      <div className="grid gap-2 text-ink">
        <p>No CRM is connected. Leads stay here.</p>
        <p>
          For HubSpot, set <Variable name="CRM_KIND=hubspot" /> and <Variable name="HUBSPOT_TOKEN" />. For any other
          system, set <Variable name="CRM_KIND=webhook" />, <Variable name="CRM_WEBHOOK_URL" /> and{' '}
          <Variable name="CRM_WEBHOOK_SECRET" />.
        </p>
      </div>
    )
  return (
    <>
      <dl className={FACTS}>
        <Fact label="CRM">{CRM_NAMES[kind] ?? kind}</Fact>
        {host && <Fact label="Host">{host}</Fact>}
        {!host && !hasWorker && <Fact label="Host">Shows once a worker runs</Fact>}
      </dl>
      <p className="mt-2 text-quiet">
        {kind === 'webhook'
          ? 'The test posts a signed event of the type “test”, which is about no lead.'
          : 'The test reads from the CRM and changes nothing there.'}
      </p>
      <ActionButton
        size="medium"
        className="mt-3"
        act={() => act(checkConnection, { body: {} })}
        failed="Failed to test the CRM"
        changes={SETUP}
      >
        Test the connection
      </ActionButton>
      {check && <Result check={check} what="the CRM" />}
    </>
  )
}

const RUNS: Record<string, string> = {
  done: 'Finished',
  failed: 'Failed',
  needs_approval: 'Waits for approval',
}

export function WordPressStep({
  wordpress: { url, last_run, is_running, clinics },
}: {
  wordpress: Setup['wordpress']
}) {
  const { start, pending } = useSync()
  const isBusy = pending !== undefined || is_running
  return (
    <>
      {url ? (
        <dl className={FACTS}>
          <Fact label="Source">
            <a href={url} className="underline decoration-edge underline-offset-3 hover:text-secondary">
              {url}
            </a>
          </Fact>
          <Fact label="Last sync">
            {last_run ? (
              <>
                {RUNS[last_run.state] ?? last_run.state}, <Since time={last_run.at} />
                {last_run.error && <span className="block text-bad">{last_run.error}</span>}
              </>
            ) : (
              'None yet'
            )}
          </Fact>
          <Fact label="Active providers">{clinics}</Fact>
        </dl>
      ) : (
        <p className="text-ink">
          No WordPress is connected. Set <Variable name="WORDPRESS_URL" />, and <Variable name="WORDPRESS_USER" /> with{' '}
          <Variable name="WORDPRESS_APP_PASSWORD" /> if the providers are not public.
        </p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        {url && (
          <Button variant="outline" busy={isBusy} onClick={() => start({ kind: 'sync' })}>
            {isBusy ? 'Syncing...' : 'Sync now'}
          </Button>
        )}
        <Link to="?tab=providers" className={buttonClass({ variant: 'ghost' })}>
          See the providers
        </Link>
      </div>
    </>
  )
}

export function TeamStep({ team: { accounts, invited } }: { team: Setup['team'] }) {
  return (
    <>
      <p className="text-ink">
        {accounts === 0
          ? 'Nobody has an account yet. With accounts, everyone acts under their own name.'
          : `${countOf(accounts, 'account')}${invited > 0 ? `, of which ${invited} invited and not signed in yet` : ''}.`}
        {accounts === 1 && ' A second person can act when you are away.'}
      </p>
      <Link to="?tab=staff" className={`mt-3 ${buttonClass({ variant: 'outline' })}`}>
        {accounts > 1 ? 'See the team' : 'Invite a person'}
      </Link>
    </>
  )
}
