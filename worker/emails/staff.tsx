import type { ReactNode } from 'react'
import { brand } from '../../core/brand/brand.ts'
import { staffLinkUrl } from '../../core/contract/page.ts'
import { formatMoment } from '../../core/dates.ts'
import type { AuditLine } from '../../core/staff/contract/audit-log.ts'
import { deviceName } from '../../core/staff/contract/session.ts'
import * as auditLog from '../../core/staff/stores/audit-log.ts'
import type { Recipient } from '../../core/staff/stores/staff-accounts.ts'
import * as accounts from '../../core/staff/stores/staff-accounts.ts'
import * as staffSessions from '../../core/staff/stores/staff-sessions.ts'
import { NotNeeded } from '../delivery-error.ts'
import type { TaskAbout } from '../handlers/handler.ts'
import { defineEmail, type Reading, type Settings } from './email.ts'
import { Layout } from './layout.tsx'
import { Actions, Facts, Note, Paragraph } from './parts.tsx'
import { aboutAccount } from './sample-people.ts'
import { plain } from './words.ts'

const REASON = `You received this email because this address has an account on the staff dashboard of ${brand.company}.`
const NOT_YOU = 'If this was not you, tell a manager right away and ask them to reset your password.'

type LinkContext = { account: Recipient; link: accounts.MadeLink & { url: string } }

/** Makes the link of an email. Each attempt makes a new token, because only hashes are stored. */
async function readLink(
  { job, row: account }: TaskAbout<'account'>,
  { db, env }: Reading,
  purpose: 'invitation' | 'reset',
): Promise<LinkContext> {
  const made = await accounts.makeToken(db, account.id, purpose, job.id)
  if (!made) throw new NotNeeded('The link is no longer needed.')
  return { account, link: { ...made, url: staffLinkUrl(env.PUBLIC_URL, made.token) } }
}

/** `act` is the change to the second factors, `at` its time (ISO 8601). */
type FactorContext = { account: Recipient; at: string; act: Pick<AuditLine, 'actor' | 'action' | 'details'> | null }

async function readFactor({ job, row: account }: TaskAbout<'account'>, { db }: Reading): Promise<FactorContext> {
  return { account, at: job.createdAt, act: await auditLog.findActOf(db, job.id) }
}

export const invitation = defineEmail({
  ...{ about: 'account', purpose: 'invitation', to: 'account' },
  label: 'Invitation to an account',
  load: (task, reading) => readLink(task, reading, 'invitation'),
  draft: (context) => ({
    subject: `Your account on the ${brand.company} dashboard`,
    body: (
      <Layout preview="Choose a password to sign in." title={`Welcome, ${plain(context.account.name)}`} reason={REASON}>
        <Paragraph>
          {byWhom(context.link.requestedBy)} created an account for you. Choose a password, then sign in with{' '}
          {context.account.email}.
        </Paragraph>
        <LinkWords {...context} />
        <Note>If you did not expect an account, you can ignore this email.</Note>
      </Layout>
    ),
  }),
  samples: { 'staff-invitation': ['To staff: invitation', aboutAccount] },
})

export const reset = defineEmail({
  ...{ about: 'account', purpose: 'reset', to: 'account' },
  label: 'Link to reset a password',
  load: (task, reading) => readLink(task, reading, 'reset'),
  draft: (context) => ({
    subject: `Choose a new password for the ${brand.company} dashboard`,
    body: (
      <Layout preview="Choose a new password." title="Choose a new password" reason={REASON}>
        {context.link.requestedBy === context.account.email ? (
          <Paragraph>
            A new password was requested for your account. Until you choose one, the old password works. If you did not
            ask for this, you can ignore this email.
          </Paragraph>
        ) : (
          <Paragraph>
            {byWhom(context.link.requestedBy)} reset your password. The old password no longer works, and you were
            signed out everywhere. If you did not ask for this, tell a manager.
          </Paragraph>
        )}
        <LinkWords {...context} />
      </Layout>
    ),
  }),
  samples: { 'staff-reset': ['To staff: reset', aboutAccount] },
})

export const password_changed = defineEmail({
  ...{ about: 'account', purpose: 'password_changed', to: 'account' },
  ...{ label: 'Notice: password changed', eachCounts: true },
  load: ({ job, row: account }) => ({ account, at: job.createdAt }),
  draft: ({ at, env }) => ({
    subject: `Your password for the ${brand.company} dashboard was changed`,
    body: (
      <Notice title="Your password was changed">
        <Paragraph>
          The password of your account was changed on {formatMoment(at, env.NETWORK_TIME_ZONE)}. Your other browsers
          were signed out.
        </Paragraph>
        <Paragraph>{NOT_YOU}</Paragraph>
      </Notice>
    ),
  }),
  samples: { 'staff-password-changed': ['To staff: password changed', aboutAccount] },
})

export const new_browser = defineEmail({
  ...{ about: 'account', purpose: 'new_browser', to: 'account' },
  ...{ label: 'Notice: sign-in from a new browser', eachCounts: true },
  load: async ({ job, row: account }, { db }) => ({
    ...{ account, at: job.createdAt },
    session: await staffSessions.findDevice(db, job.id),
  }),
  draft: ({ at, session, env }) => ({
    subject: `New sign-in to the ${brand.company} dashboard`,
    body: (
      <Notice title="A new browser signed in to your account">
        <Facts
          of={[
            ['Time', formatMoment(at, env.NETWORK_TIME_ZONE)],
            ['Browser', session && deviceName(session.userAgent)],
            ['IP address', session?.ip],
          ]}
        />
        <Paragraph>If this was you, there is nothing to do.</Paragraph>
        <Paragraph>{NOT_YOU}</Paragraph>
      </Notice>
    ),
  }),
  samples: { 'staff-new-browser': ['To staff: new browser', aboutAccount] },
})

const FACTORS: Record<string, string> = { totp: 'Authenticator app', recovery_codes: 'Recovery codes' }

const NOT_YOUR_FACTOR =
  'If this was not you, tell a manager right away and ask them to reset your password and your two-step sign-in.'

export const new_factor = defineEmail({
  ...{ about: 'account', purpose: 'new_factor', to: 'account' },
  ...{ label: 'Notice: two-step sign-in added', eachCounts: true },
  load: readFactor,
  draft: (context) => ({
    subject: `New two-step sign-in for the ${brand.company} dashboard`,
    body: (
      <Notice title="Two-step sign-in was set up for your account">
        <Facts
          of={[
            ['Added', FACTORS[String(context.act?.details.kind)]],
            ['Time', formatMoment(context.at, context.env.NETWORK_TIME_ZONE)],
          ]}
        />
        <Paragraph>Your other browsers were signed out.</Paragraph>
        <Paragraph>{NOT_YOUR_FACTOR}</Paragraph>
      </Notice>
    ),
  }),
  samples: { 'staff-new-factor': ['To staff: new way to sign in', aboutAccount] },
})

/** The notice of a removed second factor: by the owner, or all of them by a manager. */
export const factor_removed = defineEmail({
  ...{ about: 'account', purpose: 'factor_removed', to: 'account' },
  ...{ label: 'Notice: two-step sign-in removed', eachCounts: true },
  load: readFactor,
  draft: (context) => ({
    subject: `Two-step sign-in removed from the ${brand.company} dashboard`,
    body: (
      <Notice title="Two-step sign-in was turned off for your account">
        <Facts of={[['Time', formatMoment(context.at, context.env.NETWORK_TIME_ZONE)]]} />
        {context.act?.action === 'reset-factors' ? (
          <>
            <Paragraph>
              {byWhom(context.act.actor)} reset it, and you were signed out everywhere. Sign in with your password, then
              set it up again.
            </Paragraph>
            <Paragraph>If you did not ask for this, tell a manager right away.</Paragraph>
          </>
        ) : (
          <>
            <Paragraph>Your other browsers were signed out.</Paragraph>
            <Paragraph>{NOT_YOUR_FACTOR}</Paragraph>
          </>
        )}
      </Notice>
    ),
  }),
  samples: {
    'staff-factor-removed': [
      'To staff: two-step sign-in reset',
      { ...aboutAccount, act: { actor: 'ben@leadwell.example', action: 'reset-factors', details: {} } },
    ],
  },
})

const Notice = ({ title, children }: { title: string; children: ReactNode }) => (
  <Layout preview="If this was not you, tell a manager." title={title} reason={REASON}>
    {children}
  </Layout>
)

/** Names the actor by the account's email. The shared password and the command line have no name. */
function byWhom(actor = ''): string {
  return actor.includes('@') ? `A manager (${actor})` : 'A manager'
}

function LinkWords({ link, env }: LinkContext & Settings) {
  return (
    <>
      <Actions of={[['Choose your password', link.url]]} />
      <Paragraph>
        The link works once, until {formatMoment(link.expiresAt, env.NETWORK_TIME_ZONE)}. Do not forward this email:
        anyone with the link can open your account.
      </Paragraph>
    </>
  )
}
