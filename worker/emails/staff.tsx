import { brand } from '../../core/brand.ts'
import { deviceName } from '../../core/contract/device-name.ts'
import { formatMoment } from '../../core/dates.ts'
import type { AccountEmail, AccountEmailContext } from './email.ts'
import { Layout } from './layout.tsx'
import { Actions, Facts, Note, Paragraph } from './parts.tsx'
import { plain } from './words.ts'

const REASON = `You received this e-mail because this address has an account on the staff dashboard of ${brand.company}.`
const NOT_YOU = 'If this was not you, tell a manager at once, and ask them to reset your password.'

/** A link to choose the first password of an account. */
export const invitationEmail: AccountEmail = (context) => ({
  to: context.account.email,
  subject: `Your account on the ${brand.company} dashboard`,
  body: (
    <Layout preview="Choose a password to sign in." title={`Welcome, ${plain(context.account.name)}`} reason={REASON}>
      <Paragraph>
        {byWhom(context)} made an account for you. Choose a password, and you can sign in with {context.account.email}.
      </Paragraph>
      <LinkWords {...context} />
      <Note>If you did not expect an account, you can ignore this e-mail.</Note>
    </Layout>
  ),
})

/** A link to choose another password. The old one does not work any more. */
export const resetEmail: AccountEmail = (context) => ({
  to: context.account.email,
  subject: `Choose a new password for the ${brand.company} dashboard`,
  body: (
    <Layout preview="Your password was reset." title="Your password was reset" reason={REASON}>
      <Paragraph>
        {byWhom(context)} reset the password of your account. The old password does not work any more, and you were
        signed out everywhere.
      </Paragraph>
      <LinkWords {...context} />
      <Note>If you did not ask for this, tell a manager.</Note>
    </Layout>
  ),
})

/** Word that the password is another one now. */
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

/** Word of a sign-in from a browser that had not signed in to the account before. */
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

/** An account is known by its e-mail; the shared password and the command line have no name. */
function byWhom({ link }: AccountEmailContext): string {
  return link?.requestedBy.includes('@') ? `A manager (${link.requestedBy})` : 'A manager'
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
