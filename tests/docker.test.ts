import { readFileSync } from 'node:fs'
import { validate } from 'dockerfile-utils'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { EnvSchema, readEnv } from '../core/env.ts'
import { CRMS } from '../worker/senders/crm.ts'

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
const compose = parse(read('docker-compose.yml'), { merge: true })
const [, imageSettings = ''] = /^ENV (.*)$/m.exec(read('Dockerfile')) ?? []
/** The settings that the image has already. */
const image: Record<string, string> = Object.fromEntries(imageSettings.split(' ').map((text) => text.split('=')))
/** Settings that have one value only in production. */
const LOCAL_ONLY = ['ADMIN_ACCESS']

describe('Dockerfile', () => {
  it('is valid and does not run as root', () => {
    expect(validate(read('Dockerfile'))).toEqual([])
    expect(read('Dockerfile')).toMatch(/^USER node$/m)
  })
})

describe('docker-compose.yml', () => {
  const { api, worker, migrate, redis } = compose.services

  /** Settings of tracing, which the SDK of OpenTelemetry reads by itself. */
  const ofTracing = new Set(read('docs/operations.md').match(/\bOTEL_\w+/g))

  it('passes every setting that is not fixed for it, the same to every process', () => {
    expect(ofTracing.size).toBeGreaterThanOrEqual(5)
    const ours = [EnvSchema.shape, ...CRMS.map((crm) => crm.settings.shape)].flatMap(Object.keys)
    const settings = new Set([...ours, ...ofTracing])
    expect(Object.keys(api.environment).toSorted()).toEqual(
      [...settings].filter((name) => !(name in image) && !LOCAL_ONLY.includes(name)).toSorted(),
    )
    expect(worker.environment).toEqual(api.environment)
    expect(migrate.environment).toEqual(api.environment)
  })

  it('passes each under its own name, but for those that are about its own containers', () => {
    const others = Object.entries<string>(api.environment).filter(([name, text]) => !text.startsWith(`\${${name}:`))
    expect(others.map(([name]) => name)).toEqual(['DATABASE_URL', 'REDIS_URL', 'WORKER_HEALTH_FILE'])
  })

  it('starts in production with the settings that it asks for, and with no fewer', () => {
    const given = {
      POSTGRES_PASSWORD: 'k3long',
      DATA_KEY: Buffer.alloc(32, 1).toString('base64'),
      MAIN_DOMAIN: 'velmora.example',
    }
    const others = {
      PUBLIC_URL: 'https://velmora.example',
      SMTP_URL: 'smtps://mail.velmora.example',
      MAIL_FROM: 'a@velmora.example',
      TEAM_EMAIL: 't@velmora.example',
    }
    const environment = fill(api.environment, { ...given, ...others })

    expect(() => readEnv({ ...image, ...environment })).not.toThrow()
    expect(() => fill(api.environment, given)).toThrow('Set PUBLIC_URL')
  })

  it('asks for a mail server, and starts one that only catches e-mails for a trial', () => {
    expect(() => fill({ SMTP_URL: api.environment.SMTP_URL }, {})).toThrow('Set SMTP_URL')
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

  it('has no setting of its own that the README does not name', () => {
    const [, production = ''] = read('README.md').split('\n## Production\n')
    const names = [...read('docker-compose.yml').matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name)
    const own = new Set(names.filter((name) => !(name in EnvSchema.shape) && !(name in api.environment)))
    expect([...own].filter((name) => !production.includes(`\`${name}\``))).toEqual([])
  })

  it('keeps jobs over a restart of Redis and never evicts one', () => {
    expect(redis.command.join(' ')).toBe('redis-server --appendonly yes --maxmemory-policy noeviction')
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
