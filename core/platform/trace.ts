import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Attributes,
  type Context,
  context,
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

/** How long the end of a process waits for a collector to take the last spans. */
const EXPORT_TIMEOUT = 3 * SECOND

/**
 * Sends traces to the OpenTelemetry collector that the settings name; all `OTEL_*` settings of the SDK count. Without
 * one, nothing of the SDK is loaded and every function here costs next to nothing.
 * Source: https://opentelemetry.io/docs/languages/sdk-configuration/
 *
 * @returns sends what is left, and ends it
 */
export async function startTracing(
  service: string,
  { OTEL_EXPORTER_OTLP_ENDPOINT }: Pick<Env, 'OTEL_EXPORTER_OTLP_ENDPOINT'>,
): Promise<() => Promise<void>> {
  if (!OTEL_EXPORTER_OTLP_ENDPOINT) return async () => {}

  const { NodeSDK, core } = await import('@opentelemetry/sdk-node')
  process.env.OTEL_SERVICE_NAME ??= service
  const sdk = new NodeSDK({
    // Traces alone: measurements are Prometheus' business, and the log has its own way.
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: [],
    // What the table of jobs keeps, whatever OTEL_PROPAGATORS says.
    textMapPropagator: new core.W3CTraceContextPropagator(),
  })
  sdk.start()
  return () => Promise.race([sdk.shutdown().catch(() => {}), sleep(EXPORT_TIMEOUT, undefined, { ref: false })])
}

export type SpanOptions = {
  kind?: SpanKind
  /** Ids and closed sets of words, never a person. */
  attributes?: Attributes
  /** A `traceparent` (W3C Trace Context) to go on from, instead of what runs now. Null: a trace of its own. */
  parent?: string | null
}

/** Does `work` as a span of its trace. An error is told by its name alone: its words may name a visitor. */
export async function traced<Value>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Value>,
): Promise<Value> {
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

/** Does an attempt at a job as a span, which `jobSpan` finds while it lasts. */
export async function tracedJob(jobId: string, name: string, options: SpanOptions, work: () => Promise<void>) {
  await traced(name, options, async (span) => {
    jobSpans.set(jobId, span)
    await work().finally(() => jobSpans.delete(jobId))
  })
}

/** The span of an attempt that is under way, also where one call is made for many jobs. */
export function jobSpan(jobId: string): Span | undefined {
  return jobSpans.get(jobId)
}

/** A span that the caller ends. */
export function startSpan(name: string, options: SpanOptions): Span {
  const { kind, attributes } = options
  return trace.getTracer('leadwell').startSpan(name, { kind, attributes }, contextOf(options))
}

/** Marks a span as failed, for a reason in our own words. */
export function markFailed(span: Span, reason: string): void {
  span.setAttribute('error.type', reason)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** The span that runs now, if any. */
export function currentSpan(): Span | undefined {
  return trace.getActiveSpan()
}

/** The `traceparent` of a span, by default the one that runs now; null while nothing is traced. */
export function traceParent(span = currentSpan()): string | null {
  if (!span) return null
  const carrier: { traceparent?: string } = {}
  propagation.inject(trace.setSpan(ROOT_CONTEXT, span), carrier)
  return carrier.traceparent ?? null
}

function contextOf({ parent }: SpanOptions): Context {
  if (parent === undefined) return context.active()
  return parent === null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent: parent })
}
