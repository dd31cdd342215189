import type { Application } from '../../core/applications/contract/applications.ts'
import { brand } from '../../core/brand/brand.ts'
import { HELD_REASONS } from '../../core/contract/forms.ts'
import { telUrl } from '../../core/contract/texts.ts'
import { formatMoment } from '../../core/dates.ts'
import { spaced } from '../../core/leads/rules/holds.ts'
import { defineEmail, type Settings } from './email.ts'
import { Layout, ToTheTeam } from './layout.tsx'
import { personsLink } from './links.ts'
import { A, Actions, Email, Facts, Note, Paragraph, Phone, Steps, Subtitle, Typed } from './parts.tsx'
import { aboutApplication, hostile } from './sample-people.ts'
import { plain, replyTo, thanks } from './words.ts'

/** The email to our team about an application, new or held for review. Replies go to the applicant. */
export const application = defineEmail({
  ...{ about: 'application', purpose: 'team', to: 'team' },
  label: 'Email to the team',
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
        <ToTheTeam
          preview={isHeld ? 'Nothing has been sent to the applicant.' : 'To be reviewed within 24-48 hours.'}
          title={isHeld ? `Provider application ${id} is held` : 'A provider has applied to join the network'}
        >
          {isHeld ? (
            <Paragraph>
              This form was held. {HELD_REASONS[held_reason]} Nothing has been sent to the applicant. If this could be a
              person, release the application. If you are sure it is not, delete it.
            </Paragraph>
          ) : (
            <Paragraph>The applicant knows that we will review the application within 24-48 hours.</Paragraph>
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
          <Note>Replies to this email go to the applicant.</Note>
        </ToTheTeam>
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
        ['Email', <Email key="email">{email}</Email>],
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

export const applicant = defineEmail({
  ...{ about: 'application', purpose: 'applicant', to: 'applicant' },
  ...{ label: 'Email to the applicant', isContact: true },
  load: ({ row: application }, { env }) => ({ application, optOutUrl: personsLink(env, application.email, null) }),
  draft: ({ application: { name, practice_name, zip_code }, optOutUrl }) => ({
    subject: `We have received your application to join ${brand.company}`,
    body: (
      <Layout
        preview="We will review your application within 24-48 hours."
        title={thanks(name)}
        reason={`You received this email because someone applied to ${brand.company} with your address.`}
        optOutUrl={optOutUrl}
      >
        <Paragraph>
          We have received the application of {spaced(plain(practice_name))} (zip code {zip_code}). We will review it
          within 24-48 hours, then call or write to you with the outcome.
        </Paragraph>
        <Subtitle>What happens next</Subtitle>
        <Steps
          of={[
            ['apply', 'Apply online: done. There is nothing else to send.'],
            ['train', 'Train and get certified: a one-day virtual session and a hands-on workshop.'],
            ['offer', 'Offer the protocol: you are listed in the network, and we send you patients near you.'],
          ]}
        />
        <Paragraph>If you have a question, reply to this email or call {brand.phone}.</Paragraph>
        <Note>If you did not apply, please tell us, and we will delete the application.</Note>
      </Layout>
    ),
  }),
  samples: { applicant: ['To the applicant', aboutApplication()] },
})
