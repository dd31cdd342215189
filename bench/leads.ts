import { readFile } from 'node:fs/promises'
import { findEarlier } from '../core/leads/stores/repeats.ts'
import { type Db, openDb } from '../core/platform/db.ts'
import { seedLeads } from './seed-leads.ts'
import { type BenchContext, defineBenchmark, median, percentile, print, startServer } from './support.ts'

/** `requests` are made of each list; `naive` is how often each is counted and skipped through for comparison. */
const FULL = { leads: 1_000_000, requests: 40, naive: 3 }
const PAGE = 40

type Api = { url: string; pid: number; headers: { cookie: string } }
/** A query of the list, and a condition that means the same without what lists are made quick with. */
type Case = { query: string; naive?: string; page?: 'middle' | 'last' }

/** The state of a lead's emails as it was computed before it was kept. */
const EMAIL_STATUS = `(select case when bool_or(state = 'failed') then 'failed'
  when bool_or(state in ('waiting', 'enqueued')) then 'pending' when bool_or(state = 'done') then 'success' else 'pending' end
  from (select distinct on (purpose) state from jobs where subject_kind = 'lead' and subject_id = leads.id and name = 'send-email'
    order by purpose, generation desc) latest)`
const contains = (text: string) =>
  `concat_ws(' ', first_name, last_name, email, phone, zip_code) ilike '%${text.replaceAll(' ', '%')}%'`
const LAST_MONTH = dayBefore(30)
const LAST_YEAR = dayBefore(365)

const CASES: Record<string, Case> = {
  'first page': { query: '' },
  'page in the middle': { query: '', page: 'middle' },
  'last page': { query: '', page: 'last' },
  'by name, first page': { query: 'sort=name' },
  'by name, in the middle': { query: 'sort=name', page: 'middle' },
  'by zip, last page': { query: 'sort=zip_code', page: 'last' },
  'CRM failed (3 %)': { query: 'crm_sync_status=failed', naive: `crm_sync_status = 'failed'` },
  'CRM success (96 %), in the middle': {
    query: 'crm_sync_status=success',
    naive: `crm_sync_status = 'success'`,
    page: 'middle',
  },
  'CRM success, by name, in the middle': {
    query: 'crm_sync_status=success&sort=name',
    naive: `crm_sync_status = 'success'`,
    page: 'middle',
  },
  'email failed (2 %)': { query: 'email_status=failed', naive: `${EMAIL_STATUS} = 'failed'` },
  'anything failed (5 %), in the middle': {
    query: 'failed=true',
    naive: `(crm_sync_status = 'failed' or ${EMAIL_STATUS} = 'failed')`,
    page: 'middle',
  },
  'nothing failed (95 %)': {
    query: 'failed=false',
    naive: `crm_sync_status <> 'failed' and ${EMAIL_STATUS} <> 'failed'`,
  },
  'refused by the CRM (3 %)': {
    query: 'cause=refused&target=crm',
    naive: `exists (select from jobs where subject_kind = 'lead' and subject_id = leads.id and name = 'sync-crm' and last_cause = 'refused')`,
  },
  'the largest provider (5 %), last page': { query: 'provider_id=1', naive: 'provider_id = 1', page: 'last' },
  'a small provider': { query: 'provider_id=390', naive: 'provider_id = 390' },
  'unmatched (8 %), in the middle': { query: 'unmatched=true', naive: 'provider_id is null', page: 'middle' },
  'held (0.5 %)': { query: 'held=true', naive: 'held_reason is not null' },
  'one day of last year': {
    query: `from=${LAST_YEAR}&to=${LAST_YEAR}`,
    naive: `created_at >= '${LAST_YEAR}' and created_at < '${LAST_YEAR}'::date + 1`,
  },
  'since last year, in the middle': {
    query: `from=${LAST_YEAR}`,
    naive: `created_at >= '${LAST_YEAR}'`,
    page: 'middle',
  },
  'last month, CRM failed, by name': {
    query: `from=${LAST_MONTH}&crm_sync_status=failed&sort=name`,
    naive: `created_at >= '${LAST_MONTH}' and crm_sync_status = 'failed'`,
  },
  'matched, CRM success, email failed': {
    query: 'unmatched=false&crm_sync_status=success&email_status=failed',
    naive: `provider_id is not null and crm_sync_status = 'success' and ${EMAIL_STATUS} = 'failed'`,
  },
  'search: a common first name': { query: 'q=michael', naive: contains('michael') },
  'search: a common name, in the middle': {
    query: 'q=michael+smith',
    naive: contains('michael smith'),
    page: 'middle',
  },
  'search: three letters': { query: 'q=mar', naive: contains('mar') },
  'search: three letters, by name, in the middle': { query: 'q=joh&sort=name', naive: contains('joh'), page: 'middle' },
  'search: two letters': { query: 'q=li', naive: contains('li') },
  'search: one letter': { query: 'q=m', naive: contains('m') },
  'search: an email': { query: 'q=david.smith1', naive: contains('david.smith1') },
  'search: last four of a phone': { query: 'q=0142', naive: contains('0142') },
  'search: three digits': { query: 'q=512', naive: contains('512') },
  'search: a zip': { query: 'q=78702', naive: contains('78702') },
  'search: a name, CRM failed': {
    query: 'q=james&crm_sync_status=failed',
    naive: `${contains('james')} and crm_sync_status = 'failed'`,
  },
  'of one owner (2 %), in the middle': {
    query: 'owner=1',
    naive: 'id in (select lead_id from lead_work where owner_id = 1)',
    page: 'middle',
  },
  'without an owner (70 %), in the middle': {
    query: 'owner=none',
    naive: 'not exists (select from lead_work where lead_id = leads.id and owner_id is not null)',
    page: 'middle',
  },
  'with a common tag (10 %), by name': {
    query: 'tag=vip&sort=name',
    naive: `id in (select lead_id from lead_work where 'vip' = any(tags))`,
  },
  'next action due (3 %)': {
    query: 'due=true',
    naive: 'id in (select lead_id from lead_work where next_action_on <= current_date)',
  },
  'next action not due (97 %), in the middle': {
    query: 'due=false',
    naive: 'not exists (select from lead_work where lead_id = leads.id and next_action_on <= current_date)',
    page: 'middle',
  },
  'search: nobody': { query: 'q=qqqqqqq', naive: contains('qqqqqqq') },
}

export const leads = defineBenchmark({
  measures:
    'Lists of leads over HTTP, total included, beside counting and skipping; what exports cost in memory; and how long the earlier requests of a form take.',
  needs: ['redis-server'],
  full: FULL,
  smoke: { leads: 2000, requests: 1, naive: 1 },
  run,
})

async function run({ env, createDatabase }: BenchContext, size: typeof FULL): Promise<void> {
  const DATABASE_URL = await createDatabase()
  const started = performance.now()
  await seedLeads(DATABASE_URL, size.leads)
  await addWork(DATABASE_URL)
  console.log(`\n${size.leads} leads stored in ${Math.round((performance.now() - started) / 1000)} s`)

  // For the comparison: what the product would cut off may take its time.
  const db = openDb(DATABASE_URL, { statementTimeout: 0 })
  const server = await startServer('dist/api/main.js', { ...env, DATABASE_URL })
  try {
    const api = { ...server, headers: await signIn(server.url, env.ADMIN_PASSWORD ?? '') }
    const rows: Record<string, Record<string, number | string>> = {}
    for (const [name, wanted] of Object.entries(CASES)) rows[name] = await measure(api, db, wanted, size)
    print(`GET /api/leads of ${size.leads} leads, ms over HTTP (goal: p95 up to 200)`, rows)
    print('GET /api/leads.csv (goal: up to 50 MB more)', {
      'of the last 90 days': await download(api, `from=${dayBefore(90)}`),
      'all, by name': await download(api, 'sort=name'),
    })
    print('Earlier requests of a form, ms (goal: p95 up to 5, as among 1,000 leads)', {
      'a known address': await findKnown(db, size.requests),
    })
  } finally {
    await server.stop()
    await db.destroy()
  }
}

/** Gives 30 % of the leads an owner, 3 % of all a next action that is due, and 10 % of all a tag. */
async function addWork(databaseUrl: string): Promise<void> {
  const db = openDb(databaseUrl, { poolSize: 1, statementTimeout: 0 })
  await db.raw(`
    insert into staff_accounts (name, email, role)
    select 'Colleague ' || n, 'colleague' || n || '@leadwell.example', 'agent' from generate_series(1, 15) n;
    insert into lead_work (lead_id, owner_id, next_action_on)
    select id, 1 + id % 15, case id % 100 % 5 when 0 then current_date + case when random() < 0.5 then -3 else 3 end end
    from leads where id % 100 < 30;
    insert into lead_work (lead_id, tags) select id, array['vip'] from leads where random() < 0.1
      on conflict (lead_id) do update set tags = excluded.tags`)
  await db.raw('vacuum (analyze) lead_work')
  await db.destroy()
}

async function measure(api: Api, db: Db, { query, naive = 'true', page }: Case, size: typeof FULL) {
  const get = async (number: number) => {
    const started = performance.now()
    const response = await fetch(`${api.url}/api/leads?page=${number}&${query}`, { headers: api.headers })
    const { leads, total } = await response.json()
    if (!response.ok) throw new Error(`GET /api/leads?${query} answered ${response.status}`)
    return { ms: performance.now() - started, leads, total }
  }
  const { total } = await get(1)
  const last = Math.max(1, Math.ceil(total / PAGE))
  const number = page === 'last' ? last : page === 'middle' ? Math.ceil(last / 2) : 1
  const times: number[] = []
  for (let n = 0; n < size.requests; n++) times.push((await get(number)).ms)

  const order =
    { name: 'last_name, first_name', zip_code: 'zip_code' }[/sort=(\w+)/.exec(query)?.[1] ?? ''] ?? 'id desc'
  const offset = (number - 1) * PAGE
  const naiveTimes: number[] = []
  while (naiveTimes.length < size.naive && (naiveTimes[0] ?? 0) < 2000) {
    const started = performance.now()
    await Promise.all([
      db.raw(`select *, ${EMAIL_STATUS} from leads where ${naive} order by ${order} limit ${PAGE} offset ${offset}`),
      db.raw(`select count(*) from leads where ${naive}`),
    ])
    naiveTimes.push(performance.now() - started)
  }
  return {
    total,
    page: number,
    p50: Math.round(median(times)),
    p95: Math.round(percentile(times, 0.95)),
    'naive p50': Math.round(median(naiveTimes)),
    ratio: (median(times) / median(naiveTimes)).toFixed(3),
  }
}

/** Looks up the earlier requests of addresses that have some, as each form does. */
async function findKnown(db: Db, requests: number) {
  const known = await db('leads').whereNull('held_reason').orderByRaw('random()').limit(requests).select()
  const times: number[] = []
  for (const { id: _, ...asking } of known) {
    const started = performance.now()
    const [earlier = []] = await findEarlier(db, [asking])
    times.push(performance.now() - started)
    if (earlier.length === 0) throw new Error('a known address has no earlier request')
  }
  return { p50: median(times).toFixed(1), p95: percentile(times, 0.95).toFixed(1) }
}

/** Reads a whole export, and how much memory the API takes meanwhile. */
async function download(api: Api, query: string) {
  const before = await residentMegabytes(api.pid)
  const started = performance.now()
  const response = await fetch(`${api.url}/api/leads.csv?${query}`, { headers: api.headers })
  let rows = -1
  let peak = before
  let nextLook = 0
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
    for (const byte of piece) if (byte === 10) rows += 1
    if (performance.now() < nextLook) continue
    nextLook = performance.now() + 20
    peak = Math.max(peak, await residentMegabytes(api.pid))
  }
  const seconds = (performance.now() - started) / 1000
  return { rows, 'rows/s': Math.round(rows / seconds), 'MB before': before, 'MB more at the peak': peak - before }
}

async function residentMegabytes(pid: number): Promise<number> {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

async function signIn(url: string, password: string): Promise<{ cookie: string }> {
  const response = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password }),
  })
  return {
    cookie: response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; '),
  }
}

function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}
