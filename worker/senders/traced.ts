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
} from '../../core/platform/log.ts'
import { DeliveryError, NotNeeded } from '../delivery-error.ts'
import type { CrmEvent, CrmSender } from './crm-sender.ts'

/** Returns a function that runs a call to the mail server in a span, in the trace of the job that the email is of. */
export function traceMails(smtpUrl: string) {
  const options = callTo(new URL(smtpUrl).hostname)
  return <Result>(messageId: string, call: () => Promise<Result>): Promise<Result> => {
    const parent = traceParent(jobSpan(messageId.slice(1, messageId.indexOf('@'))))
    return traced('SMTP', { ...options, parent }, async (span) => {
      try {
        return await call()
      } catch (error) {
        recordRefusal(span, error)
        throw error
      }
    })
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
        for (const [position, span] of spans.entries()) recordRefusal(span, answers[position])
        return answers
      } catch (error) {
        for (const span of spans) recordRefusal(span, error)
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
function recordRefusal(span: Span, answer: unknown): void {
  if (!(answer instanceof Error) || answer instanceof NotNeeded) return
  if (answer instanceof DeliveryError) {
    if (answer.status !== undefined) span.setAttribute('leadwell.status', answer.status)
    span.setAttribute('leadwell.reason', answer.summary)
  }
  markFailed(span, answer.name)
}
