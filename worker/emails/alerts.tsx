import type { Delivery } from '../../core/conditions/stores/alerts.ts'
import { formatMoment } from '../../core/dates.ts'
import { type Group, groupsOf, headingOf, sentenceOf } from '../senders/alert-words.ts'
import type { EmailDraft, Settings } from './email.ts'
import { Layout } from './layout.tsx'
import { A, Actions, Facts, Note, Paragraph, Typed } from './parts.tsx'
import { plain } from './words.ts'

/** `isTeam`: it goes to the address of the settings. */
type AlertContext = Settings & { delivery: Delivery; to: string; isTeam: boolean }

const REASON = 'You received this e-mail because a manager added this address under Alerts in the dashboard.'
const TEAM_REASON = 'You received this e-mail because this address is set as the team’s (TEAM_EMAIL).'

/** Returns an alert, a summary of alerts, or a test of the channel. */
export function alertEmail({ delivery, to, isTeam, env }: AlertContext): EmailDraft {
  const heading = plain(headingOf(delivery))
  return {
    to,
    subject: heading,
    body: (
      <Layout preview={previewOf(delivery)} title={heading} reason={isTeam ? TEAM_REASON : REASON}>
        {delivery.kind === 'test' && <Paragraph>This is a test. There is nothing to do.</Paragraph>}
        {groupsOf(delivery.notes).map((group) => (
          <About key={group.event} group={group} env={env} />
        ))}
        <Actions of={[['Open the alerts in the dashboard', `${env.PUBLIC_URL}/admin?tab=alerts`]]} />
        <Note>Managers choose there which alerts come here, and when.</Note>
      </Layout>
    ),
  }
}

const previewOf = ({ kind }: Delivery) =>
  kind === 'test' ? 'There is nothing to do.' : 'What is wrong, and what is right again.'

function About({ group: { label, notes }, env }: { group: Group } & Pick<AlertContext, 'env'>) {
  return (
    <>
      <Paragraph>
        <strong>{label}</strong>
      </Paragraph>
      <Facts
        of={notes.map((note) => [
          formatMoment(note.at, env.NETWORK_TIME_ZONE),
          <A key={note.subject} href={`${env.PUBLIC_URL}${note.path}`}>
            <Typed>{sentenceOf(note)}</Typed>
          </A>,
        ])}
      />
    </>
  )
}
