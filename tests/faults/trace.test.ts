import { describe, expect, it, onTestFinished } from 'vitest'
import { ledger, retryNow, submit, waitUntilSettled } from '../support/deliveries.ts'
import { idOf, leadForm } from '../support/factories.ts'
import { type OtlpServer, type ReceivedSpan, startOtlpServer } from '../support/otlp-server.ts'
import { describeOnRedis, type Site, startSite } from '../support/site.ts'
import { waitFor } from '../support/wait.ts'

const LOADED_MODULES = new URL('../support/loaded-modules.mjs', import.meta.url).href

const KIND = { server: 2, client: 3, producer: 4, consumer: 5 }
const ERROR = 2

/** A collector, and the settings that send traces to it five times a second. */
async function startCollector(): Promise<{ collector: OtlpServer; settings: Record<string, string> }> {
  const collector = await startOtlpServer()
  onTestFinished(async () => {
    await collector.close()
    expect(collector.rejected).toEqual([])
  })
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '200',
  }
  return { collector, settings }
}

/** The spans of the trace of the only form that was sent, by name. */
async function traceOfForm({ spans }: OtlpServer, count: number): Promise<Map<string, ReceivedSpan[]>> {
  const found = await waitFor(`${count} spans of the form`, () => {
    const root = spans.find(({ name }) => name === 'POST /api/leads')
    const own = spans.filter(({ traceId }) => traceId === root?.traceId)
    return own.length >= count && own
  })
  const names = [...new Set(found.map(({ name }) => name))]
  return new Map(names.map((name) => [name, found.filter((span) => span.name === name)]))
}

const only = (spans: Map<string, ReceivedSpan[]>, name: string) => {
  expect(spans.get(name), name).toHaveLength(1)
  return (spans.get(name) as [ReceivedSpan])[0]
}
const purposeOf = async (site: Site, { attributes }: ReceivedSpan) =>
  (await ledger(site.db)).find(({ id }) => id === attributes['leadwell.job_id'])?.purpose

describe('With OpenTelemetry on', () => {
  it('one trace leads from the form through the relay to the mail server and the CRM', async () => {
    const site = await startSite()
    const { collector, settings } = await startCollector()
    const api = await site.startApi(settings)
    const worker = await site.startWorker(settings)
    const { headers, body } = await submit(api)
    await waitUntilSettled(site.db)

    const spans = await traceOfForm(collector, 10)
    const form = only(spans, 'POST /api/leads')
    expect(form).toMatchObject({ kind: KIND.server, service: 'leadwell-api' })
    expect(form.parentSpanId).toBeUndefined()
    expect(form.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/api/leads',
      'http.response.status_code': 201,
      'leadwell.request_id': headers.get('x-request-id'),
    })

    const sent = [...(spans.get('send send-email') ?? []), ...(spans.get('send sync-crm') ?? [])]
    expect((await Promise.all(sent.map((span) => purposeOf(site, span)))).toSorted()).toEqual([
      'created',
      'provider',
      'visitor',
    ])
    for (const send of sent) {
      const name = String(send.attributes['messaging.destination.name'])
      expect(send).toMatchObject({ kind: KIND.producer, service: 'leadwell-api', parentSpanId: form.spanId })
      const process = spans.get(`process ${name}`)?.find(({ parentSpanId }) => parentSpanId === send.spanId)
      expect(process).toMatchObject({ kind: KIND.consumer, service: 'leadwell-worker' })
      expect(process?.attributes).toMatchObject({
        'leadwell.job_id': send.attributes['leadwell.job_id'],
        'leadwell.outcome': 'done',
        'leadwell.attempt': 1,
      })
      const call = [...spans.values()].flat().find(({ parentSpanId }) => parentSpanId === process?.spanId)
      expect(call).toMatchObject({ kind: KIND.client, name: name === 'sync-crm' ? 'CRM webhook' : 'SMTP' })
      expect(call?.attributes['server.address']).toBe('127.0.0.1')
    }

    const leadId = await idOf(site.db, body)
    // Both logs name the trace, and the lead that the request made.
    for (const { output } of [api, worker]) expect(output()).toContain(`"traceId":"${form.traceId}"`)
    expect(api.output()).toMatch(new RegExp(`"traceId":"${form.traceId}".*"path":"/api/leads".*"leadId":${leadId}`))
  })

  it('every attempt is in it, with the cause of a failure and nothing that the other side said', async () => {
    const site = await startSite()
    const { collector, settings } = await startCollector()
    const api = await site.startApi(settings)
    await site.startWorker(settings)
    site.crm.answer({ status: 503, body: 'overloaded by Canarella' })
    site.smtp.answer({ status: 550, text: 'no mailbox Canarella' })
    await submit(api, leadForm({ first_name: 'Canarella' }))
    await waitFor('the first attempts', async () => (await ledger(site.db)).every(({ attempts }) => attempts === 1))
    site.crm.answer({ status: 200 })
    await retryNow(site.db)
    await waitUntilSettled(site.db)

    const spans = await traceOfForm(collector, 13)
    const attempts = spans.get('process sync-crm') ?? []
    expect(attempts.map(({ attributes }) => attributes['leadwell.outcome']).toSorted()).toEqual(['done', 'retried'])
    const failed = attempts.find(({ status }) => status.code === ERROR)
    expect(failed?.attributes).toMatchObject({ 'leadwell.outcome': 'retried', 'error.type': 'server_error' })
    const calls = spans.get('CRM webhook') ?? []
    const call = calls.find(({ status }) => status.code === ERROR)
    expect(call?.attributes).toMatchObject({ 'error.type': 'DeliveryError', 'leadwell.status': 503 })
    for (const mail of spans.get('process send-email') ?? []) {
      expect(mail.attributes).toMatchObject({ 'leadwell.outcome': 'failed', 'error.type': 'unknown_mailbox' })
    }
    expect(collector.text()).not.toContain('Canarella')
  })

  it('a visitor cannot choose the trace, and a collector that is away costs nothing', async () => {
    const site = await startSite()
    const { collector, settings } = await startCollector()
    const api = await site.startApi(settings)
    const foreign = '0af7651916cd43dd8448eb211c80319c'
    await api.call('POST', '/api/leads', leadForm(), { traceparent: `00-${foreign}-b7ad6b7169203331-01` })
    const stored = (await site.db('jobs').first('trace_parent'))?.trace_parent
    expect(stored).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    expect(stored).not.toContain(foreign)

    await collector.close()
    await site.startWorker(settings)
    expect((await submit(api)).status).toBe(201)
    await waitUntilSettled(site.db)
    expect(await api.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  })

  it('a setting that is empty counts as not set: the compose file passes such', async () => {
    const site = await startSite()
    const collector = await startOtlpServer()
    onTestFinished(() => collector.close())
    const api = await site.startApi({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: '',
      OTEL_EXPORTER_OTLP_PROTOCOL: '',
      OTEL_TRACES_SAMPLER: '',
      OTEL_TRACES_SAMPLER_ARG: '',
      OTEL_BSP_SCHEDULE_DELAY: '200',
    })
    await submit(api)
    // The SDK's own protocol, which this collector notes and does not take.
    await waitFor('a trace', () => collector.rejected.includes('POST /v1/traces application/x-protobuf'))
  })
})

describeOnRedis('Without OpenTelemetry', () => {
  it('nothing of its SDK is loaded, no job has a trace, and the queue carries the id alone', async () => {
    const site = await startSite()
    const watched = { NODE_OPTIONS: `--import ${LOADED_MODULES}` }
    const api = await site.startApi(watched)
    await submit(api)
    const queued = await waitFor('a job in the queue', async () => {
      const dump = await site.redis.dump()
      return dump.includes('jobId') && dump
    })
    expect(queued).not.toContain('traceparent')
    const worker = await site.startWorker(watched)
    await waitUntilSettled(site.db)
    expect(await site.db('jobs').whereNotNull('trace_parent')).toEqual([])

    for (const process of [api, worker]) {
      await process.kill('SIGTERM')
      expect(process.output()).toMatch(/^loaded: @opentelemetry\/api$/m)
      expect(process.output()).not.toContain('traceId')
    }
  })
})
