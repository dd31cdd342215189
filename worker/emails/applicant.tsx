import { brand } from '../../core/brand/brand.ts'
import { spaced } from '../../core/deliveries/rules/automation.ts'
import { personsLink } from '../handlers/opt-out-links.ts'
import { defineEmail } from './email.ts'
import { Layout } from './layout.tsx'
import { Note, Paragraph, Steps, Subtitle } from './parts.tsx'
import { aboutApplication } from './sample-people.ts'
import { plain, thanks } from './words.ts'

/** The e-mail to the applicant: confirmation and next steps. */
export const applicant = defineEmail({
  about: 'application',
  purpose: 'applicant',
  load: ({ row: application }, { env }) => ({ application, optOutUrl: personsLink(env, application.email, null) }),
  draft: ({ application: { name, practice_name, zip_code }, optOutUrl }) => ({
    subject: `We have received your application to join ${brand.company}`,
    body: (
      <Layout
        preview="We will review your application within 24-48 hours."
        title={thanks(name)}
        reason={`You received this e-mail because someone applied to ${brand.company} with your address.`}
        optOutUrl={optOutUrl}
      >
        <Paragraph>
          We have received the application of {spaced(plain(practice_name))} (zip code {zip_code}). It is reviewed
          within 24-48 hours, and we will call or write to you with the outcome.
        </Paragraph>
        <Subtitle>What happens next</Subtitle>
        <Steps
          of={[
            ['apply', 'Apply online: done. There is nothing else to send.'],
            ['train', 'Train and get certified: a one-day virtual session and a hands-on workshop.'],
            ['offer', 'Offer the protocol: you are listed in the network, and we send you patients near you.'],
          ]}
        />
        <Paragraph>If you have a question, reply to this e-mail or call {brand.phone}.</Paragraph>
        <Note>If you did not apply, please tell us, and we will delete the application.</Note>
      </Layout>
    ),
  }),
  samples: { applicant: ['To the applicant', aboutApplication()] },
})
