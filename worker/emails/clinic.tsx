import { brand } from '../../core/brand/brand.ts'
import type { AddressUse } from '../../core/contract/clinic-addresses.ts'
import { formatMoment } from '../../core/dates.ts'
import type { ClinicEmail, ClinicEmailContext } from './email.ts'
import { Layout } from './layout.tsx'
import { Actions, Facts, Note, Paragraph, Typed } from './parts.tsx'
import { clinicZone, TO_A_CLINIC } from './words.ts'

const REPLY_TO = { name: brand.company, address: brand.email }

/** Returns the e-mail with the link that signs in to the pages of a clinic. */
export const clinicLinkEmail: ClinicEmail = ({ clinic, to, link, ...context }) => ({
  to,
  replyTo: REPLY_TO,
  subject: `Your link to the requests of ${clinic.practiceName || clinic.name}`,
  body: (
    <Layout preview="The link works once, for four hours." title="Sign in to your requests" reason={TO_A_CLINIC}>
      <Paragraph>
        Somebody asked for a link to the pages of <Typed>{clinic.practiceName || clinic.name}</Typed>. It shows your
        requests, your answers and your settings.
      </Paragraph>
      <Actions of={[['Open your requests', link?.url ?? null]]} />
      <Paragraph>
        The link works once, until {link && formatMoment(link.expiresAt, clinicZone(context))}. Do not forward this
        e-mail: anyone with the link can see your requests.
      </Paragraph>
      <Note>If you did not ask for it, you can ignore this e-mail.</Note>
    </Layout>
  ),
})

/** Returns the notice to a clinic that another address may sign in to its pages. */
export const clinicPersonEmail: ClinicEmail = ({ clinic, to, person }) => ({
  to,
  replyTo: REPLY_TO,
  subject: `Another address may see the requests of ${clinic.practiceName || clinic.name}`,
  body: (
    <Layout
      preview="If you do not know this address, reply to us."
      title="Another address may sign in"
      reason={TO_A_CLINIC}
    >
      <Paragraph>
        {person?.addedBy} has allowed {person?.email} to sign in to the pages of{' '}
        <Typed>{clinic.practiceName || clinic.name}</Typed>, and to see your requests there.
      </Paragraph>
      <Paragraph>
        If you do not know this address, remove it under “People” on your pages, or reply to this e-mail.
      </Paragraph>
    </Layout>
  ),
})

/** Asks a new address whether it should get the requests of a clinic. Nothing changes before the link is confirmed. */
export const requestAddressEmail: ClinicEmail = ({ clinic, to, address }) => ({
  to,
  replyTo: REPLY_TO,
  subject: `Please confirm: requests of ${clinic.practiceName || clinic.name} at this address`,
  body: (
    <Layout preview="Nothing changes before you confirm it." title="Confirm this address" reason={TO_A_NEW_ADDRESS}>
      <Paragraph>
        {address?.by} asked us to send the requests of <Typed>{clinic.practiceName || clinic.name}</Typed> to this
        address, {to}. Requests have the names and the phone numbers of people.
      </Paragraph>
      <Actions of={[['Send requests here', address?.url ?? null]]} />
      <Paragraph>
        The link works once, for seven days, and the page asks you again. Until then, requests go where they went
        before.
      </Paragraph>
      <Note>If you do not know this clinic, you can ignore this e-mail.</Note>
    </Layout>
  ),
})

/** Asks an address whether it should be told of the late answers of a clinic. */
export const secondAddressEmail: ClinicEmail = ({ clinic, to, address }) => ({
  to,
  replyTo: REPLY_TO,
  subject: `Please confirm: notices for ${clinic.practiceName || clinic.name} at this address`,
  body: (
    <Layout preview="Nothing is sent before you confirm it." title="Confirm this address" reason={TO_A_NEW_ADDRESS}>
      <Paragraph>
        {address?.by} asked us to tell this address, {to}, when a request of{' '}
        <Typed>{clinic.practiceName || clinic.name}</Typed> has no answer in time. Such a notice has the name and the
        phone number of a person.
      </Paragraph>
      <Actions of={[['Send notices here', address?.url ?? null]]} />
      <Paragraph>The link works once, for seven days, and the page asks you again.</Paragraph>
      <Note>If you do not know this clinic, you can ignore this e-mail.</Note>
    </Layout>
  ),
})

/**
 * Tells the address in use until then, and that of WordPress, that another one was asked for, confirmed, or given up, by whom, and
 * how to undo it.
 */
export const addressChangedEmail: ClinicEmail = ({ clinic, to, at, address, ...context }) => {
  if (!address) throw new Error('No address was changed')
  const name = clinic.practiceName || clinic.name
  const [title, text] = wordsOf(address)
  return {
    to,
    replyTo: REPLY_TO,
    subject: `${title}: ${name}`,
    body: (
      <Layout preview="If you do not know of it, undo it." title={title} reason={TO_A_CLINIC}>
        <Paragraph>
          This is about the requests of <Typed>{name}</Typed>. {text}
        </Paragraph>
        <Facts
          of={[
            ['Address', address.to ?? 'none'],
            ['Changed by', address.by],
            ['When', formatMoment(at, clinicZone(context))],
          ]}
        />
        <Actions of={[[address.event === 'asked' ? 'Stop this change' : 'Undo this change', address.url]]} />
        {address.url ? (
          <Note>
            The link works for 30 days, unless another address is confirmed later, and the page asks you again. Look
            under “People” on your pages, too, if you do not know who did this.
          </Note>
        ) : (
          <Note>If you do not know of it, please reply to this e-mail.</Note>
        )}
      </Layout>
    ),
  }
}

function wordsOf({ use, event, isCopy }: NonNullable<ClinicEmailContext['address']>): Words {
  if (event === 'replaced') return REPLACED
  return (isCopy ? COPIED[use][event] : undefined) ?? CHANGED[use][event]
}

type Event = 'asked' | 'confirmed' | 'ended'
type Words = [title: string, text: string]

const REPLACED: Words = [
  'Another address replaces this one',
  'Our records have the address below from now on, which may see your requests. They go there unless your clinic has chosen an address of its own.',
]

const CHANGED: Record<AddressUse, Record<Event, Words>> = {
  requests: {
    asked: [
      'Requests may soon go to another address',
      'Another address was asked to get them. They come to this one until somebody there confirms it.',
    ],
    confirmed: ['Requests go to another address now', 'Another address has confirmed that it gets them from now on.'],
    ended: ['Requests no longer come to this address', 'They go to the address below from now on.'],
  },
  late: {
    asked: [
      'Another address may soon be told of late answers',
      'It was asked whether it should get a notice, with name and phone number, when a request has no answer in time.',
    ],
    confirmed: [
      'Another address is told of late answers now',
      'It gets a notice, with name and phone number, when a request has no answer in time.',
    ],
    ended: ['This address is no longer told of late answers', 'Another address may be told instead.'],
  },
}

/** The words that differ in the copy for the address of WordPress, which does not get the requests. */
const COPIED: Record<AddressUse, Partial<Record<Event, Words>>> = {
  requests: {
    asked: [
      'Requests may soon go to another address',
      'Another address was asked to get them. Nothing changes until somebody there confirms it.',
    ],
    ended: ['Requests go to an earlier address again', 'They go to the address below from now on.'],
  },
  late: {
    ended: ['An address is no longer told of late answers', 'Another address may be told instead.'],
  },
}

const TO_A_NEW_ADDRESS = `You received this e-mail because a clinic of the ${brand.company} network named this address.`
