import MimeNode from 'nodemailer/lib/mime-node'
import { encode, wrap } from 'nodemailer/lib/qp'
import type { Filled } from '../emails/render.tsx'

type Address = { name: string; address: string }

/** The parts of an e-mail's message. Addresses and subject may be untrusted. */
export type Message = {
  messageId: string
  from: Address
  to: string
  replyTo?: Address
  subject: string
  headers: Record<string, string>
  text: Filled
  html: Filled
}

/** Quoted-printable has no line with `=_` (RFC 2045, section 6.7), so the parts never contain it. */
const BOUNDARY = '=_part'

/**
 * Builds a message with a text and an HTML part (RFC 2046, section 5.1.4). Nodemailer writes the headers, so that no name
 * and no subject can add one. The parts are quoted-printable, and what e-mails of a template have in common is encoded
 * once.
 */
export function buildMessage({ messageId, from, to, replyTo, subject, headers, text, html }: Message): Buffer {
  const node = new MimeNode(`multipart/alternative; boundary="${BOUNDARY}"`)
  node.setHeader('From', from)
  node.setHeader('To', { name: '', address: to })
  if (replyTo) node.setHeader('Reply-To', replyTo)
  node.setHeader('Subject', subject)
  node.setHeader('Message-ID', messageId)
  // Encoded words would break the addresses in them.
  for (const [key, value] of Object.entries(headers)) node.setHeader(key, { prepared: true, foldLines: true, value })
  return Buffer.from(
    `${node.buildHeaders()}\r\n\r\n${part('text/plain', text)}${part('text/html', html)}--${BOUNDARY}--\r\n`,
  )
}

function part(type: string, content: Filled): string {
  const head = `--${BOUNDARY}\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable`
  return `${head}\r\n\r\n${quotedPrintable(content)}\r\n`
}

/** Encodes a text as quoted-printable (RFC 2045, section 6.7), each piece on lines of its own. */
function quotedPrintable({ statics, values }: Filled): string {
  let pieces = encodedStatics.get(statics)
  if (!pieces) {
    pieces = statics.map(encodeLines)
    encodedStatics.set(statics, pieces)
  }
  let encoded = pieces[0] as string
  for (let index = 0; index < values.length; index++) {
    encoded += `${SOFT_BREAK}${encodeLines(values[index] as string)}${SOFT_BREAK}${pieces[index + 1]}`
  }
  return encoded
}

const encodedStatics = new WeakMap<readonly string[], string[]>()

/** A line break that is not part of the text. */
const SOFT_BREAK = '=\r\n'

const encodeLines = (text: string) => wrap(encode(text.replace(/\r\n|[\r\n]/g, '\r\n')))
