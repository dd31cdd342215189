import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Attributes,
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { type Logger, pino, stdSerializers } from 'pino'
import type { Env } from '../env.ts'
import { MINUTE, SECOND } from '../time.ts'

export { type Span, SpanKind }

/** The time that a stopping process waits for the collector to take the last spans. */
const EXPORT_TIMEOUT = 3 * SECOND

/** Whether somebody listens. Otherwise there is one span, which records nothing. */
let isTracing = false
const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT)

/**
 * Sends traces to the OpenTelemetry collector that the settings name; all `OTEL_*` settings of the SDK apply. Without
 * one, the SDK is not loaded and no spans are made. Source:
 * https://opentelemetry.io/docs/languages/sdk-configuration/
 * @returns a function that sends the remaining spans and stops
 */
export async function startTracing(
  service: string,
  { OTEL_EXPORTER_OTLP_ENDPOINT }: Pick<Env, 'OTEL_EXPORTER_OTLP_ENDPOINT'>,
): Promise<() => Promise<void>> {
  if (!OTEL_EXPORTER_OTLP_ENDPOINT) return async () => {}

  const { NodeSDK, core } = await import('@opentelemetry/sdk-node')
  process.env.OTEL_SERVICE_NAME ??= service
  const sdk = new NodeSDK({
    // Traces only: Prometheus has the metrics, and the log is separate.
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: [],
    // The format of the jobs table, independent of OTEL_PROPAGATORS.
    textMapPropagator: new core.W3CTraceContextPropagator(),
  })
  sdk.start()
  isTracing = true
  return () => Promise.race([sdk.shutdown().catch(() => {}), sleep(EXPORT_TIMEOUT, undefined, { ref: false })])
}

export type SpanOptions = {
  kind?: SpanKind
  /** Ids and closed sets of words, never a person. */
  attributes?: Attributes
  /** A `traceparent` (W3C Trace Context) to continue, instead of the current span. Null starts a new trace. */
  parent?: string | null
}

/** Runs `work` in a span. Of an error only the name is recorded, because its message may name a visitor. */
export async function traced<Value>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Value>,
): Promise<Value> {
  if (!isTracing) return work(NO_SPAN)
  const within = contextOf(options)
  const span = startSpan(name, options)
  try {
    return await context.with(trace.setSpan(within, span), () => work(span))
  } catch (error) {
    markFailed(span, (error as Error).name)
    throw error
  } finally {
    span.end()
  }
}

const jobSpans = new Map<string, Span>()

/** Runs an attempt at a job in a span, which `jobSpan` finds while it runs. */
export async function tracedJob(jobId: string, name: string, options: SpanOptions, work: () => Promise<void>) {
  if (!isTracing) return work()
  await traced(name, options, async (span) => {
    jobSpans.set(jobId, span)
    await work().finally(() => jobSpans.delete(jobId))
  })
}

/** Returns the span of a running attempt, also when one call is made for many jobs. */
export function jobSpan(jobId: string): Span | undefined {
  return jobSpans.get(jobId)
}

/** Runs `work` in the span of a running attempt, also when a batch has begun it. */
export function withinJob<Value>(jobId: string, work: () => Value): Value {
  const span = jobSpan(jobId)
  return span ? context.with(trace.setSpan(context.active(), span), work) : work()
}

/** Starts a span that the caller ends. */
export function startSpan(name: string, options: SpanOptions): Span {
  if (!isTracing) return NO_SPAN
  const { kind, attributes } = options
  return trace.getTracer('leadwell').startSpan(name, { kind, attributes }, contextOf(options))
}

/** Marks a span as failed. `reason` must be our own words. */
export function markFailed(span: Span, reason: string): void {
  span.setAttribute('error.type', reason)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** Returns the current span, if any. */
export function currentSpan(): Span | undefined {
  return trace.getActiveSpan()
}

/** Returns the `traceparent` of a span, by default the current one. Returns null while nothing is traced. */
export function traceParent(span = currentSpan()): string | null {
  if (!isTracing || !span) return null
  const carrier: { traceparent?: string } = {}
  propagation.inject(trace.setSpan(ROOT_CONTEXT, span), carrier)
  return carrier.traceparent ?? null
}

function contextOf({ parent }: SpanOptions): Context {
  if (parent === undefined) return context.active()
  return parent === null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent: parent })
}

export type { Logger }

/**
 * Makes the log of one process: JSON lines on standard output, one per outcome. Never log a visitor's name, email,
 * phone or message: log ids.
 */
export function createLog(name: string, level: string): Logger {
  return pino({
    name,
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    base: { name },
    serializers: { err: withoutRows },
    mixin: traceId,
  })
}

/** Adds the id of the current trace, if any. */
function traceId() {
  const span = currentSpan()
  return span ? { traceId: span.spanContext().traceId } : {}
}

/**
 * Removes the fields of PostgreSQL's errors (detail, where, …) that quote whole rows with personal data, and the statement,
 * which knex puts before their message.
 */
function withoutRows(error: Error) {
  if (!(error instanceof Error)) return error
  const { type, message, stack, code, constraint } = stdSerializers.err(error)
  const plain = messageOf(error)
  return { type, message: plain, stack: stack?.replace(message, plain), code, constraint }
}

/** Returns the message of an error, of PostgreSQL's without the statement. */
export function messageOf(error: Error): string {
  const isOfPostgres = 'severity' in error
  return isOfPostgres ? error.message.slice(error.message.lastIndexOf(' - ') + 1).replace(/^- /, '') : error.message
}

/** Different errors that are counted at the same time. */
const MAX_KINDS = 100

/**
 * Returns a function that logs errors so that a flood of one is one line a minute: the first one at once, and those that
 * follow as a line with their number (`repeated`) at the end of each minute.
 * @param key what is the same in all errors of a flood
 */
export function createFloodLog(log: Logger, interval = MINUTE) {
  const floods = new Map<string, { repeated: number }>()
  return (key: string, fields: object, message: string): void => {
    const flood = floods.get(key)
    if (flood) {
      flood.repeated += 1
      return
    }
    log.error(fields, message)
    if (floods.size >= MAX_KINDS) return
    const begun = { repeated: 0 }
    floods.set(key, begun)
    const timer = setInterval(() => {
      if (begun.repeated === 0) {
        clearInterval(timer)
        floods.delete(key)
        return
      }
      log.error({ ...fields, repeated: begun.repeated }, message)
      begun.repeated = 0
    }, interval)
    timer.unref()
  }
}

/** The current request, or the request whose job runs. Deliveries do not know its address and session. */
type RequestContext = { id: string; ip: string | null; sessionId: number | null }

const current = new AsyncLocalStorage<RequestContext>()

/** Runs `work` on behalf of a request: its jobs and audit lines carry the request's id. */
export function onBehalfOf<Value>(
  requestId: string | null,
  work: () => Value,
  { ip = null, sessionId = null }: Partial<Omit<RequestContext, 'id'>> = {},
): Value {
  return requestId === null ? work() : current.run({ id: requestId, ip, sessionId }, work)
}

/** Returns the current request, or the one whose job runs. Returns null outside of requests. */
export function currentRequest(): Readonly<RequestContext> | null {
  return current.getStore() ?? null
}

/** Remembers the staff session of the request. */
export function rememberSession(sessionId: number | null): void {
  const request = current.getStore()
  if (request) request.sessionId = sessionId
}
