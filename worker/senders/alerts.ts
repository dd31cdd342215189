import { Webhook } from 'standardwebhooks'
import { brand } from '../../core/brand/brand.ts'
import { CONDITION_IDS, type ConditionId, conditionOf } from '../../core/conditions/contract/conditions.ts'
import type { Delivery, Note } from '../../core/conditions/stores/alerts.ts'
import { DeliveryError } from '../delivery-error.ts'
import { asHttpError, type HttpError, isRedirect, request } from '../http.ts'
import { refusal } from './crm-sender.ts'
import { readRefusal, signed } from './webhook.ts'

/** Limits of Slack’s blocks. Source: https://docs.slack.dev/reference/block-kit/blocks (50 blocks; 150 and 3,000 characters). */
const MAX_HEADER = 150
const MAX_SECTION = 3000
/** Notes that a message names; the rest is counted. */
const MAX_NAMED = 40

type Posted = { url: string; body: string; headers?: Record<string, string>; privateHosts: string[] }

/** Builds a message for Slack, Mattermost or Rocket.Chat. `text` is for notifications and for chats without blocks. */
export function slackMessage(delivery: Delivery, publicUrl: string): object {
  const heading = headingOf(delivery)
  const named = delivery.notes.slice(0, MAX_NAMED)
  const sections = groupsOf(named).map(({ label, notes }) =>
    cut([`*${escaped(label)}*`, ...notes.map((note) => `• ${link(note, publicUrl)}`)].join('\n'), MAX_SECTION),
  )
  const more = delivery.notes.length - named.length
  const texts = [
    ...(delivery.kind === 'test' ? ['This is a test. There is nothing to do.'] : sections),
    ...(more > 0 ? [`And ${more} more: <${publicUrl}/admin?tab=alerts|open the alerts>`] : []),
  ]
  return {
    text: `${brand.company}: ${escaped(heading)}`,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: cut(heading, MAX_HEADER) } },
      ...texts.map((text) => ({ type: 'section', text: { type: 'mrkdwn', text } })),
    ],
  }
}

const link = (note: Note, publicUrl: string) => `<${publicUrl}${note.path}|${escaped(sentenceOf(note))}>`
/** Source: https://docs.slack.dev/messaging/formatting-message-text (escaping text). A bar would end the address of a link. */
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('|', '¦')
const cut = (text: string, max: number) => (text.length > max ? `${text.slice(0, max - 1)}…` : text)

/** Builds the message for a webhook: `alert.opened`, `alert.recovered`, `alert.digest` or `alert.test`. */
export function webhookMessage(delivery: Delivery, publicUrl: string): object {
  return {
    type: typeOf(delivery),
    timestamp: delivery.at,
    data: {
      message_id: delivery.messageId,
      summary: headingOf(delivery),
      alerts: delivery.notes.map(({ event, change, subject, title, path, at, recoveredAt }) => ({
        ...{ event, change, subject, title, at },
        recovered_at: recoveredAt,
        url: `${publicUrl}${path}`,
      })),
    },
  }
}

function typeOf({ kind, notes }: Delivery): string {
  if (kind !== 'alert') return `alert.${kind}`
  return notes.every(({ change }) => change === 'recovered') ? 'alert.recovered' : 'alert.opened'
}

/** Returns the headers that sign a message. Its id is the same on every retry. */
export const signatureOf = (messageId: string, body: string, secret: string) =>
  signed(`alert_${messageId}`, body, [new Webhook(secret)])

/**
 * Posts JSON to an address that staff have entered. It must lead to a public host, as the connection is made, unless the host
 * is one of `privateHosts`. Only 2xx succeeds; redirects are not followed.
 * @throws DeliveryError
 */
export async function postAlert({ url, body, headers, privateHosts }: Posted): Promise<{ status: number }> {
  const response = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)), ...headers },
    body,
    isTrusted: ({ hostname }) => privateHosts.includes(hostname),
  }).catch((error) => {
    throw unreached(asHttpError(error))
  })
  const detail = await readRefusal(response, url)
  const { status } = response
  if (response.ok) return { status }
  throw refusal(response, { detail, words: summaryOf(status) })
}

function unreached({ reason, detail }: HttpError): DeliveryError {
  if (reason === 'not_public') {
    return new DeliveryError('The address leads into a private network, where alerts are not posted.', {
      cause: 'wrong_address',
      retry: 'never',
    })
  }
  const summary = reason === 'timeout' ? 'The receiver did not answer in time.' : 'The receiver could not be reached.'
  return new DeliveryError(summary, { cause: 'unreachable', retry: 'later', detail })
}

function summaryOf(status: number): string {
  if (isRedirect(status)) return `The receiver answered with a redirect (${status}), which we do not follow.`
  if (status === 404 || status === 410) return `This address no longer accepts alerts (${status}).`
  return `The receiver did not accept the alert: it answered ${status}.`
}

export type Group = { event: ConditionId; label: string; notes: Note[] }

/** Returns the notes by condition, the most urgent first. */
export function groupsOf(notes: Note[]): Group[] {
  return CONDITION_IDS.flatMap((event) => {
    const own = notes.filter((note) => note.event === event)
    return own.length > 0 ? [{ event, label: conditionOf(event).label, notes: own }] : []
  })
}

/** Returns the sentence of a note. It says that the state has ended, where the end is announced. */
export function sentenceOf({ event, change, title, recoveredAt }: Note): string {
  if (change === 'recovered') return `Recovered: ${title}`
  return recoveredAt && conditionOf(event).alerts !== 'start' ? `${title} (over by now)` : title
}

/** Returns the heading of a message, for subjects and notifications. */
export function headingOf({ kind, notes }: Pick<Delivery, 'kind' | 'notes'>): string {
  if (kind === 'test') return 'Test: alerts arrive here'
  const [first, ...others] = notes
  if (kind === 'alert' && first && others.length === 0) return sentenceOf(first)
  const opened = notes.filter(({ change }) => change === 'opened').length
  const recovered = notes.length - opened
  const counts = [
    ...(opened > 0 ? [opened === 1 ? '1 alert' : `${opened} alerts`] : []),
    ...(recovered > 0 ? [`${recovered} recovered`] : []),
  ].join(', ')
  return kind === 'digest' ? `Summary: ${counts}` : counts
}
