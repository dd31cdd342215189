import { brand } from '../../core/brand/brand.ts'
import { CLINIC_PATH, clinicPartPath, clinicSignInUrl } from '../../core/contract/page.ts'
import { formatMoment } from '../../core/dates.ts'
import * as clinicLinks from '../../core/providers/stores/clinic-links.ts'
import * as clinicPeople from '../../core/providers/stores/clinic-people.ts'
import type { AuditAction, AuditLine } from '../../core/staff/contract/audit-log.ts'
import * as auditLog from '../../core/staff/stores/audit-log.ts'
import { NotNeeded } from '../delivery-error.ts'
import { defineEmail, timeZoneOf } from './email.ts'
import { ToAClinic } from './layout.tsx'
import { Actions, Facts, Note, Paragraph, Typed } from './parts.tsx'
import { env, provider as sampleProvider } from './sample-people.ts'
import { clinicName } from './words.ts'

type Act = Pick<AuditLine, 'actor' | 'action' | 'details'>

const INTAKE = 'intake@lamar.example'
const aboutClinic = { provider: sampleProvider, at: '2026-11-22T09:41:00.000Z', timeZone: env.NETWORK_TIME_ZONE }
const sampleLink = (invitedBy: string | null) => ({
  url: `${env.PUBLIC_URL}/clinic#sample`,
  expiresAt: invitedBy ? '2026-11-29T09:41:00.000Z' : '2026-11-22T13:41:00.000Z',
  invitedBy,
})
const changedBy = (action: AuditAction, details: Record<string, string>, to = sampleProvider.email) => ({
  ...{ ...aboutClinic, to },
  act: { actor: 'clinic', action, details: { by: 'nurse@lamar.example', ...details } },
})

/** The email with the link that signs in to the pages of a clinic. Each attempt makes a new token. */
export const clinic_link = defineEmail({
  ...{ about: 'provider', purpose: 'clinic_link', to: 'stated' },
  ...{ label: 'Link to the provider’s pages', eachCounts: true },
  async load({ job, row: provider }, reading) {
    const made = await clinicLinks.makeToken(reading.db, job.id)
    if (!made) throw new NotNeeded('The link is no longer needed.')
    const { email, expiresAt, invitedBy } = made
    const url = clinicSignInUrl(reading.env.PUBLIC_URL, made.token, made.page)
    return {
      provider,
      to: email,
      link: { url, expiresAt, invitedBy },
      timeZone: await timeZoneOf(provider.id, reading),
    }
  },
  draft({ provider, link, timeZone, env }) {
    const name = clinicName(provider)
    return {
      subject: link.invitedBy ? `You can now see the requests of ${name}` : `Your link to the requests of ${name}`,
      body: (
        <ToAClinic preview="The link works once." title="Sign in to your requests">
          <Paragraph>
            {link.invitedBy
              ? `${link.invitedBy} gave this address access to the pages of `
              : 'Someone asked for a link to the pages of '}
            <Typed>{name}</Typed>. You can see the clinic’s requests, answers and settings there.
          </Paragraph>
          <Actions of={[['Open your requests', link.url]]} />
          <Paragraph>
            The link works once, until {formatMoment(link.expiresAt, timeZone)}. Do not forward this email: anyone with
            the link can see the requests.
            {link.invitedBy && ` After that, ask for a new link at ${env.PUBLIC_URL}${CLINIC_PATH}.`}
          </Paragraph>
          <Note>
            {link.invitedBy ? 'If you do not know this clinic' : 'If you did not ask for this link'}, you can ignore
            this email.
          </Note>
        </ToAClinic>
      ),
    }
  },
  samples: {
    'clinic-link': [
      'To the clinic: a link to its pages',
      { ...aboutClinic, to: sampleProvider.email, link: sampleLink(null) },
    ],
    'clinic-invitation': [
      'To a new person of the clinic',
      { ...aboutClinic, to: INTAKE, link: sampleLink(sampleProvider.email) },
    ],
  },
})

/** Notifies the address in use until then, and that of WordPress, that someone else gets or sees a clinic's requests. */
export const address_changed = defineEmail({
  ...{ about: 'provider', purpose: 'address_changed', to: 'stated' },
  ...{ label: 'Notice to the provider: person or address changed', eachCounts: true },
  async load({ job, row: provider }, reading) {
    const act = await auditLog.findActOf(reading.db, job.id)
    if (!act) throw new NotNeeded('No record of the change is left.')
    const { told, from } = act.details
    const to = (await clinicPeople.isCopy(reading.db, job.id)) ? provider.email : String(told ?? from)
    return { provider, to, act, at: job.createdAt, timeZone: await timeZoneOf(provider.id, reading) }
  },
  draft({ provider, at, act, timeZone, env }) {
    const name = clinicName(provider)
    const [title, text] = wordsOf(act)
    const { by, to, email } = act.details
    const address = act.action === 'remove-person' ? provider.email : String(to ?? email)
    return {
      subject: `${title}: ${name}`,
      body: (
        <ToAClinic preview="If you did not expect this, undo it." title={title}>
          <Paragraph>
            This is about the requests of <Typed>{name}</Typed>. {text}
          </Paragraph>
          <Facts
            of={[
              ['Address', address],
              ['Changed by', String(by ?? (act.actor === 'clinic' ? 'your clinic' : 'our team'))],
              ['When', formatMoment(at, timeZone)],
            ]}
          />
          <Actions of={[['See who gets the requests', `${env.PUBLIC_URL}${clinicPartPath('people')}`]]} />
          <Note>If you did not expect this, undo it there and reply to this email.</Note>
        </ToAClinic>
      ),
    }
  },
  samples: {
    'clinic-person': ['To the clinic: another person may sign in', changedBy('add-person', { email: INTAKE })],
    'clinic-requests': [
      'To the clinic: another address gets the requests',
      changedBy('change-address', { use: 'requests', to: INTAKE }),
    ],
    'clinic-late': [
      'To the clinic: another address gets notices of late answers',
      changedBy('change-address', { use: 'late', to: INTAKE }),
    ],
    'clinic-removed': ['To a person who gets no more requests', changedBy('remove-person', { email: INTAKE }, INTAKE)],
    'clinic-replaced': ['To the address before a confirmed one', changedBy('confirm-email', { to: INTAKE })],
  },
})

function wordsOf({ action, details }: Act): [title: string, text: string] {
  switch (action === 'change-address' ? details.use : action) {
    case 'add-person':
      return ['Another person can see your requests', 'The address below can now sign in to the clinic’s pages.']
    case 'remove-person':
      return ['Requests no longer come to this address', 'From now on they go to the address below.']
    case 'confirm-email':
      return [
        'Another address replaces this one',
        'We now have the address below on record. It can see your requests and gets them, unless your clinic has chosen another person.',
      ]
    case 'late':
      return [
        'Late answers now go to another address',
        'The address below gets a notice, with name and phone number, when a request is not answered in time.',
      ]
    default:
      return ['Requests now go to another address', 'From now on the address below gets them.']
  }
}

/** The email that shows whether requests can reach a clinic. It contains no request. */
export const test = defineEmail({
  ...{ about: 'provider', purpose: 'test', to: 'clinic' },
  label: 'Test email to the provider',
  load: ({ job, row: provider }) => ({ provider, at: job.createdAt }),
  draft({ provider, at, env }) {
    const what = 'This is a test. It is not a request, and there is nothing to do.'
    return {
      subject: `Test email from ${brand.company}`,
      body: (
        <ToAClinic preview={what} title="Test email" hello={provider}>
          <Paragraph>{what} If you can read it, requests from visitors reach you at this address.</Paragraph>
          <Paragraph>
            If you found it in your junk folder, please mark it as not junk so that you see requests in time.
          </Paragraph>
          <Facts
            of={[
              ['Requests go to', provider.requestEmail],
              ['Sent', formatMoment(at, env.NETWORK_TIME_ZONE)],
            ]}
          />
        </ToAClinic>
      ),
    }
  },
  samples: { 'clinic-test': ['To the clinic: a test', { ...aboutClinic, at: '2026-11-20T14:41:05.000Z' }] },
})
