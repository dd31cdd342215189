import { createHash } from 'node:crypto'
import { convert } from 'html-to-text'
import { ImapFlow } from 'imapflow'
import PostalMime, { type Email } from 'postal-mime'
import { brand } from '../core/brand/brand.ts'
import { SECOND } from '../core/contract/time.ts'
import type { FailureCause } from '../core/deliveries/contract/jobs.ts'
import type { WorkerEnv } from '../core/env.ts'
import { takeReply } from '../core/leads/answers.ts'
import type { Db } from '../core/platform/db.ts'
import type { OptOutContext } from '../core/privacy/stop-contact.ts'
import { isInPrivateNetwork } from '../core/settings/read-settings.ts'
import { DeliveryError, printable } from './delivery-error.ts'
import { compose } from './emails/emails.ts'
import { Layout } from './emails/layout.tsx'
import { Facts, Paragraph, Typed } from './emails/parts.tsx'
import { replyTo, TO_THE_TEAM } from './emails/words.ts'
import type { Mailer } from './senders/mailer.ts'

type Services = {
  env: Pick<WorkerEnv, 'PUBLIC_URL' | 'TEAM_EMAIL'>
  db: Db
  mailer: Mailer
  context: OptOutContext
  signal: AbortSignal
}

/** In bytes. The rest of a message is attachments, or a conversation that is known. */
const MAX_SIZE = 1_000_000
/** In characters: of a message that is forwarded. */
const MAX_TEXT = 10_000

/**
 * Reads the unread messages of the mailbox to which people reply. What says an answer or STOP is acted on, automatic replies are
 * left, and everything else is forwarded to the team. A message counts as read only after that, so that none is lost.
 * @param url `imaps://user:password@host/folder`
 * @returns how many were acted on
 * @throws DeliveryError when the mailbox cannot be read, or the mail server takes no email
 */
export async function readInbox(url: string, services: Services): Promise<number> {
  const client = open(url)
  const stop = () => client.close()
  services.signal.addEventListener('abort', stop)
  // Without a listener, a lost connection would end the process. The pending command fails as well.
  client.on('error', () => {})
  let recorded = 0
  let fault: unknown
  try {
    await client.connect()
    await client.mailboxOpen(decodeURIComponent(new URL(url).pathname.slice(1)) || 'INBOX')
    for (const uid of (await client.search({ seen: false }, { uid: true })) || []) {
      const found = await client.fetchOne(String(uid), { source: { maxLength: MAX_SIZE } }, { uid: true })
      if (found === false || !found.source) continue
      try {
        if (await take(await PostalMime.parse(found.source), services)) recorded += 1
      } catch (error) {
        // It stays unread, so that the next pass comes to it again, and holds up no other.
        fault = error
        continue
      }
      await client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true })
    }
    await client.logout()
  } catch (error) {
    throw unreadable(error as ImapFault)
  } finally {
    services.signal.removeEventListener('abort', stop)
    client.close()
  }
  if (fault) throw fault
  return recorded
}

function open(url: string): ImapFlow {
  const { hostname, port, protocol, username, password } = new URL(url)
  const secure = protocol === 'imaps:'
  return new ImapFlow({
    ...{ host: hostname, port: Number(port) || (secure ? 993 : 143), secure },
    ...(!secure && !isInPrivateNetwork(url) && { doSTARTTLS: true }),
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    ...{ logger: false, disableAutoIdle: true },
    ...{ connectionTimeout: 10 * SECOND, greetingTimeout: 10 * SECOND, socketTimeout: 30 * SECOND },
  })
}

/** Returns whether a message was acted on. One that was not is forwarded, or was sent by a machine. */
async function take(email: Email, services: Services): Promise<boolean> {
  const { env, db, context } = services
  if (isAutomatic(email)) return false
  const text = email.text ?? convert(email.html ?? '', { wordwrap: false })
  const jobIds = jobIdsIn(email, new URL(env.PUBLIC_URL).hostname)
  const reply = { jobIds, from: email.from?.address ?? '', id: idOf(email, text), text }
  if (await takeReply(db, reply, context)) return true
  await forward(email, text, reply.id, services)
  return false
}

/** Returns whether a machine has answered, such as for an absence. Source: RFC 3834, 5; the others are of older programs. */
function isAutomatic({ headers }: Email): boolean {
  const headerOf = (name: string) => headers.find(({ key }) => key === name)?.value.toLowerCase() ?? ''
  return (
    !['', 'no'].includes(headerOf('auto-submitted')) ||
    headerOf('x-autoreply') !== '' ||
    /bulk|junk|auto_reply/.test(headerOf('precedence'))
  )
}

/** Lists the jobs whose emails a message answers: their ids are those of our messages. */
function jobIdsIn({ inReplyTo = '', references = '' }: Email, host: string): string[] {
  const ids = `${inReplyTo} ${references}`.matchAll(/<([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@([^<>\s]+)>/gi)
  return [...ids].filter(([, , site]) => site === host).map(([, id = '']) => id)
}

/** Returns an id that is the same each time a message is read. */
const idOf = ({ messageId, date }: Email, text: string) =>
  createHash('sha256')
    .update(messageId ?? `${date} ${text}`)
    .digest('base64url')

async function forward(email: Email, text: string, id: string, { env, mailer }: Services): Promise<void> {
  const { name = '', address = '' } = email.from ?? {}
  const files = email.attachments.length
  const forwarded = compose({
    to: env.TEAM_EMAIL,
    ...(address && { replyTo: replyTo(name, address) }),
    subject: `Reply to ${brand.company}: ${printable(email.subject ?? 'without a subject').slice(0, 200)}`,
    body: (
      <Layout preview="A reply that needs a person." title="A reply that needs a person" reason={TO_THE_TEAM}>
        <Facts
          of={[
            ['From', <Typed key="from">{address ? printable(`${name} ${address}`) : 'unknown'}</Typed>],
            ['Files', files > 0 ? `${files}, in the mailbox` : null],
          ]}
        />
        {text
          .slice(0, MAX_TEXT)
          .split(/\n+/)
          .map(printable)
          .filter(Boolean)
          .map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines do not change
            <Paragraph key={index}>
              <Typed>{line}</Typed>
            </Paragraph>
          ))}
      </Layout>
    ),
  })
  await mailer.send({ ...forwarded, messageId: `<reply-${id}@${new URL(env.PUBLIC_URL).hostname}>` })
}

/** `serverResponseCode` is `UNAVAILABLE` where the server cannot look up users for now (RFC 5530). */
type ImapFault = Error & { authenticationFailed?: boolean; serverResponseCode?: string; responseText?: string }

function unreadable({ authenticationFailed, serverResponseCode, responseText, message }: ImapFault): DeliveryError {
  const isRefused = authenticationFailed && serverResponseCode !== 'UNAVAILABLE'
  const [cause, summary]: [FailureCause, string] = isRefused
    ? ['credentials', 'The mailbox of INBOX_URL rejected our user or password.']
    : responseText
      ? ['server_error', 'The mail server of INBOX_URL could not open or change the mailbox.']
      : ['unreachable', 'The mail server of INBOX_URL could not be reached.']
  return new DeliveryError(summary, { cause, retry: 'later', detail: responseText ?? message })
}
