import { Agent, request } from 'node:http'
import { freePort } from '../local/ports.ts'
import { buildWeb } from '../local/web-build.ts'
import {
  type BenchContext,
  defineBenchmark,
  newForm,
  percentile,
  print,
  ROOT,
  type Server,
  startServer,
} from './support.ts'

/** `seconds` for the quiet site and for the attacked one each. */
const FULL = { attackers: 60, seconds: 20 }

export const signInAttack = defineBenchmark({
  measures: 'Pages, assets and forms while wrong sign-ins are in flight, beside the same site when it is quiet.',
  needs: ['redis-server'],
  full: FULL,
  smoke: { attackers: 12, seconds: 1 },
  run,
})

/** Latencies in milliseconds, and how many requests did not get the status they should. */
type Visits = { latencies: number[]; refused: number }
type Measured = Record<'page' | 'asset' | 'form', Visits>

async function run({ env, createDatabase, seedProviders }: BenchContext, size: typeof FULL): Promise<void> {
  await buildWeb(ROOT)
  const databaseUrl = await createDatabase()
  await seedProviders(databaseUrl)
  const port = await freePort()
  const settings = { ...env, DATABASE_URL: databaseUrl, PUBLIC_URL: `http://localhost:${port}`, TRUST_PROXY_HOPS: '1' }
  const api = await startServer('dist/api/main.js', settings, port)

  await visit(api, performance.now() + 1000)
  const quiet = await visit(api, performance.now() + size.seconds * 1000)
  const attack = startAttack(api, size.attackers)
  const attacked = await visit(api, performance.now() + size.seconds * 1000)
  const answers = await attack.stop()
  await api.stop()
  report(size, quiet, attacked, answers)
}

/** One visitor each for a page, an asset and the form, who come back as soon as they have their answer. */
async function visit(api: Server, until: number): Promise<Measured> {
  const agent = new Agent({ keepAlive: true })
  const repeat = async (once: () => Promise<number>, expected: number): Promise<Visits> => {
    const visits: Visits = { latencies: [], refused: 0 }
    do {
      const started = performance.now()
      if ((await once()) !== expected) visits.refused += 1
      visits.latencies.push(performance.now() - started)
    } while (performance.now() < until)
    return visits
  }
  const json = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.7' }
  const [page, asset, form] = await Promise.all([
    repeat(() => send(agent, api.url, 'GET', '/', { accept: 'text/html', 'accept-encoding': 'gzip' }), 200),
    repeat(() => send(agent, api.url, 'GET', '/art/map/pin.svg', {}), 200),
    repeat(() => send(agent, api.url, 'POST', '/api/leads', json, newForm()), 201),
  ])
  agent.destroy()
  return { page, asset, form }
}

/** Keeps that many wrong sign-ins in flight, each attacker in a network of its own and each try at another address. */
function startAttack(api: Server, attackers: number) {
  const agent = new Agent({ keepAlive: true })
  const answers: Record<number, number> = {}
  let isOver = false
  const attack = async (attacker: number) => {
    const body = JSON.stringify({ email: `unknown${attacker}@leadwell.example`, password: 'a wrong password' })
    for (let n = 1; !isOver; n++) {
      const headers = {
        'content-type': 'application/json',
        'x-forwarded-for': `2001:db8:${attacker.toString(16)}:${(n % 65_536).toString(16)}::1`,
      }
      const status = await send(agent, api.url, 'POST', '/api/session', headers, body)
      answers[status] = (answers[status] ?? 0) + 1
    }
  }
  const attacks = Array.from({ length: attackers }, (_, index) => attack(index + 1))
  return {
    async stop() {
      isOver = true
      await Promise.all(attacks)
      agent.destroy()
      return answers
    },
  }
}

/** Sends a request and reads the whole answer. Returns its status. */
function send(
  agent: Agent,
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { agent, method, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
    sent.once('error', reject).end(body)
  })
}

function report(size: typeof FULL, quiet: Measured, attacked: Measured, answers: Record<number, number>): void {
  const rows: Record<string, Record<string, number | string>> = {}
  for (const name of ['page', 'asset', 'form'] as const) {
    const of = ({ latencies }: Visits, share: number) => Math.round(percentile(latencies, share) * 10) / 10
    rows[name] = {
      'quiet p50 ms': of(quiet[name], 0.5),
      'quiet p99 ms': of(quiet[name], 0.99),
      'attacked p50 ms': of(attacked[name], 0.5),
      'attacked p99 ms': of(attacked[name], 0.99),
      'p99 ratio': (percentile(attacked[name].latencies, 0.99) / percentile(quiet[name].latencies, 0.99)).toFixed(2),
      refused: attacked[name].refused,
    }
  }
  const title = `${size.attackers} wrong sign-ins in flight for ${size.seconds} s, each from a network of its own`
  print(`${title} (goal: 5 times the p99 of a page, no form refused)`, rows)
  print('The answers to the sign-ins, by status', { sign_ins: answers })
}
