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
import type { Env } from '../env.ts'
import { SECOND } from '../time.ts'

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
