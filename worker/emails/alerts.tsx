import type { Delivery } from '../../core/conditions/stores/alerts.ts'
import { formatMoment } from '../../core/dates.ts'
import { type Group, groupsOf, headingOf, sentenceOf } from '../senders/alerts.ts'
import type { EmailDraft, Settings } from './email.ts'
import { Layout } from './layout.tsx'
import { A, Actions, Facts, Note, Paragraph, Typed } from './parts.tsx'
import { plain, TO_THE_TEAM } from './words.ts'

/** `isTeam`: it goes to the address of the settings. */
type AlertContext = Settings & { delivery: Delivery; to: string; isTeam: boolean }

const REASON = 'You received this email because a manager added this address under Alerts in the dashboard.'

/** Returns an alert, a summary of alerts, or a test of the channel. */
export function alertEmail({ delivery, to, isTeam, env }: AlertContext): EmailDraft {
  const heading = plain(headingOf(delivery))
  return {
    to,
    subject: heading,
    body: (
      <Layout preview={previewOf(delivery)} title={heading} reason={isTeam ? TO_THE_TEAM : REASON}>
        {delivery.kind === 'test' && <Paragraph>This is a test. There is nothing to do.</Paragraph>}
        {groupsOf(delivery.notes).map((group) => (
          <About key={group.event} group={group} env={env} />
        ))}
        <Actions of={[['Open the alerts in the dashboard', `${env.PUBLIC_URL}/admin?tab=alerts`]]} />
        <Note>Managers choose there which alerts come here and when.</Note>
      </Layout>
    ),
  }
}

const previewOf = ({ kind }: Delivery) =>
  kind === 'test' ? 'There is nothing to do.' : 'Open problems and recoveries.'

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
