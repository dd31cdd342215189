import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { globSync } from 'tinyglobby'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { freePort } from '../local/ports.ts'
import { createTestDatabase } from './support/database.ts'
import { rawEnv } from './support/env.ts'
import { readSeriesName, type Scrape, type SeriesName, scrape } from './support/metrics.ts'
import { startProcess } from './support/processes.ts'

const folder = (path: string) => fileURLToPath(new URL(`../ops/${path}`, import.meta.url))
const read = (path: string) => readFileSync(folder(path), 'utf8')

/** `words` name labels of what is found. */
type Query = { where: string; expr: string; words: string }
type TestSeries = { series: string; values: string }
type Panel = { title: string; targets?: { expr: string; legendFormat: string }[] }

const rules: { alert: string; expr: string; annotations: { summary: string } }[] = parse(
  read('prometheus/alerts.yml'),
).groups.flatMap((group: { rules: unknown[] }) => group.rules)
const DASHBOARDS = readdirSync(folder('grafana/dashboards'))
const QUERIES: Query[] = [
  ...rules.map(({ alert, expr, annotations }) => ({ where: alert, expr, words: annotations.summary })),
  ...DASHBOARDS.flatMap((file) => {
    const { panels } = JSON.parse(read(`grafana/dashboards/${file}`)) as { panels: Panel[] }
    return panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr, legendFormat }) => ({ where: title, expr, words: legendFormat })),
    )
  }),
]

const WORDS = ['and', 'or', 'unless', 'on', 'ignoring', 'group_left', 'group_right', 'by', 'without', 'bool', 'offset']

/** Returns what a query asks for and how it groups it. `promtool` checks its grammar. */
function readQuery({ expr }: Query) {
  const [metrics, grouping, matching]: [string[], string[], string[]] = [[], [], []]
  const namesIn = (text: string) => text.match(/\b[a-z_]\w*/gi) ?? []
  const take = (into: string[]) => (_: string, labels: string) => {
    into.push(...namesIn(labels))
    return ' '
  }
  const rest = expr
    .replace(/"[^"]*"/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\{([^}]*)\}/g, take(matching))
    .replace(/\b(?:by|without) *\(([^)]*)\)/g, take(grouping))
    .replace(/\b(?:on|ignoring|group_left|group_right) *\(([^)]*)\)/g, take(matching))
  metrics.push(...namesIn(rest.replace(/\b\w+ *\(/g, '(')).filter((name) => !WORDS.includes(name)))
  return { metrics, grouping, matching }
}

const metricsOf = (query: Query) => readQuery(query).metrics

/** What Prometheus itself puts on each series: the target that it scraped. */
const OF_TARGETS = ['job', 'instance']
function scrapeOf(job?: string): Scrape {
  const found = scrapes[['leadwell-api', 'leadwell-worker'].indexOf(String(job))]
  if (!found) throw new Error(`No job of prometheus.yml: ${job}`)
  return found
}
const labelsIn = (series: SeriesName[]) => [...new Set(series.flatMap(({ labels }) => Object.keys(labels)))]
const exportedLabels = (name: string, from = scrapes) =>
  labelsIn(from.flatMap(({ series }) => series).filter((one) => one.name === name))

let scrapes: Scrape[] = []
let names: Set<string>
let types: Map<string, string>
let drop = async () => {}
beforeAll(async () => {
  const { url, drop: dropDatabase } = await createTestDatabase()
  const env = (port: number) => rawEnv({ DATABASE_URL: url, METRICS_PORT: String(port) })
  const [apiPort, workerPort] = [await freePort(), await freePort()]
  const api = await startProcess('api', { ...env(apiPort), PORT: String(await freePort()) })
  const worker = await startProcess('worker', env(workerPort))
  drop = async () => {
    await Promise.all([api.kill('SIGKILL'), worker.kill('SIGKILL')])
    await dropDatabase()
  }
  scrapes = [await scrape(apiPort), await scrape(workerPort)]
  types = new Map(scrapes.flatMap((one) => [...one.types]))
  names = new Set(
    [...types].flatMap(([name, type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  )
})
afterAll(() => drop())

const hasPromtool = spawnSync('promtool', ['--version']).status === 0
const ifPromtool = hasPromtool ? 'promtool' : 'promtool: NOT RUN, it is not on the PATH (Debian: prometheus)'

describe.skipIf(!hasPromtool)(`by ${ifPromtool}`, () => {
  it.each([
    ['check', 'config', 'prometheus.yml'],
    ['check', 'rules', 'alerts.yml'],
    ['test', 'rules', 'alerts.test.yml'],
  ])('%s %s %s', (...args) => {
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: folder('prometheus'), encoding: 'utf8' })
    expect({ status, output: stdout + stderr }).toMatchObject({ status: 0 })
  })

  async function check(args: string[], text: string) {
    const folder = await mkdtemp(join(tmpdir(), 'leadwell-ops-'))
    const file = join(folder, 'checked.yml')
    await writeFile(file, text)
    const { status, stderr } = spawnSync('promtool', ['check', ...args, file], { encoding: 'utf8' })
    await rm(folder, { recursive: true })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  }

  it('every query of the dashboards', async () => {
    const queries = QUERIES.map(({ expr }, n) => ({ record: `q${n}`, expr: expr.replaceAll('$__rate_interval', '5m') }))
    await check(['rules'], JSON.stringify({ groups: [{ name: 'dashboards', rules: queries }] }))
  })

  it('what the processes measure', () => {
    // Names that BullMQ and prom-client have chosen, and promtool would have chosen otherwise.
    const others = /^(bullmq_job_count|nodejs_active_(handles|requests|resources)_total) /
    for (const { text } of scrapes) {
      const { stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
      expect((stdout + stderr).split('\n').filter((line) => line && !others.test(line))).toEqual([])
    }
  })
})

it('the dashboard of Grafana is found where the compose file lays it', () => {
  const { services } = parse(readFileSync(new URL('../docker-compose.yml', import.meta.url), 'utf8'))
  const { options } = parse(read('grafana/provisioning/dashboards/leadwell.yml')).providers[0]
  expect(services.grafana.volumes).toContain(`./ops/grafana/dashboards:${options.path}:ro`)
  const { scrape_configs: jobs } = parse(read('prometheus/prometheus.yml'))
  for (const job of jobs) expect(Object.keys(services)).toContain(job.dns_sd_configs[0].names[0])
})

it('each alert has a section in docs/operations.md, and no section is without one', () => {
  const text = readFileSync(new URL('../docs/operations.md', import.meta.url), 'utf8')
  const sections = [...text.matchAll(/^### (Leadwell\w+)$/gm)].map(([, name]) => name)
  expect(sections).toEqual(rules.map(({ alert }) => alert))
})

describe('what the processes measure', () => {
  it('has no label that Prometheus would rename, because it is one of its own', () => {
    const labels = labelsIn(scrapes.flatMap(({ series }) => series))
    expect(labels.filter((label) => OF_TARGETS.includes(label))).toEqual([])
  })

  it('is there from the start, so that these tests see its labels', () => {
    const own = [...names].filter((name) => /^(leadwell|bullmq|http)_/.test(name))
    expect(own.filter((name) => !scrapes.some((one) => one.names.has(name)))).toEqual([])
  })
})

describe('the tests of the alerts', () => {
  const { tests } = parse(read('prometheus/alerts.test.yml')) as { tests: { input_series: TestSeries[] }[] }
  const all = tests.flatMap((test) => test.input_series)

  it('have series as a scrape makes them', () => {
    for (const { series } of all) {
      const { name, labels } = readSeriesName(series)
      const exported = name === 'up' ? [] : exportedLabels(name, [scrapeOf(labels.job)])
      expect({ series, labels: Object.keys(labels).sort() }).toEqual({
        series,
        labels: [...OF_TARGETS, ...exported].sort(),
      })
    }
  })

  // Prometheus takes the first value of a series for its beginning, whatever it is.
  it('begin each counter as a process does: at 0, or not at all', () => {
    const counters = all.filter(({ series }) => /^\w+_(total|count)\{/.test(series))
    expect(counters.length).toBeGreaterThan(2)
    for (const { series, values } of counters) {
      const { name, labels } = readSeriesName(series)
      const { job, instance, ...own } = labels
      const begins = values.startsWith('_') ? undefined : Number.parseInt(values, 10)
      expect({ series, begins: scrapeOf(job).value(name, own) }).toEqual({ series, begins })
    }
  })
})

describe('alerts and dashboards', () => {
  it('ask for labels, group by labels and name labels that there are', () => {
    const unknown = QUERIES.flatMap((query) => {
      const { metrics, grouping, matching } = readQuery(query)
      const own = metrics.flatMap((name) => exportedLabels(name))
      const all = [...own, ...OF_TARGETS]
      const named = [...query.words.matchAll(/\{\{ *(?:\$labels\.)?(\w+) *\}\}/g)].map(([, label]) => String(label))
      return [
        ...matching.filter((label) => !all.includes(label)),
        // By process: `instance`. By `job` it would be all workers, or all APIs, and that is no question of ours.
        ...grouping.filter((label) => ![...own, 'instance'].includes(label)),
        ...named.filter((label) => !(grouping.length > 0 ? grouping : all).includes(label)),
      ].map((label) => `${query.where}: ${label}`)
    })
    expect(unknown).toEqual([])
  })

  it('ask only for what is measured', () => {
    // Prometheus' own: whether it could read a process.
    const unknown = QUERIES.flatMap((query) =>
      metricsOf(query)
        .filter((name) => name !== 'up' && !names.has(name))
        .map((name) => `${query.where}: ${name}`),
    )
    expect(unknown).toEqual([])
  })

  it('use everything of ours that is measured', () => {
    const used = new Set(QUERIES.flatMap(metricsOf).flatMap((name) => [name, name.replace(/_(bucket|sum|count)$/, '')]))
    const own = [...types.keys()].filter((name) => /^(leadwell|bullmq|http)_/.test(name))
    expect(own.filter((name) => !used.has(name))).toEqual([])
  })
})

describe('the manuals', () => {
  const root = fileURLToPath(new URL('..', import.meta.url))
  /** Files that a reader adds. */
  const NEW = ['web/lib/page-count.ts']
  const oneLine = (text: string) => text.replace(/\s+/g, ' ')
  const sources = globSync('{core,api,worker,web,local,ops}/**/*.{ts,tsx,json}', { cwd: root })
  const printed = oneLine(sources.map((path) => readFileSync(join(root, path), 'utf8')).join('\n'))

  it.each(['operations', 'production'])(
    'docs/%s.md quotes only messages, labels and headings that there are',
    (name) => {
      const text = readFileSync(join(root, `docs/${name}.md`), 'utf8').replace(/```[\s\S]*?```/g, '')
      const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading)
      const quoted = [...oneLine(text).matchAll(/`([^`]+)`|"([A-Z][^"]+)"/g)].flatMap(([, line, words]) => {
        const message = /^"msg":"(.+)"$/.exec(line ?? '')?.[1] ?? line
        return words ?? (line !== message || /^[A-Z]\S* [a-z]/.test(line ?? '') ? message : undefined) ?? []
      })
      expect(quoted.length).toBeGreaterThan(5)
      expect(quoted.filter((one) => !headings.includes(one) && !printed.includes(one.replace(/[.,]$/, '')))).toEqual([])
    },
  )

  it('and the README name only files and commands that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const missing = globSync(['*.md', '!CHANGELOG.md', 'docs/**/*.md'], { cwd: root }).flatMap((manual) => {
      const text = readFileSync(join(root, manual), 'utf8').replace(/```[\s\S]*?```/g, '')
      const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => String(name))
      const links = all(/\]\(([^)#:]+)(?:#[^)]*)?\)/g).map((link) => join(dirname(manual), link))
      const paths = all(/`((?:core|api|worker|web|local|tests|ops|bench|migrations|docs|\.ci)\/[\w./-]*)`/g)
      return [
        ...[...links, ...paths].filter((path) => !existsSync(join(root, path)) && !NEW.includes(path)),
        ...all(/npm run (?:-s )?([\w:]+)/g).filter((script) => !(script in scripts)),
      ].map((name) => `${manual}: ${name}`)
    })
    expect(missing).toEqual([])
  })
})
