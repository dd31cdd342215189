import type { Env } from '../../core/env.ts'
import {
  jobSpan,
  markFailed,
  type Span,
  SpanKind,
  type SpanOptions,
  startSpan,
  traced,
  traceParent,
} from '../../core/platform/trace.ts'
import { DeliveryError, NotNeeded } from '../delivery-error.ts'
import type { CrmEvent, CrmSender } from './crm-sender.ts'
import type { Mailer } from './mailer.ts'

/** Wraps the mailer with a span for each call to the mail server. */
export function tracedMailer(mailer: Mailer, { SMTP_URL }: Pick<Env, 'SMTP_URL'>): Mailer {
  const options = callTo(new URL(SMTP_URL).hostname)
  return {
    ...mailer,
    send: (mail) =>
      traced('SMTP', options, async (span) => {
        try {
          return await mailer.send(mail)
        } catch (error) {
          tellRefusal(span, error)
          throw error
        }
      }),
  }
}

/** Wraps the CRM's sender with a span for each call, in the trace of every job of that call. */
export function tracedCrm(sender: CrmSender | null, { CRM_KIND }: Pick<Env, 'CRM_KIND'>): CrmSender | null {
  if (!sender) return null
  const spanOf = ({ messageId }: CrmEvent) => {
    const attempt = jobSpan(messageId.replace(/^msg_/, ''))
    return startSpan(`CRM ${CRM_KIND}`, { ...callTo(sender.host), parent: traceParent(attempt) })
  }
  return {
    ...sender,
    async send(events, readNewest) {
      const spans = events.map(spanOf)
      try {
        const answers = await sender.send(events, readNewest)
        for (const [position, span] of spans.entries()) tellRefusal(span, answers[position])
        return answers
      } catch (error) {
        for (const span of spans) tellRefusal(span, error)
        throw error
      } finally {
        for (const span of spans) span.end()
      }
    },
  }
}

function callTo(host?: string): SpanOptions {
  return { kind: SpanKind.CLIENT, attributes: host ? { 'server.address': host } : {} }
}

/** Puts our summary and the status into the trace, but not the other side's text, which may name the visitor. */
function tellRefusal(span: Span, answer: unknown): void {
  if (!(answer instanceof Error) || answer instanceof NotNeeded) return
  if (answer instanceof DeliveryError) {
    if (answer.status !== undefined) span.setAttribute('leadwell.status', answer.status)
    span.setAttribute('leadwell.reason', answer.summary)
  }
  markFailed(span, answer.name)
}
