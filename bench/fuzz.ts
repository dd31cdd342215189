import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { apiClient } from '../tests/support/api-client.ts'
import { type ApiDescription, createFuzzer, type FuzzedRequest } from './fuzz-requests.ts'
import { type BenchContext, defineBenchmark, median, print, startServer } from './support.ts'

const FULL = { requests: 100_000, connections: 8, seed: 1 }
/** In milliseconds. A call that waits for something, or streams, is hung up on. */
const ANSWER_TIMEOUT = 3000
/** In bytes; of a longer answer the rest is left unread. */
const MAX_ANSWER = 64 * 1024
/** The interval of memory samples, in requests. */
const SAMPLE_INTERVAL = 200
/** The most that memory may grow from the first quarter to the second half, as a ratio. */
const MAX_GROWTH = 1.25

export const fuzz = defineBenchmark({
  measures: 'Wrong and hostile requests to every call and page; fails on a 5xx, a lost process or growing memory.',
  full: FULL,
  smoke: { requests: 2000, connections: 4, seed: 1 },
  run,
})

type Failure = { status: number | string; request: FuzzedRequest; answer: string }

async function run({ env, createDatabase, seedProviders }: BenchContext, size: typeof FULL): Promise<void> {
  const DATABASE_URL = await createDatabase()
  await seedProviders(DATABASE_URL)
  const api = await startServer('dist/api/main.js', { ...env, DATABASE_URL, TRUST_PROXY_HOPS: '1' })
  const client = apiClient(api.url, env.ADMIN_PASSWORD)
  const description = (await client.call('GET', '/api/openapi.json')).body as ApiDescription
  const next = createFuzzer(description, size.seed)

  let { cookie } = await client.signIn()
  const statuses: Record<string, number> = {}
  const failures: Failure[] = []
  const memory: number[] = []
  const agent = new Agent({ keepAlive: true, maxSockets: size.connections })
  let sent = 0
  const sendOn = async () => {
    while (sent < size.requests) {
      sent += 1
      if (sent % SAMPLE_INTERVAL === 0) memory.push(residentMegabytes(api.pid))
      const fuzzed = next(cookie)
      const { status, answer } = await send(api.url, fuzzed, agent)
      statuses[status] = (statuses[status] ?? 0) + 1
      // Requests may end the session that they are sent with.
      if (status === 401 && fuzzed.headers.cookie === cookie) ({ cookie } = await client.signIn())
      if (typeof status === 'number' && status >= 500) failures.push({ status, request: fuzzed, answer })
    }
  }
  await Promise.all(Array.from({ length: size.connections }, sendOn))
  agent.destroy()
  const isAlive = (await client.call('GET', '/healthz')).status === 200
  await api.stop()

  const quarter = Math.floor(memory.length / 4)
  const growth = median(memory.slice(2 * quarter)) / median(memory.slice(quarter, 2 * quarter))
  print(`${sent} requests, seed ${size.seed} (goal: no 5xx, no process lost, memory at most ${MAX_GROWTH} times)`, {
    fuzz: { ...statuses, 'memory MB': Math.round(median(memory)), 'memory growth': growth.toFixed(2) },
  })
  for (const { status, request, answer } of failures.slice(0, 10)) {
    console.log(`${status} ${JSON.stringify(request).slice(0, 600)}\n  ${answer.slice(0, 300)}`)
  }
  if (failures.length > 0) throw new Error(`${failures.length} of ${sent} requests were answered with a 5xx.`)
  if (!isAlive) throw new Error('The API did not survive.')
  // Below some thousand requests the process still grows into its caches.
  if (sent >= 20_000 && growth > MAX_GROWTH) throw new Error(`Memory grew ${growth.toFixed(2)} times.`)
}

/** Returns the status, or what became of a request that got none. */
function send(url: string, { method, path, headers, body }: FuzzedRequest, agent: Agent) {
  const { hostname, port } = new URL(url)
  return new Promise<{ status: number | string; answer: string }>((resolve) => {
    const call = request({ hostname, port, method, path, headers, agent, timeout: ANSWER_TIMEOUT }, (response) => {
      let answer = ''
      const done = () => resolve({ status: response.statusCode ?? 0, answer })
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        answer += chunk
        if (answer.length > MAX_ANSWER) response.destroy()
      })
      response.on('close', done)
      response.on('error', done)
    })
    call.on('timeout', () => call.destroy())
    call.on('error', ({ message }) => resolve({ status: 'no answer', answer: message }))
    call.end(body)
  })
}

/** Resident memory of a process in MB; 0 where the system does not tell it. */
function residentMegabytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  } catch {
    return 0
  }
}
