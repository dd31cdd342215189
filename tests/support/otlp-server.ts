import { z } from 'zod'
import { serveHttp } from './loopback.ts'

const Value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ intValue: z.union([z.number().int(), z.string().regex(/^-?\d+$/)]) }),
  z.strictObject({ doubleValue: z.number() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ arrayValue: z.object({ values: z.array(z.unknown()) }) }),
])
const Attributes = z
  .array(z.strictObject({ key: z.string(), value: Value }))
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]])))
const Nanoseconds = z.string().regex(/^\d{19}$/)

/** OTLP 1.x over HTTP in JSON: ids in hexadecimal, times as text. Source: opentelemetry-proto, trace.proto, and the
 * OTLP specification, "JSON Protobuf Encoding". */
const Span = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  name: z.string().min(1),
  kind: z.number().int().min(1).max(5),
  startTimeUnixNano: Nanoseconds,
  endTimeUnixNano: Nanoseconds,
  attributes: Attributes,
  events: z.array(z.unknown()).optional(),
  status: z.object({ code: z.number().int().min(0).max(2).optional(), message: z.string().optional() }),
})
const Export = z.strictObject({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(z.object({ scope: z.object({ name: z.string() }), spans: z.array(Span) })),
    }),
  ),
})

/** A span as the collector got it, with the `service.name` of the process that made it. */
export type ReceivedSpan = z.output<typeof Span> & { service: string }

export type OtlpServer = {
  url: string
  spans: ReceivedSpan[]
  /** The body as it was sent. */
  text(): string
  /** Requests that were no traces in JSON. A test expects none. */
  rejected: string[]
  close(): Promise<void>
}

/** An OpenTelemetry collector on loopback that takes traces by OTLP over HTTP, in JSON, and nothing else. */
export async function startOtlpServer(): Promise<OtlpServer> {
  const spans: ReceivedSpan[] = []
  const bodies: string[] = []
  const rejected: string[] = []
  const server = await serveHttp(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    bodies.push(body)
    const isTraces = request.method === 'POST' && request.url === '/v1/traces'
    if (!isTraces || request.headers['content-type'] !== 'application/json') {
      rejected.push(`${request.method} ${request.url} ${request.headers['content-type']}`)
      return response.writeHead(404).end()
    }
    const read = Export.safeParse(JSON.parse(body))
    if (!read.success) {
      rejected.push(z.prettifyError(read.error))
      return response.writeHead(400).end()
    }
    for (const { resource, scopeSpans } of read.data.resourceSpans) {
      const service = String(resource.attributes['service.name'])
      spans.push(...scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service }))))
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })

  return {
    ...server,
    spans,
    text: () => bodies.join('\n'),
    rejected,
  }
}
