import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { validate } from 'dockerfile-utils'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ApiSchema, EnvSchema, readApiEnv, readWorkerEnv, WorkerSchema } from '../core/env.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
const compose = parse(read('docker-compose.yml'), { merge: true })
const [, imageSettings = ''] = /^ENV (.*)$/m.exec(read('Dockerfile')) ?? []
/** The settings that the image has already. */
const image: Record<string, string> = Object.fromEntries(imageSettings.split(' ').map((text) => text.split('=')))

it('Dockerfile is valid and does not run as root', () => {
  expect(validate(read('Dockerfile'))).toEqual([])
  expect(read('Dockerfile')).toMatch(/^USER node$/m)
})

describe('docker-compose.yml', () => {
  const { api, worker, migrate, redis, postgres } = compose.services

  it('keeps every secret in a file that only those have who need it', () => {
    const { services } = compose as { services: Record<string, { environment?: object; secrets?: string[] }> }
    for (const { environment = {}, secrets = [] } of Object.values(services)) {
      const files = Object.values<string>({ ...environment }).filter((text) => text.startsWith('/run/secrets/'))
      expect(secrets).toEqual(expect.arrayContaining(files.map((file) => file.replace('/run/secrets/', ''))))
      const inTheOpen = Object.keys(environment).filter((name) => /PASSWORD|SECRET|TOKEN|_KEY(?!_FILE)/.test(name))
      expect(inTheOpen.filter((name) => !name.endsWith('_FILE'))).toEqual([])
    }
    const usersOf = (secret: string) =>
      Object.keys(services).filter((name) => services[name]?.secrets?.includes(secret))
    expect(usersOf('postgres_password')).toEqual(['postgres'])
    expect(usersOf('database_owner_url')).toEqual(['postgres', 'migrate'])
    for (const secret of ['admin_password', 'crm_inbound_secret']) expect(usersOf(secret)).toEqual(['api'])
    expect(usersOf('grafana_password')).toEqual(['grafana'])
    for (const secret of ['smtp_url', 'inbox_url', 'hubspot_token', 'crm_webhook_secret']) {
      expect(usersOf(secret)).toEqual(['worker'])
    }
  })

  it('has each secret made by ops/secrets.sh, which keeps those that are there and takes over those of .env', () => {
    const folder = mkdtempSync(join(tmpdir(), 'leadwell-secrets-'))
    const make = () => execFileSync('sh', ['ops/secrets.sh', folder], { cwd: ROOT })
    const secret = (name: string) => readFileSync(join(folder, 'secrets', name), 'utf8').trim()
    writeFileSync(join(folder, '.env'), `HUBSPOT_TOKEN="pat-na1"\nDATA_KEY=${Buffer.alloc(32, 7).toString('base64')}\n`)
    make()
    expect(readdirSync(join(folder, 'secrets')).toSorted()).toEqual(Object.keys(compose.secrets).toSorted())
    expect([secret('hubspot_token'), secret('admin_password')]).toEqual(['pat-na1', ''])
    expect(secret('data_key')).toBe(Buffer.alloc(32, 7).toString('base64'))
    expect(secret('database_url')).toMatch(/^postgres:\/\/leadwell_app:[0-9a-f]{48}@postgres:5432\/leadwell$/)
    expect(secret('database_owner_url')).not.toContain(new URL(secret('database_url')).password)
    expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700)
    const before = secret('redis_url')
    make()
    expect(secret('redis_url')).toBe(before)
    rmSync(folder, { recursive: true })
  })

  it('never gets a new data key from ops/secrets.sh beside data that may have one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'leadwell-secrets-'))
    const make = (...options: string[]) =>
      spawnSync('sh', ['ops/secrets.sh', ...options, folder], { cwd: ROOT, encoding: 'utf8' })
    const key = join(folder, 'secrets', 'data_key')
    expect(make().status).toBe(0)
    const first = readFileSync(key, 'utf8')
    for (const lose of [() => writeFileSync(key, ''), () => rmSync(key)]) {
      chmodSync(key, 0o600)
      lose()
      const { status, stderr } = make()
      expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('secrets/data_key is missing') })
    }
    expect(make('--new-data-key').status).toBe(0)
    expect(readFileSync(key, 'utf8')).not.toBe(first)
    rmSync(folder, { recursive: true })
  })

  it('needs no setting in production that docs/operations.md, "Upgrading", does not name with its release', () => {
    const [, upgrading = ''] = /\n## Upgrading\n([\s\S]*?)\n## /.exec(read('docs/operations.md')) ?? []
    const rows = [...upgrading.matchAll(/^\| (?!since|---)([^|]+) \| ([^|]+) \|/gm)]
    const named = rows.flatMap(([, , settings = '']) => [...settings.matchAll(/`(\w+)`/g)].map(([, name]) => name))
    const required = [ApiSchema, WorkerSchema].flatMap((schema) => {
      const { error } = schema.safeParse({ NODE_ENV: 'production' })
      return error?.issues.map(({ path }) => String(path[0])) ?? []
    })
    expect(named.toSorted()).toEqual([...new Set(required)].toSorted())
  })

  it('starts in production with the settings that it asks for, and with no fewer', () => {
    const files = {
      DATABASE_URL: 'postgres://leadwell_app:k3long@postgres:5432/leadwell',
      REDIS_URL: 'redis://:k3long@redis:6379',
      DATA_KEY: Buffer.alloc(32, 1).toString('base64'),
      SMTP_URL: 'smtps://mail.leadwell.example',
    }
    const given = {
      MAIN_DOMAIN: 'leadwell.example',
      PUBLIC_URL: 'https://leadwell.example',
      MAIL_FROM: 'a@leadwell.example',
      TEAM_EMAIL: 't@leadwell.example',
    }
    const environment = (service: { environment: object }, values: Record<string, string>) => {
      const filled = Object.entries(fill({ ...service.environment }, values))
      return { ...image, ...files, ...Object.fromEntries(filled.filter(([name]) => !name.endsWith('_FILE'))) }
    }
    expect(() => readApiEnv(environment(api, given))).not.toThrow()
    expect(() => readWorkerEnv(environment(worker, given))).not.toThrow()
    for (const missing of Object.keys(given)) {
      const fewer = { ...given, [missing]: '' }
      expect(() => [environment(api, fewer), environment(worker, fewer)]).toThrow(`Set ${missing}`)
    }
  })

  it('gives no container a right of root, a file system to write to, or all of the machine', () => {
    for (const [name, service] of Object.entries<Record<string, unknown>>(compose.services)) {
      expect({ name, ...service }).toMatchObject({
        name,
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        pids_limit: expect.any(Number),
        mem_limit: expect.any(String),
      })
      expect(service).not.toHaveProperty('cap_add')
      // The image of the processes says its own user.
      if (!String(service.image).startsWith('leadwell:')) expect(service.user).toMatch(/^[1-9]\d*:\d+$/)
    }
  })

  it('lets nothing but the processes reach PostgreSQL and Redis, and those only with a password', () => {
    const on = (network: string) =>
      Object.entries<{ networks: string[] }>(compose.services)
        .filter(([, { networks }]) => networks.includes(network))
        .map(([name]) => name)
    expect(on('data')).toEqual(['postgres', 'redis', 'migrate', 'api', 'worker'])
    expect(compose.networks.data).toEqual({ internal: true })
    expect(on('front')).toEqual(['api', 'worker', 'mail'])
    expect(on('monitoring')).toEqual(['api', 'worker', 'prometheus', 'grafana'])
    expect(redis.command.join('\n')).toMatch(/^requirepass /m)
    expect([postgres.ports, redis.ports]).toEqual([undefined, undefined])
  })

  it('starts a mail server that only catches emails for a trial alone', () => {
    expect(compose.services.mail.profiles).toEqual(['trial'])
  })

  it('runs as many workers as its settings say, whatever is started later', () => {
    expect(fill(worker.deploy, {})).toEqual({ replicas: '1' })
    expect(fill(worker.deploy, { WORKERS: '3' })).toEqual({ replicas: '3' })
  })

  it('names the image of every process by its version, so that the one before is not lost', () => {
    for (const { image } of [api, worker, migrate]) {
      expect(fill({ image }, {})).toEqual({ image: 'leadwell:latest' })
      expect(fill({ image }, { LEADWELL_VERSION: '2026-11-22' })).toEqual({ image: 'leadwell:2026-11-22' })
    }
  })

  it('has no setting of its own that docs/production.md does not name', () => {
    const production = read('docs/production.md')
    const names = [...read('docker-compose.yml').matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name)
    const own = new Set(names.filter((name) => !(name in EnvSchema.shape) && !(name in worker.environment)))
    expect([...own].filter((name) => !production.includes(`\`${name}\``))).toEqual([])
  })

  it('keeps jobs over a restart of Redis and never evicts one', () => {
    expect(redis.command.join('\n')).toMatch(/^appendonly yes\nmaxmemory-policy noeviction$/m)
    expect(redis.volumes).toEqual(['redis:/data'])
  })

  it('starts API and worker after the migration, and gives them time to stop', () => {
    for (const service of [api, worker]) {
      expect(service.depends_on.migrate.condition).toBe('service_completed_successfully')
      expect(Number.parseInt(service.stop_grace_period, 10)).toBeGreaterThan(20)
    }
  })
})

/** Fills `${NAME}`, `${NAME:-default}` and `${NAME:?message}` as compose does. */
function fill(environment: Record<string, unknown>, values: Record<string, string>): Record<string, string> {
  const fillOne = (text: string) =>
    text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, rest = '') => {
      const value = values[name]
      if (value) return value
      if (kind === '?') throw new Error(rest)
      return rest
    })
  return Object.fromEntries(Object.entries(environment).map(([name, text]) => [name, fillOne(String(text))]))
}
