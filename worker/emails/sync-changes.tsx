import type { ReactNode } from 'react'
import { CLINIC_PATH, clinicSignInUrl } from '../../core/contract/page.ts'
import { formatCount } from '../../core/contract/texts.ts'
import { formatMoment } from '../../core/dates.ts'
import * as clinicLinks from '../../core/providers/stores/clinic-links.ts'
import * as clinicPeople from '../../core/providers/stores/clinic-people.ts'
import type { Provider } from '../../core/providers/stores/providers.ts'
import type { SyncChange, SyncRunDetails } from '../../core/sync/contract/sync.ts'
import { NotNeeded } from '../delivery-error.ts'
import { defineEmail, type Settings } from './email.ts'
import { ToAClinic, ToTheTeam } from './layout.tsx'
import { Actions, Email, Facts, Note, Paragraph, Subtitle, Typed } from './parts.tsx'
import { CREATED, changed, NEW_EMAIL, env as sampleEnv, provider as sampleProvider, syncRun } from './sample-people.ts'
import { clinicName } from './words.ts'

/** `link` signs in to the clinic's pages, where its address is confirmed; null if there is nothing to confirm. */
type Context = { run: SyncRunDetails; provider: Provider; change: SyncChange; to: string; link: string | null }

/** Goes to the address from before the sync; a new one must be confirmed. Asks a waiting clinic to activate instead. */
export const provider_changed = defineEmail({
  ...{ about: 'sync', purpose: 'provider_changed', to: 'stated', payload: 'provider' },
  label: 'Email to the provider: what a sync changed',
  async load({ job, row: run, payload }, { db, env, known }): Promise<Context> {
    const provider = known.provider(payload.providerId)
    const change = provider && changeOf(run, provider)
    if (!provider || !change?.recipient) throw new NotNeeded('The provider or the change is gone.')
    const isWaiting = provider.activation === 'waiting'
    if (change.kind === 'create' && !isWaiting) throw new NotNeeded('The provider no longer waits for its activation.')
    const newEmail = change.fields.find(({ field }) => field === 'email')?.to
    const isAsked = newEmail && (await clinicPeople.findAsked(db, provider.id)) === newEmail
    // Each attempt has its own link: whether an earlier email arrived is unknown, and its token is not stored.
    const linkOwner = { jobId: job.id, providerId: provider.id, email: change.recipient }
    const token = isWaiting || isAsked ? await clinicLinks.makeTokenFor(db, linkOwner) : null
    const link = token && clinicSignInUrl(env.PUBLIC_URL, token, isWaiting ? 'requests' : 'people')
    return { run, provider, change, to: change.recipient, link }
  },
  draft: (context) => (context.provider.activation === 'waiting' ? activation(context) : changesNotice(context)),
  samples: {
    'clinic-new-address': [
      'To the clinic: its address was changed',
      aboutChange(changed({ fields: [NEW_EMAIL, ...changed().fields] }), {
        link: `${sampleEnv.PUBLIC_URL}/clinic#sample`,
      }),
    ],
    'clinic-changed': ['To the clinic: its phone number was changed', aboutChange(changed())],
    'clinic-activation': [
      'To the clinic: may requests come to its address?',
      aboutChange(
        { ...CREATED, recipient: 'desk@wren.example' },
        {
          provider: { ...sampleProvider, id: 8, wordpress_id: CREATED.wordpress_id, activation: 'waiting' },
          link: `${sampleEnv.PUBLIC_URL}/clinic#sample`,
        },
      ),
    ],
  },
})

function aboutChange(change: SyncChange, also: Partial<Context> = {}): Context {
  return { run: syncRun(change), provider: sampleProvider, change, to: change.recipient ?? '', link: null, ...also }
}

/** Finds what a run changed of a provider. A new one has no id in its run, which lists it by its post. */
function changeOf(run: SyncRunDetails, { id, wordpress_id }: Provider): SyncChange | undefined {
  return run.changes.find(
    (change) =>
      change.recipient !== undefined &&
      (change.provider_id === null ? change.wordpress_id === wordpress_id : change.provider_id === id),
  )
}

const repliesToTeam = ({ TEAM_EMAIL }: Settings['env']) => ({ name: TEAM_EMAIL, address: TEAM_EMAIL })

function changesNotice({ run, provider, change, link, env }: Context & Settings) {
  const newEmail = change.fields.find(({ field }) => field === 'email')?.to
  const practice = clinicName(provider)

  return {
    replyTo: repliesToTeam(env),
    subject: newEmail
      ? `Please confirm the new email address of ${practice}`
      : `The details of ${practice} were changed`,
    body: (
      <ToAClinic
        preview={newEmail ? 'Your requests still come to this address.' : 'Please check whether you expected this.'}
        title={newEmail ? 'Your email address was changed' : 'Your details were changed'}
      >
        <Paragraph>Hello {practice},</Paragraph>
        <Paragraph>These details were changed on our website on {momentOf(run, env)}:</Paragraph>
        <Facts of={factsOf(change)} />
        {newEmail && link && (
          <>
            <Paragraph>
              {provider.requestEmail === provider.email
                ? `Requests from patients still come to this address, ${provider.email}. They go to the new address once you
                  or our team confirms it.`
                : `Requests from patients go to ${provider.requestEmail}, as your clinic chose. That does not change.`}
            </Paragraph>
            <Actions of={[['Open your pages to confirm the new address', link]]} />
            <LinkNote env={env}>The page asks you again before anything changes.</LinkNote>
          </>
        )}
        <Subtitle>Not you?</Subtitle>
        <Paragraph>
          {newEmail && link && 'Do not confirm the new address. '}Please write to <Email>{env.TEAM_EMAIL}</Email> right
          away, or reply to this email.
        </Paragraph>
        <Note>Changed by sync no. {run.id}, which reads clinic details from the editors’ website.</Note>
      </ToAClinic>
    ),
  }
}

/** Returns the email that asks a new clinic whether its requests may come to this address. */
function activation({ provider, link, env }: Context & Settings) {
  const practice = clinicName(provider)
  return {
    replyTo: repliesToTeam(env),
    subject: `Please confirm that requests for ${practice} may come here`,
    body: (
      <ToAClinic preview="Your clinic gets requests once you confirm this address." title="Confirm your email address">
        <Paragraph>Hello {practice},</Paragraph>
        <Paragraph>
          Our website now lists your clinic. Requests from patients come to this address once you or our team confirms
          it.
        </Paragraph>
        <Actions of={[['Confirm this address', link]]} />
        <LinkNote env={env}>It signs you in to your clinic’s pages.</LinkNote>
        <Subtitle>Don’t know this clinic?</Subtitle>
        <Paragraph>
          Then do not confirm it. Please write to <Email>{env.TEAM_EMAIL}</Email>, or reply to this email.
        </Paragraph>
      </ToAClinic>
    ),
  }
}

const LinkNote = ({ env, children }: { env: Settings['env']; children: string }) => (
  <Note>
    The link works once, for seven days. {children} After that, ask for a new one at {env.PUBLIC_URL}
    {CLINIC_PATH}.
  </Note>
)

/** The email to our team about unapproved changes by a sync that affect the routing of leads. */
export const sync_team = defineEmail({
  ...{ about: 'sync', purpose: 'team', to: 'team' },
  label: 'Email to the team',
  load: ({ row: run }) => ({ run }),
  draft({ run, env }) {
    const changes = run.changes.filter(({ recipient, kind }) => recipient !== undefined || kind === 'create')
    const shown = changes.slice(0, MAX_SHOWN)
    return {
      subject: `A sync changed ${changes.length === 1 ? '1 provider' : `${changes.length} providers`}: please check`,
      body: (
        <ToTheTeam
          preview="These changes decide where requests and visitors go."
          title="Please check what a sync changed"
        >
          <Paragraph>
            Sync no. {run.id} of {momentOf(run, env)} read these changes from WordPress. They decide where requests and
            visitors go.
          </Paragraph>
          <Paragraph>
            A new email address is not used, and a new provider gets no requests, until the provider or a manager
            confirms it. Everything else is already in use.
          </Paragraph>
          {shown.map((change) => (
            <div key={change.wordpress_id}>
              <Subtitle>
                {TITLES[change.kind]}: <Typed>{change.name}</Typed>
              </Subtitle>
              <Facts of={factsOf(change)} />
            </div>
          ))}
          {changes.length > shown.length && <Paragraph>And {changes.length - shown.length} more.</Paragraph>}
          <Actions of={[['See the sync in the dashboard', `${env.PUBLIC_URL}/admin?tab=providers&sync=${run.id}`]]} />
          <Paragraph>
            If you did not expect a change, keep the old address in the dashboard, correct WordPress, and find out which
            account made it there.
          </Paragraph>
        </ToTheTeam>
      ),
    }
  },
  samples: {
    'team-sync': ['To the team: what a sync changed', { run: syncRun(changed({ fields: [NEW_EMAIL] }), CREATED) }],
  },
})

const MAX_SHOWN = 20
const TITLES: Record<SyncChange['kind'], string> = {
  create: 'New provider',
  update: 'Changed',
  reactivate: 'Active again',
  deactivate: 'Deactivated',
}
const LABELS: Record<string, string> = {
  name: 'Name',
  practiceName: 'Practice',
  email: 'Email',
  phone: 'Phone',
  website: 'Website',
  address: 'Street address',
  domain: 'Website address of the clinic’s page',
}

function factsOf({ kind, fields, zipCode, moved_miles }: SyncChange): [string, ReactNode][] {
  const sensitive = fields.filter(({ field }) => field in LABELS)
  return [
    ...(kind === 'reactivate' ? [['Status', 'takes requests again'] as [string, string]] : []),
    ...(kind === 'create' ? [['Zip code', zipCode] as [string, string]] : []),
    ...(moved_miles === undefined ? [] : [['Place on the map', placeWords(moved_miles, zipCode)] as [string, string]]),
    ...sensitive.map(({ field, from, to }): [string, ReactNode] => [
      LABELS[field] as string,
      <Typed key={field}>{from === null ? `${to ?? 'none'}` : `${to ?? 'none'} (before: ${from})`}</Typed>,
    ]),
  ]
}

function placeWords(miles: number | null, zipCode: string): string {
  const moved = miles === null ? 'moved' : `moved by ${formatCount(Math.round(miles))} miles`
  return `${moved}, now zip code ${zipCode}`
}

function momentOf(run: SyncRunDetails, env: Settings['env']): string {
  return formatMoment(run.finished_at ?? run.created_at, env.NETWORK_TIME_ZONE)
}
