import { brand } from '../../core/brand/brand.ts'
import { deviceName } from '../../core/contract/device-name.ts'
import { formatMoment } from '../../core/dates.ts'
import type { AccountEmail, AccountEmailContext } from './email.ts'
import { Layout } from './layout.tsx'
import { Actions, Facts, Note, Paragraph } from './parts.tsx'
import { plain } from './words.ts'

const REASON = `You received this e-mail because this address has an account on the staff dashboard of ${brand.company}.`
const NOT_YOU = 'If this was not you, tell a manager at once, and ask them to reset your password.'

/** Returns the e-mail with the link to choose the first password of an account. */
export const invitationEmail: AccountEmail = (context) => ({
  to: context.account.email,
  subject: `Your account on the ${brand.company} dashboard`,
  body: (
    <Layout preview="Choose a password to sign in." title={`Welcome, ${plain(context.account.name)}`} reason={REASON}>
      <Paragraph>
        {byWhom(context.link?.requestedBy)} made an account for you. Choose a password, and you can sign in with{' '}
        {context.account.email}.
      </Paragraph>
      <LinkWords {...context} />
      <Note>If you did not expect an account, you can ignore this e-mail.</Note>
    </Layout>
  ),
})

/** Returns the e-mail with the link to choose a new password. The old one no longer works. */
export const resetEmail: AccountEmail = (context) => ({
  to: context.account.email,
  subject: `Choose a new password for the ${brand.company} dashboard`,
  body: (
    <Layout preview="Your password was reset." title="Your password was reset" reason={REASON}>
      <Paragraph>
        {byWhom(context.link?.requestedBy)} reset the password of your account. The old password does not work any more,
        and you were signed out everywhere.
      </Paragraph>
      <LinkWords {...context} />
      <Note>If you did not ask for this, tell a manager.</Note>
    </Layout>
  ),
})

/** Returns the notice of a changed password. */
export const passwordChangedEmail: AccountEmail = ({ account, at, env }) => ({
  to: account.email,
  subject: `Your password for the ${brand.company} dashboard was changed`,
  body: (
    <Layout preview="If this was not you, tell a manager." title="Your password was changed" reason={REASON}>
      <Paragraph>
        The password of your account was changed on {formatMoment(at, env.NETWORK_TIME_ZONE)}. Your other browsers were
        signed out.
      </Paragraph>
      <Paragraph>{NOT_YOU}</Paragraph>
    </Layout>
  ),
})

/** Returns the notice of the first sign-in to the account from a browser. */
export const newBrowserEmail: AccountEmail = ({ account, at, session, env }) => ({
  to: account.email,
  subject: `New sign-in to the ${brand.company} dashboard`,
  body: (
    <Layout
      preview="If this was not you, tell a manager."
      title="A new browser signed in to your account"
      reason={REASON}
    >
      <Facts
        of={[
          ['Time', formatMoment(at, env.NETWORK_TIME_ZONE)],
          ['Browser', session && deviceName(session.userAgent)],
          ['IP address', session?.ip],
        ]}
      />
      <Paragraph>If this was you, there is nothing to do.</Paragraph>
      <Paragraph>{NOT_YOU}</Paragraph>
    </Layout>
  ),
})

const FACTORS: Record<string, string> = {
  totp: 'Authenticator app',
  passkey: 'Passkey',
  recovery_codes: 'Recovery codes',
}

/** Returns the name of a second factor: `Passkey “Work laptop”`. */
function factorName({ act }: AccountEmailContext): string | undefined {
  const { kind, name } = act?.details ?? {}
  const words = FACTORS[String(kind)]
  return name ? `${words} “${plain(String(name))}”` : words
}

const NOT_YOUR_FACTOR =
  'If this was not you, tell a manager at once, and ask them to reset your password and your two-step sign-in.'

/** Returns the notice of a new second factor or of new recovery codes. */
export const newFactorEmail: AccountEmail = (context) => ({
  to: context.account.email,
  subject: `New two-step sign-in for the ${brand.company} dashboard`,
  body: (
    <Layout
      preview="If this was not you, tell a manager."
      title="Your account has a new way to sign in"
      reason={REASON}
    >
      <Facts
        of={[
          ['Added', factorName(context)],
          ['Time', formatMoment(context.at, context.env.NETWORK_TIME_ZONE)],
        ]}
      />
      <Paragraph>Your other browsers were signed out.</Paragraph>
      <Paragraph>{NOT_YOUR_FACTOR}</Paragraph>
    </Layout>
  ),
})

/** Returns the notice of a removed second factor: by the owner, or all of them by a manager. */
export const factorRemovedEmail: AccountEmail = (context) => ({
  to: context.account.email,
  subject: `Two-step sign-in removed from the ${brand.company} dashboard`,
  body: (
    <Layout
      preview="If this was not you, tell a manager."
      title="Your account has lost a way to sign in"
      reason={REASON}
    >
      <Facts
        of={[
          ['Removed', factorName(context) ?? 'All of two-step sign-in'],
          ['Time', formatMoment(context.at, context.env.NETWORK_TIME_ZONE)],
        ]}
      />
      {context.act?.action === 'reset-factors' ? (
        <>
          <Paragraph>
            {byWhom(context.act.actor)} reset it, and you were signed out everywhere. Sign in with your password, and
            set it up again.
          </Paragraph>
          <Paragraph>If you did not ask for this, tell a manager at once.</Paragraph>
        </>
      ) : (
        <>
          <Paragraph>Your other browsers were signed out.</Paragraph>
          <Paragraph>{NOT_YOUR_FACTOR}</Paragraph>
        </>
      )}
    </Layout>
  ),
})

/** Names the actor by the account's e-mail. The shared password and the command line have no name. */
function byWhom(actor = ''): string {
  return actor.includes('@') ? `A manager (${actor})` : 'A manager'
}

function LinkWords({ link, env }: AccountEmailContext) {
  if (!link) return null
  return (
    <>
      <Actions of={[['Choose your password', link.url]]} />
      <Paragraph>
        The link works once, until {formatMoment(link.expiresAt, env.NETWORK_TIME_ZONE)}. Do not forward this e-mail:
        anyone with the link can open your account.
      </Paragraph>
    </>
  )
}
