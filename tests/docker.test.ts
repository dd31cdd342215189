import { readFileSync } from 'node:fs'
import { validate } from 'dockerfile-utils'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { EnvSchema, readEnv } from '../core/env.ts'

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
const compose = parse(read('docker-compose.yml'), { merge: true })

describe('Dockerfile', () => {
  it('is valid and does not run as root', () => {
    expect(validate(read('Dockerfile'))).toEqual([])
    expect(read('Dockerfile')).toMatch(/^USER node$/m)
  })
})

describe('docker-compose.yml', () => {
  const { api, worker, migrate, redis } = compose.services

  it('passes only settings that exist, the same to every process', () => {
    expect(Object.keys(EnvSchema.shape)).toEqual(expect.arrayContaining(Object.keys(api.environment)))
    expect(worker.environment).toEqual(api.environment)
    expect(migrate.environment).toEqual(api.environment)
  })

  it('starts in production with the settings that it asks for, and with no fewer', () => {
    const given = { POSTGRES_PASSWORD: 'k3long', ADMIN_PASSWORD: 'a long enough one', MAIN_DOMAIN: 'velmora.example' }
    const others = {
      PUBLIC_URL: 'https://velmora.example',
      MAIL_FROM: 'a@velmora.example',
      TEAM_EMAIL: 't@velmora.example',
    }
    const environment = fill(api.environment, { ...given, ...others })

    expect(() => readEnv({ NODE_ENV: 'production', ...environment })).not.toThrow()
    expect(() => fill(api.environment, given)).toThrow('Set PUBLIC_URL')
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
function fill(environment: Record<string, string>, values: Record<string, string>): Record<string, string> {
  const fillOne = (text: string) =>
    text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, rest = '') => {
      const value = values[name]
      if (value) return value
      if (kind === '?') throw new Error(rest)
      return rest
    })
  return Object.fromEntries(Object.entries(environment).map(([name, text]) => [name, fillOne(String(text))]))
}
