import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link } from 'react-router-dom'
import { beforeGoingLive } from '../../../core/brand/go-live.ts'
import {
  checkConnection,
  deleteTestLead,
  getSetup,
  type Progress,
  type Setup,
  sendTestLead,
} from '../../../core/conditions/contract/integrations.ts'
import { SECOND } from '../../../core/contract/time.ts'
import { act, call } from '../../lib/call.ts'
import { formatSoon } from '../../lib/dates.ts'
import { countOf } from '../../lib/numbers.ts'
import { ActionButton, Facts, Since } from '../../ui/action-button.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Alert } from '../../ui/feedback.tsx'
import { Loaded } from '../../ui/load-error.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useMe } from '../access.tsx'
import { LeadTimeline } from '../leads/lead-timeline.tsx'
import { leadQuery } from '../leads/use-leads-page.ts'
import { useProviders } from '../providers/list-providers.tsx'
import { SyncButton } from '../sync/sync-drawer.tsx'

const isOpen = ({ state }: Progress) => state === 'waiting' || state === 'enqueued'

const isUnderWay = ({ mail, crm, wordpress }: Setup) =>
  wordpress.is_running || [mail.check, crm.check].some((check) => check !== null && isOpen(check))

export function SetupPanel() {
  const query = useQuery({
    queryKey: ['setup'],
    queryFn: () => call(getSetup),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) ? SECOND : 10 * SECOND),
  })
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4 text-sm">
      <Loaded of={query} fallback="Failed to load the setup" className="h-96 w-full">
        {({ has_worker, mail, crm, wordpress, team, test_lead }) => (
          <>
            <div>
              <h2 className="text-base font-semibold text-ink">Setup</h2>
              <p className="mt-1 text-quiet">
                {[mail, crm, wordpress, team, test_lead].filter((step) => step.is_done).length} of 5 done. Connections
                are made by environment variables. Test each of them here, then send a test lead.
              </p>
            </div>
            {!has_worker && (
              <Alert title="No worker is running, so nothing is sent">
                Start one with <Variable name="npm run start:worker" />. If a setting is missing, its log lists each of
                them.
              </Alert>
            )}
            <Card title="Send email" action={done(mail)}>
              <MailStep mail={mail} />
            </Card>
            <Card title="Connect the CRM" action={done(crm)}>
              <CrmStep crm={crm} />
            </Card>
            <Card title="Read the providers from WordPress" action={done(wordpress)}>
              <WordPressStep wordpress={wordpress} />
            </Card>
            <Card title="Invite your team" action={done(team)}>
              <TeamStep team={team} />
            </Card>
            <Card title="Send a test lead" action={done(test_lead)}>
              <TestLeadStep step={test_lead} crmKind={crm.kind} />
            </Card>
          </>
        )}
      </Loaded>
      <Card
        title="Before you go live"
        note={
          <>
            Replace or decide these before you show the site to real visitors. The company’s own data is in{' '}
            <Variable name="core/brand" />.
          </>
        }
      >
        <ul className="divide-y divide-line">
          {beforeGoingLive().map(({ what, why }) => (
            <li key={what} className="py-1.5">
              <p className="wrap-anywhere text-ink">{what}</p>
              <p className="text-quiet">{why}</p>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  )
}

const done = ({ is_done }: { is_done: boolean }) => is_done && <span className="text-good">✓ Done</span>

function Variable({ name }: { name: string }) {
  return <code className="rounded bg-mist px-1 font-mono text-[0.8125rem] wrap-anywhere text-ink">{name}</code>
}

/** How a test ended, in the words of the other side. `what` names what answers. */
function Result({ check, what }: { check: Progress; what: string }) {
  const { state, at, answer, error, next_attempt_at: next } = check
  return (
    <div role="status" className="mt-3 rounded-lg border border-line bg-mist px-3 py-2">
      <p className={`font-semibold ${state === 'done' ? 'text-good' : error ? 'text-bad' : 'text-ink'}`}>
        {state === 'done' ? `Accepted by ${what}` : (error ?? `Waiting for ${what}...`)}
      </p>
      {answer && <p className="wrap-anywhere text-ink">It said: “{answer}”</p>}
      <p className="text-quiet">
        {isOpen(check) && error && next ? `The next attempt is at ${formatSoon(next)}.` : <Since time={at} />}
      </p>
    </div>
  )
}

function MailStep({ mail: { settings, check } }: { mail: Setup['mail'] }) {
  const test = useAction({
    act: (email: string) => act(checkConnection, { body: { email } }),
    failed: 'Failed to send the test email',
    changes: 'setup',
  })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    test.mutate(String(new FormData(event.currentTarget).get('email')).trim())
  }
  return (
    <>
      {settings ? (
        <Facts
          of={[
            ['Mail server', settings.server],
            ['From', settings.from],
            ['Team', settings.team],
          ]}
        />
      ) : (
        <p className="text-ink">
          The worker needs <Variable name="SMTP_URL" />, <Variable name="MAIL_FROM" /> and{' '}
          <Variable name="TEAM_EMAIL" />. What they are shows here once it runs.
        </p>
      )}
      <form onSubmit={submit} className="mt-3 flex flex-wrap items-start gap-x-3 gap-y-1 sm:-mb-2">
        <OwnEmailField label="Send a test email to" />
        <Button type="submit" variant="outline" className="sm:mt-6 staff:lg:min-h-11" busy={test.isPending}>
          Send test email
        </Button>
      </form>
      {check && <Result check={check} what={check.to ? `the mail server, for ${check.to}` : 'the mail server'} />}
    </>
  )
}

const CRM_NAMES: Record<string, string> = { hubspot: 'HubSpot', webhook: 'Webhook' }

function CrmStep({ crm: { kind, host, check } }: { crm: Setup['crm'] }) {
  if (kind === 'none')
    return (
      <p className="text-ink">
        No CRM is connected. Leads stay here. For HubSpot, set <Variable name="CRM_KIND=hubspot" /> and{' '}
        <Variable name="HUBSPOT_TOKEN" />. For any other system, set <Variable name="CRM_KIND=webhook" />,{' '}
        <Variable name="CRM_WEBHOOK_URL" /> and <Variable name="CRM_WEBHOOK_SECRET" />.
      </p>
    )
  return (
    <>
      <Facts
        of={[
          ['CRM', CRM_NAMES[kind] ?? kind],
          ['Host', host ?? 'Shows once a worker runs'],
        ]}
      />
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
        changes="setup"
      >
        Test the connection
      </ActionButton>
      {check && <Result check={check} what="the CRM" />}
    </>
  )
}

const RUNS: Record<string, string> = { done: 'Finished', failed: 'Failed', needs_approval: 'Waits for approval' }

function WordPressStep({ wordpress: { url, last_run, clinics } }: { wordpress: Setup['wordpress'] }) {
  if (!url)
    return (
      <p className="text-ink">
        No WordPress is connected. Set <Variable name="WORDPRESS_URL" />, and <Variable name="WORDPRESS_USER" /> with{' '}
        <Variable name="WORDPRESS_APP_PASSWORD" /> if the providers are not public.
      </p>
    )
  return (
    <>
      <Facts
        of={[
          [
            'Source',
            <a key="url" href={url} className="underline decoration-edge underline-offset-3 hover:text-secondary">
              {url}
            </a>,
          ],
          ['Last sync', last_run ? `${RUNS[last_run.state] ?? last_run.state}. ${last_run.error ?? ''}` : 'None yet'],
          ['Active providers', clinics],
        ]}
      />
      <div className="mt-3 flex flex-wrap gap-2">
        <SyncButton />
        <Link to="?tab=providers" className={buttonClass({ variant: 'ghost', size: 'small' })}>
          See the providers
        </Link>
      </div>
    </>
  )
}

function TeamStep({ team: { accounts, invited } }: { team: Setup['team'] }) {
  return (
    <>
      <p className="text-ink">
        {accounts === 0
          ? 'Nobody has an account yet. With accounts, everyone acts under their own name.'
          : `${countOf(accounts, 'account')}${invited > 0 ? `, of which ${invited} invited and not signed in yet` : ''}.`}
        {accounts === 1 && ' A second person can act when you are away.'}
      </p>
      <Link to="?tab=staff" className={`mt-3 ${buttonClass({ variant: 'outline', size: 'small' })}`}>
        {accounts > 1 ? 'See the team' : 'Invite a person'}
      </Link>
    </>
  )
}

type TestLeadProps = { step: Setup['test_lead']; crmKind: string }

/** Sends a lead on its real way, and shows what happens to it. Every email about it goes to the address of the staff. */
function TestLeadStep({ step: { lead_id, zip_code }, crmKind }: TestLeadProps) {
  return (
    <>
      <p className="text-quiet">
        Sends a lead named Test Lead through the normal flow. All its emails go to you and are marked as a test. It is
        excluded from all figures
        {crmKind === 'none' ? '.' : ', and the CRM gets it with a made-up address.'}
      </p>
      {lead_id === null ? <TestLeadForm zip={zip_code ?? ''} /> : <Way id={lead_id} />}
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
      <OwnEmailField label="Your email" />
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

function Way({ id }: { id: number }) {
  const providers = useProviders().data
  return (
    <>
      <div className="mt-3">
        <Loaded of={useQuery(leadQuery(id))} fallback="Failed to load the test lead" className="h-40 w-full">
          {(lead) => (
            <>
              {lead.provider_id === null && (
                <p className="mb-3 text-wait">
                  {lead.held_reason
                    ? 'It is held, so nothing is sent. Delete it, and use another address.'
                    : 'It has no provider yet. If none is found, delete it and send one with the zip code of a provider.'}
                </p>
              )}
              <LeadTimeline lead={lead} provider={providers?.find((each) => each.id === lead.provider_id)?.name} />
            </>
          )}
        </Loaded>
      </div>
      <div className="mt-4 flex flex-wrap gap-2">
        <Link to={`?tab=leads&lead=${id}`} className={buttonClass({ variant: 'outline', size: 'small' })}>
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

function OwnEmailField({ label }: { label: string }) {
  return (
    <TextField
      label={label}
      name="email"
      type="email"
      autoComplete="email"
      required
      defaultValue={useMe()?.email ?? ''}
      className="w-72 max-w-full"
    />
  )
}
