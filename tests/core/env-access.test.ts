import { describe, expect, it } from 'vitest'
import { readApiEnv, readEnv, readWorkerEnv } from '../../core/env.ts'
import { rawEnv } from '../support/env.ts'
import { problems } from '../support/settings-problems.ts'

describe('open access', () => {
  it.each(['127.0.0.1', '::1', 'localhost'])('is allowed while the API listens on %s', (HOST) => {
    expect(readEnv(rawEnv({ ADMIN_ACCESS: 'open', ADMIN_PASSWORD: '', HOST })).ADMIN_ACCESS).toBe('open')
  })

  it.each(['0.0.0.0', '::', '192.168.1.10', 'example.com'])('is refused while it listens on %s', (HOST) => {
    expect(problems(rawEnv({ ADMIN_ACCESS: 'open', HOST }))).toEqual(['ADMIN_ACCESS'])
  })

  it('is not what a missing shared password means: accounts sign in', () => {
    for (const ADMIN_PASSWORD of ['', '   ']) {
      expect(readEnv(rawEnv({ ADMIN_PASSWORD }))).toMatchObject({ ADMIN_ACCESS: 'password' })
    }
  })
})

describe('a required second factor', () => {
  it.each(['managers', 'all'])('of %s leaves no room for the shared password, which has none', (required) => {
    expect(problems(rawEnv({ REQUIRE_SECOND_FACTOR: required }))).toEqual(['ADMIN_PASSWORD'])
    const env = readEnv(rawEnv({ REQUIRE_SECOND_FACTOR: required, ADMIN_PASSWORD: '' }))
    expect(env.REQUIRE_SECOND_FACTOR).toBe(required)
  })

  it('leaves no room for open access', () => {
    const open = { REQUIRE_SECOND_FACTOR: 'all', ADMIN_ACCESS: 'open', ADMIN_PASSWORD: '' }
    expect(problems(rawEnv(open))).toEqual(['ADMIN_ACCESS'])
  })

  it('is none by default, and takes nothing else than these', () => {
    expect(readEnv(rawEnv()).REQUIRE_SECOND_FACTOR).toBe('none')
    expect(problems(rawEnv({ REQUIRE_SECOND_FACTOR: 'yes' }))).toEqual(['REQUIRE_SECOND_FACTOR'])
  })
})

describe('single sign-on', () => {
  const OIDC = { OIDC_ISSUER: 'https://id.leadwell.example', OIDC_CLIENT_ID: 'leadwell', OIDC_CLIENT_SECRET: 'x' }

  it.each(Object.keys(OIDC))('takes its settings together: %s is missing', (name) => {
    expect(problems(rawEnv({ ...OIDC, [name]: '' }))).toEqual([name])
  })

  it('takes a provider by https alone, except in a private network, and gives no worker its secret', () => {
    expect(problems(rawEnv({ ...OIDC, OIDC_ISSUER: 'http://id.leadwell.example' }))).toEqual(['OIDC_ISSUER'])
    expect(readApiEnv(rawEnv(OIDC))).toMatchObject(OIDC)
    expect(readWorkerEnv(rawEnv(OIDC))).not.toHaveProperty('OIDC_CLIENT_SECRET')
  })
})

describe('how long data is kept', () => {
  it('is a number of days, or unlimited', () => {
    const env = readWorkerEnv(rawEnv({ LEAD_RETENTION_DAYS: '90', CONSENT_RETENTION_DAYS: 'unlimited' }))
    expect([env.LEAD_RETENTION_DAYS, env.CONSENT_RETENTION_DAYS]).toEqual([90, Infinity])
    expect(readWorkerEnv(rawEnv())).toMatchObject({ LEAD_RETENTION_DAYS: 730, CONSENT_RETENTION_DAYS: 1826 })
    expect(problems(rawEnv({ LEAD_RETENTION_DAYS: '7', CONSENT_RETENTION_DAYS: 'long' }))).toEqual([
      'LEAD_RETENTION_DAYS',
      'CONSENT_RETENTION_DAYS',
    ])
  })

  it('is never less for the evidence of a consent than for what it allows, or than the law asks for', () => {
    expect(problems(rawEnv({ LEAD_RETENTION_DAYS: '3000' }))).toEqual(['CONSENT_RETENTION_DAYS'])
    expect(problems(rawEnv({ CONSENT_RETENTION_DAYS: '1000' }))).toEqual(['CONSENT_RETENTION_DAYS'])
  })
})
