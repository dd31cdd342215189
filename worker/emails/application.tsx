import type { Application } from '../../core/applications/contract/applications.ts'
import { telUrl } from '../../core/contract/contact.ts'
import { HELD_REASONS } from '../../core/contract/forms.ts'
import { formatMoment } from '../../core/dates.ts'
import { defineEmail, type Settings } from './email.ts'
import { Layout } from './layout.tsx'
import { A, Actions, Email, Facts, Note, Paragraph, Phone, Typed } from './parts.tsx'
import { aboutApplication, hostile } from './sample-people.ts'
import { plain, replyTo } from './words.ts'

/** The e-mail to our team about an application, new or held for review. Replies go to the applicant. */
export const application = defineEmail({
  about: 'application',
  purpose: 'team',
  load: ({ row: application }) => ({ application }),
  draft({ application, env }) {
    const { id, name, practice_name, email, phone, zip_code, held_reason } = application
    const isHeld = held_reason !== null

    return {
      replyTo: replyTo(name, email),
      subject: isHeld
        ? `Provider application ${id} is held for review`
        : `New provider application: ${plain(practice_name)} (${zip_code})`,
      body: (
        <Layout
          preview={isHeld ? 'Nothing has been sent to the applicant.' : 'To be reviewed within 24-48 hours.'}
          title={isHeld ? `Provider application ${id} is held` : 'A clinic has applied to join the network'}
          reason="You received this e-mail because this address is set as the team’s (TEAM_EMAIL)."
        >
          {isHeld ? (
            <Paragraph>
              This form was held. {HELD_REASONS[held_reason]} Nothing has been sent to the applicant. If this may be a
              person, release the application; if you are sure that it is not, delete it.
            </Paragraph>
          ) : (
            <Paragraph>The applicant was told that we will review the application within 24-48 hours.</Paragraph>
          )}
          <WhoApplies application={application} env={env} />
          <Actions
            of={[
              [
                isHeld ? 'Release or delete the application in the dashboard' : 'Open the application in the dashboard',
                `${env.PUBLIC_URL}/admin`,
              ],
              [`Call ${phone}`, isHeld ? null : telUrl(phone)],
            ]}
          />
          <Note>Replies to this e-mail go to the applicant.</Note>
        </Layout>
      ),
    }
  },
  samples: {
    application: ['To the team: an application', aboutApplication()],
    'application-held': [
      'To the team: a held application',
      aboutApplication({
        name: hostile.first_name,
        practice_name: hostile.last_name,
        phone: hostile.phone,
        website: null,
        message: hostile.acceptance_message,
        held_reason: 'honeypot',
      }),
    ],
  },
})

function WhoApplies({ application, env }: { application: Application } & Settings) {
  const { id, created_at, name, practice_name, email, phone, zip_code, website, message } = application
  return (
    <Facts
      of={[
        ['Application', `no. ${id}, ${formatMoment(created_at, env.NETWORK_TIME_ZONE)}`],
        ['Name', <Typed key="name">{name}</Typed>],
        ['Practice', <Typed key="practice">{practice_name}</Typed>],
        ['E-mail', <Email key="email">{email}</Email>],
        ['Phone', <Phone key="phone">{phone}</Phone>],
        ['Zip code', zip_code],
        ['Website', website && <A href={website}>{website}</A>],
        ['Message', message && <Lines of={plain(message)} />],
      ]}
    />
  )
}

/** Renders a text with its line breaks, which HTML would collapse. */
function Lines({ of: text }: { of: string }) {
  return text.split(/\r\n|\r|\n/).map((line, number) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change places
    <span key={number}>
      {number > 0 && <br />}
      {line}
    </span>
  ))
}
