import { gzipSync } from 'node:zlib'
import { seededRandom } from '../tests/support/random.ts'

export type FuzzedRequest = {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | Buffer
}

type Schema = {
  type?: string
  enum?: unknown[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
}
type Operation = {
  parameters: { name: string; in: 'path' | 'query' | 'header'; schema: Schema }[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
}
export type ApiDescription = { paths: Record<string, Record<string, Operation>> }

/** Addresses beside the API's calls: pages, files, the queue board, and paths that try to leave their folder. */
const PAGES = [
  '/',
  '/start',
  '/homev2',
  '/map',
  '/clinics',
  '/success',
  '/microsite',
  '/privacy',
  '/admin',
  '/admin/queues',
  '/admin/queues/api/queues',
  '/getmpx',
  '/sitemap.xml',
  '/robots.txt',
  '/healthz',
  '/readyz',
  '/api/openapi.json',
  '/API/leads',
  '//evil.example/',
  '/..%2f..%2fetc/passwd',
  '/assets/%00',
  '/%',
  '/%c0%ae%c0%ae/',
]

const HOSTILE = [
  '',
  ' ',
  '0',
  '-1',
  '1e309',
  'NaN',
  '2147483648',
  '9007199254740993',
  'null',
  'undefined',
  '[object Object]',
  '__proto__',
  'constructor',
  "' or 1=1 --",
  '$1::int',
  '?',
  '\\',
  '%00',
  '\u0000',
  '\ud800',
  '\u2028',
  '<script>alert(1)</script>',
  '</script><!--',
  '{{7*7}}',
  '../'.repeat(20),
  '<'.repeat(5000),
  'a'.repeat(20_000),
  '🩺'.repeat(300),
  'e\u0301'.repeat(500),
  '1970-01-01T00:00:00Z',
  '275760-09-13',
  '-271821-04-20T00:00:00Z',
  '2026-02-30',
]

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const BODY_TYPES = [
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/vnd.api+json',
  '',
]

/**
 * Makes requests to every call of an API and to the pages beside it: some right, most wrong in a few places. The same seed
 * makes the same requests.
 */
export function createFuzzer(description: ApiDescription, seed: number): (cookie: string) => FuzzedRequest {
  const random = seededRandom(seed)
  const chance = (share: number) => random() < share
  const below = (limit: number) => Math.floor(random() * limit)
  const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value
  const hostile = () => (chance(0.3) ? Array.from({ length: below(60) }, randomCharacter).join('') : pick(HOSTILE))
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  )

  function randomCharacter(): string {
    return String.fromCodePoint(below(pick([0x80, 0x800, 0xffff, 0x10ffff])))
  }

  function valid(schema: Schema): unknown {
    if (schema.enum) return pick(schema.enum)
    if (schema.anyOf) return valid(pick(schema.anyOf))
    const { type, properties = {}, items = {}, minimum = 0, maximum = 1_000_000 } = schema
    switch (type) {
      case 'object':
        return Object.fromEntries(
          Object.entries(properties).flatMap(([name, value]) => (chance(0.95) ? [[name, valid(value)]] : [])),
        )
      case 'array':
        return Array.from({ length: below(4) }, () => valid(items))
      case 'integer':
      case 'number':
        return Math.max(minimum, Math.min(maximum, 1 + below(40)))
      case 'boolean':
        return chance(0.9)
      default:
        return validText(schema)
    }
  }

  function validText({ pattern = '', format }: Schema): string {
    if (format === 'date-time') return new Date(1_780_000_000_000 + below(1e10)).toISOString()
    if (pattern.includes('\\d{4}-')) return '2026-11-05'
    if (pattern.includes('\\d')) return pick(['78701', '10001', '00501'])
    return pick(['Jordan', 'visitor@visitors.example', `visitor${below(1e6)}@visitors.example`, '(202) 555-0142'])
  }

  function mutated(value: unknown, depth = 0): unknown {
    if (typeof value === 'object' && value !== null && chance(0.8) && depth < 4) {
      const entries = Object.entries(value)
      if (entries.length === 0) return hostile()
      const [name] = pick(entries)
      return { ...value, [name]: mutated(Reflect.get(value, name), depth + 1) }
    }
    return pick<() => unknown>([
      hostile,
      () => null,
      () => (random() - 0.5) * 10 ** below(20),
      () => chance(0.5),
      () => [hostile(), [hostile()]],
      () => ({ [hostile()]: hostile(), toString: 1, length: -1 }),
    ])()
  }

  function pathOf({ path, parameters }: (typeof operations)[number]): string {
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
      const parameter = parameters.find((one) => one.in === 'path' && one.name === name)
      return encoded(String(chance(0.7) ? valid(parameter?.schema ?? {}) : hostile()))
    })
    const query = parameters
      .filter((parameter) => parameter.in === 'query' && chance(0.4))
      .map(({ name, schema }) => `${name}=${encoded(String(chance(0.6) ? valid(schema) : hostile()))}`)
    if (chance(0.05)) query.push(`${encoded(hostile())}=${encoded(hostile())}`, ...query.slice(0, 1))
    return query.length > 0 ? `${filled}?${query.join('&')}` : filled
  }

  function bodyOf(schema: Schema | undefined): Pick<FuzzedRequest, 'body'> & { type?: string; encoding?: string } {
    if (chance(0.02)) return { body: '['.repeat(below(30_000)), type: 'application/json' }
    if (chance(0.01)) return { body: JSON.stringify({ text: 'x'.repeat(40_000) }), type: 'application/json' }
    if (!schema && !chance(0.1)) return {}

    let value = valid(schema ?? {})
    for (let changes = below(4); changes > 0; changes--) value = mutated(value)
    if (chance(0.04) && typeof value === 'object' && value !== null) {
      const fields = Object.entries(value).map(([name, field]) => [name, wellFormed(JSON.stringify(field) ?? '')])
      return { body: new URLSearchParams(fields).toString(), type: 'application/x-www-form-urlencoded' }
    }
    const json = JSON.stringify(value) ?? ''
    if (chance(0.03)) return { body: gzipSync(json), type: 'application/json', encoding: pick(['gzip', 'br', 'x']) }
    if (chance(0.05)) return { body: json.slice(0, below(json.length)), type: 'application/json' }
    return { body: json, type: chance(0.03) ? pick(BODY_TYPES) : 'application/json' }
  }

  return (cookie) => {
    const isPage = chance(0.15)
    const operation = pick(operations)
    const path = isPage ? `${pick(PAGES)}?providerId=${encoded(hostile())}` : pathOf(operation)
    const method = chance(0.03) ? pick(METHODS) : isPage ? 'GET' : operation.method
    const { body, type, encoding } = ['GET', 'HEAD'].includes(method)
      ? {}
      : bodyOf(operation.requestBody?.content['application/json'].schema)
    const header = (name: string, value: string | undefined, share = 1) =>
      value !== undefined && chance(share) ? { [name]: headerSafe(value) } : {}
    return {
      method,
      path,
      body,
      headers: {
        'x-forwarded-for': chance(0.9) ? `2001:db8:${below(65_536).toString(16)}::1` : headerSafe(hostile()),
        ...header('cookie', cookie, 0.85),
        ...header('content-type', type),
        ...header('content-encoding', encoding),
        ...header('accept', pick(['text/html', 'application/json', '*/*', hostile()])),
        ...header('accept-encoding', pick(['br', 'gzip', 'identity', hostile()])),
        ...header('idempotency-key', hostile(), 0.1),
        ...header('if-none-match', hostile(), 0.05),
        ...header('range', 'bytes=0-0,5-', 0.02),
        ...header('origin', hostile(), 0.02),
        ...header('host', hostile().slice(0, 100) || 'x', 0.05),
        ...header('traceparent', hostile(), 0.05),
      },
    }
  }
}

/** Percent-encodes what a request line cannot hold; what is percent-encoded already stays as it is. */
function encoded(text: string): string {
  return encodeURIComponent(wellFormed(text.slice(0, 6000))).replaceAll('%25', '%')
}

/** Replaces lone surrogates, which are no characters. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString()
}

/** Leaves what Node's client sends in a header. */
function headerSafe(value: string): string {
  return value.replace(/[^\t\x20-\x7e]/g, '').slice(0, 6000)
}
