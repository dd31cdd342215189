import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { z } from 'zod'
import { brand } from '../../core/brand/brand.ts'
import { EnvSchema, readApiEnv, readDatabaseUrl, readEnv, readSyncEnv, readWorkerEnv } from '../../core/env.ts'
import { refuseWeakPassword } from '../../core/platform/passwords.ts'
import { CRMS, createCrmSender } from '../../worker/senders/crm.ts'
import { CRM, rawEnv } from '../support/env.ts'
import { messageOf, problems } from '../support/settings-problems.ts'

const PRODUCTION = {
  NODE_ENV: 'production',
  MAIN_DOMAIN: 'www.leadwell.example',
  PUBLIC_URL: 'https://www.leadwell.example',
  DATABASE_URL: 'postgres://leadwell:Vq8-long-and-random@db.internal:5432/leadwell',
  REDIS_URL: 'redis://queue.internal:6379',
  DATA_KEY: Buffer.alloc(32, 7).toString('base64'),
  ADMIN_PASSWORD: 'a long enough password',
  TRUST_PROXY_HOPS: '1',
}

describe('readEnv', () => {
  it('gives every setting that may be left out its default', () => {
    const { PORT, HOST, TRUST_PROXY_HOPS, CRM_KIND, ADMIN_ACCESS, ...env } = readEnv({
      PUBLIC_URL: 'http://localhost:3000/',
      DATABASE_URL: 'postgres://localhost/leadwell',
      DATA_KEY: Buffer.alloc(32).toString('base64'),
      SMTP_URL: 'smtp://localhost:1025',
      MAIL_FROM: 'care@leadwell.example',
      TEAM_EMAIL: 'team@leadwell.example',
      ADMIN_PASSWORD: 'x',
    })
    expect({ PORT, HOST, TRUST_PROXY_HOPS, CRM_KIND, ADMIN_ACCESS }).toEqual({
      PORT: 3000,
      HOST: '127.0.0.1',
      TRUST_PROXY_HOPS: undefined,
      CRM_KIND: 'none',
      ADMIN_ACCESS: 'password',
    })
    expect(env.REDIS_URL).toBeUndefined()
    expect(env.PUBLIC_URL).toBe('http://localhost:3000')
  })

  it('lists everything that is missing at once', () => {
    expect(problems({})).toEqual(
      expect.arrayContaining(['PUBLIC_URL', 'DATABASE_URL', 'DATA_KEY', 'SMTP_URL', 'MAIL_FROM', 'TEAM_EMAIL']),
    )
    expect(messageOf({})).toContain('PUBLIC_URL is missing')
  })

  it('lists what is wrong by itself together with what is wrong with each other', () => {
    const wrong = rawEnv({ ...PRODUCTION, PORT: 'eighty', ADMIN_PASSWORD: 'short', REDIS_URL: '' })
    expect(problems(wrong).toSorted()).toEqual(['ADMIN_PASSWORD', 'PORT', 'REDIS_URL'])
  })

  it('treats a setting that is there but empty as absent', () => {
    const { PORT, CRM_KIND, REDIS_URL, MATCH_RADIUS_MILES } = readEnv(
      rawEnv({ PORT: '', CRM_KIND: '', REDIS_URL: '', MATCH_RADIUS_MILES: '' }),
    )
    expect({ PORT, CRM_KIND, REDIS_URL, MATCH_RADIUS_MILES }).toEqual({
      PORT: 3000,
      CRM_KIND: 'none',
      REDIS_URL: undefined,
      MATCH_RADIUS_MILES: 100,
    })
  })

  it.each([
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['PUBLIC_URL', 'ftp://www.leadwell.example'],
    ['PUBLIC_URL', 'www.leadwell.example'],
    ['NETWORK_TIME_ZONE', 'America/Atlantis'],
    ['NETWORK_TIME_ZONE', 'EST'],
    ['NETWORK_TIME_ZONE', '-05:00'],
    ['NETWORK_TIME_ZONE', 'Central time'],
    ['DATABASE_URL', 'mysql://localhost/leadwell'],
    ['DATA_KEY', 'a secret that somebody made up himself'],
    ['DATA_KEY', Buffer.alloc(31).toString('base64')],
    ['REDIS_URL', 'http://localhost'],
    ['SMTP_URL', 'mail.leadwell.example'],
    ['MAIL_FROM', 'Leadwell'],
    ['MAIL_FROM', 'Leadwell <care@leadwell.example>\r\nBcc: evil@evil.example'],
    ['TEAM_EMAIL', 'a@leadwell.example, b@leadwell.example'],
    ['INBOX_URL', 'imaps://replies@imap.leadwell.example/INBOX'],
    ['INBOX_URL', 'imaps://user:secret@imap.leadwell.example/INBOX'],
    ['INBOX_URL', 'imaps://team%40leadwell.example:secret@imap.leadwell.example/INBOX'],
    ['WORDPRESS_URL', 'clinics.example'],
    ['WORDPRESS_URL', 'https://leadwell:secret@clinics.example'],
    ['WORDPRESS_POST_TYPE', 'wp/v2/users'],
    ['WORDPRESS_POST_STATUS', 'publish;draft'],
    ['WORDPRESS_FIELDS', '{"zip": "acf.zip"}'],
    ['WORDPRESS_FIELDS', 'acf.zip'],
    ['WORDPRESS_SYNC_CRON', 'hourly'],
    ['MATCH_RADIUS_MILES', '-1'],
    ['TRUST_PROXY_HOPS', 'yes'],
    ['LEAD_RATE_PER_MINUTE', '0'],
    ['ADMIN_ACCESS', 'public'],
    ['LOG_LEVEL', 'loud'],
  ])('refuses %s=%j', (name, value) => {
    expect(problems(rawEnv({ [name]: value }))).toContain(name)
  })

  it.each([
    'LEAD_RATE_PER_MINUTE',
    'REQUEST_RATE_PER_MINUTE',
    'VISITOR_LEADS_PER_HOUR',
    'CLINIC_LEADS_PER_HOUR',
    'LEADS_PER_HOUR',
  ] as const)('takes a number or unlimited as %s, and refuses all else with the same sentence', (name) => {
    for (const [text, value] of [
      ['1', 1],
      ['100000', 100_000],
      ['unlimited', Number.POSITIVE_INFINITY],
    ] as const) {
      expect(readEnv(rawEnv({ [name]: text }))[name]).toBe(value)
    }
    for (const text of ['0', '-1', '1.5', '1e3', 'none', 'Infinity', ' 5']) {
      expect(messageOf(rawEnv({ [name]: text }))).toContain(`${name} must be a whole number of 1 or more, or unlimited`)
    }
  })

  it.each(['America/Chicago', 'Pacific/Honolulu', 'America/Argentina/Buenos_Aires', 'UTC'])(
    'takes the zone %s',
    (zone) => {
      expect(readEnv(rawEnv({ NETWORK_TIME_ZONE: zone })).NETWORK_TIME_ZONE).toBe(zone)
    },
  )

  it('says what a time zone is', () => {
    expect(messageOf(rawEnv({ NETWORK_TIME_ZONE: 'EST' }))).toContain(
      'NETWORK_TIME_ZONE must be an IANA time zone such as America/Chicago',
    )
  })

  it('never repeats a value in its message', () => {
    const canary = 'c4n4ry'
    const wrong = Object.fromEntries(
      Object.keys(rawEnv({ REDIS_URL: '', HOST: '' })).map((name) => [name, `${canary} ${canary}@${canary}`]),
    )
    const message = messageOf({ ...wrong, ADMIN_ACCESS: canary, TRUST_PROXY_HOPS: canary, MATCH_RADIUS_MILES: canary })
    expect(message).toContain('DATABASE_URL')
    expect(message).not.toContain(canary)
  })
})

describe('the sync', () => {
  const DATABASE = { DATABASE_URL: 'postgres://localhost/leadwell' }
  const account = { WORDPRESS_USER: 'leadwell', WORDPRESS_APP_PASSWORD: 'abcd efgh' }

  it.each([
    [{ WORDPRESS_USER: 'leadwell' }, ['WORDPRESS_APP_PASSWORD']],
    [{ WORDPRESS_APP_PASSWORD: 'abcd efgh' }, ['WORDPRESS_USER']],
    [{ ...account, WORDPRESS_URL: 'http://clinics.example' }, ['WORDPRESS_URL']],
  ])('is refused by the processes and by the command: %j', (settings, wrong) => {
    expect(problems(rawEnv(settings))).toEqual(wrong)
    expect(() => readSyncEnv({ ...DATABASE, ...settings })).toThrow(wrong[0])
  })

  it.each(['http://localhost:3030', 'https://clinics.example'])('sends its password to %s', (WORDPRESS_URL) => {
    const settings = { ...account, WORDPRESS_URL }
    expect(readEnv(rawEnv(settings))).toMatchObject(settings)
    expect(readSyncEnv({ ...DATABASE, ...settings })).toMatchObject(settings)
  })

  it('takes changes of the mapping as JSON', () => {
    const WORDPRESS_FIELDS = '{"zipCode": "acf.plz", "phone": ["acf.mobile", "acf.phone"], "domain": null}'
    expect(readEnv(rawEnv({ WORDPRESS_FIELDS })).WORDPRESS_FIELDS).toEqual({
      zipCode: ['acf.plz'],
      phone: ['acf.mobile', 'acf.phone'],
      domain: [],
    })
  })
})

describe('a setting in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'leadwell-settings-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = (content: string) => {
    const path = join(folder, randomUUID())
    writeFileSync(path, content)
    return path
  }

  it('is read by the processes, the commands and the CRM senders, without the line break at its end', () => {
    const address = 'postgres://app:s3cret@db/leadwell'
    const env = readEnv(rawEnv({ DATABASE_URL: '', DATABASE_URL_FILE: file(`${address}\n`) }))
    expect(env.DATABASE_URL).toBe(address)
    expect(readDatabaseUrl({ DATABASE_URL_FILE: file(address) })).toBe(address)

    const { CRM_WEBHOOK_SECRET, ...crm } = CRM
    const given = { ...crm, CRM_WEBHOOK_SECRET_FILE: file(CRM_WEBHOOK_SECRET) }
    expect(() => createCrmSender(readWorkerEnv(rawEnv(given)))).not.toThrow()
    expect(() => createCrmSender(readWorkerEnv(rawEnv(crm)))).toThrow('CRM_WEBHOOK_SECRET')
  })

  it('is absent where the file is empty', () => {
    const empty = file('\n')
    expect(readEnv(rawEnv({ WORDPRESS_APP_PASSWORD_FILE: empty })).WORDPRESS_APP_PASSWORD).toBeUndefined()
    expect(readEnv(rawEnv({ TEAM_EMAIL_FILE: empty })).TEAM_EMAIL).toBe('team@leadwell.example')
  })

  it('is listed with the other problems: twice there, not to be read, or wrong', () => {
    const given = rawEnv({ PORT: 'eighty', SMTP_URL: '', SMTP_URL_FILE: join(folder, 'none') })
    const settings = {
      ...given,
      DATABASE_URL_FILE: file('postgres://other/leadwell'),
      LOG_LEVEL: '',
      LOG_LEVEL_FILE: file('loud'),
    }
    expect(problems(settings).toSorted()).toEqual(['DATABASE_URL', 'LOG_LEVEL', 'PORT', 'SMTP_URL_FILE'])
    const message = messageOf(settings)
    expect(message).toContain('DATABASE_URL must not be set together with DATABASE_URL_FILE')
    expect(message).toContain('SMTP_URL_FILE names a file that cannot be read (ENOENT)')
  })
})

describe('each process', () => {
  const without = (...names: string[]) => Object.fromEntries(names.map((name) => [name, '']))

  it('asks for its own settings only: the API for none of mail, the worker for none of the staff', () => {
    const api = readApiEnv(rawEnv({ ...PRODUCTION, ...without('SMTP_URL', 'MAIL_FROM', 'TEAM_EMAIL') }))
    expect(Object.keys(api).filter((name) => /^(SMTP|WORDPRESS_(USER|APP)|HUBSPOT|CRM_WEBHOOK)/.test(name))).toEqual([])
    const worker = readWorkerEnv(rawEnv({ ...PRODUCTION, ...without('ADMIN_PASSWORD', 'MAIN_DOMAIN', 'PORT') }))
    expect(worker).not.toHaveProperty('ADMIN_PASSWORD')
  })

  it('refuses in production what concerns it', () => {
    expect(() => readApiEnv(rawEnv({ ...PRODUCTION, PUBLIC_URL: 'http://www.leadwell.example' }))).toThrow('PUBLIC_URL')
    expect(() => readApiEnv(rawEnv({ ...PRODUCTION, REDIS_URL: '' }))).toThrow('REDIS_URL')
    expect(() => readWorkerEnv(rawEnv({ ...PRODUCTION, REDIS_URL: '' }))).toThrow('REDIS_URL')
  })
})

describe('production', () => {
  const production = (overrides: Record<string, string> = {}) => rawEnv({ ...PRODUCTION, ...overrides })

  it.each([
    ['a missing REDIS_URL', { REDIS_URL: '' }, 'REDIS_URL'],
    ['a missing TRUST_PROXY_HOPS', { TRUST_PROXY_HOPS: '' }, 'TRUST_PROXY_HOPS'],
    ['an ADMIN_PASSWORD of eleven characters', { ADMIN_PASSWORD: 'elevenchars' }, 'ADMIN_PASSWORD'],
    ['the password of the demo', { ADMIN_PASSWORD: 'leadwell-demo' }, 'ADMIN_PASSWORD'],
    ['the default password of a database', { DATABASE_URL: 'postgres://app:postgres@db/leadwell' }, 'DATABASE_URL'],
    ['an encoded default password', { DATABASE_URL: 'postgres://app:p%61ssword@db/leadwell' }, 'DATABASE_URL'],
    ['a main domain that is an address', { MAIN_DOMAIN: '192.0.2.1' }, 'MAIN_DOMAIN'],
    ['open access', { ADMIN_ACCESS: 'open' }, 'ADMIN_ACCESS'],
    ['a site without TLS', { PUBLIC_URL: 'http://www.leadwell.example' }, 'PUBLIC_URL'],
    ['a site without TLS in a private network', { PUBLIC_URL: 'http://192.168.1.10' }, 'PUBLIC_URL'],
    ['a host that only begins like this machine', { PUBLIC_URL: 'http://127.leadwell.example' }, 'PUBLIC_URL'],
  ])('refuses %s', (_, overrides, name) => {
    expect(problems(production(overrides as Record<string, string>))).toEqual([name])
  })

  it('starts without a shared password', () => {
    expect(readEnv(production({ ADMIN_PASSWORD: '' })).ADMIN_PASSWORD).toBeUndefined()
  })

  it.each(['password1234', 'aaaaaaaaaaaa', brand.company.repeat(2).toLowerCase()])(
    'refuses the shared password %j, as it would for an account',
    async (ADMIN_PASSWORD) => {
      const refused = refuseWeakPassword(readEnv(production({ ADMIN_PASSWORD })))
      await expect(refused).rejects.toThrow(/ADMIN_PASSWORD is easy to guess/)
      await expect(refuseWeakPassword(readEnv(rawEnv({ ADMIN_PASSWORD })))).resolves.toBeUndefined()
    },
  )

  it.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])(
    'takes the site %s, as it does not leave this machine',
    (PUBLIC_URL) => {
      expect(readEnv(production({ PUBLIC_URL })).PUBLIC_URL).toBe(PUBLIC_URL)
    },
  )

  it('survives a database password that is not properly encoded', () => {
    expect(() => readEnv(production({ DATABASE_URL: 'postgres://app:100%zz-sure@db/leadwell' }))).not.toThrow(URIError)
  })

  it('asks none of this of a developer', () => {
    const PLAIN = { PUBLIC_URL: 'http://staging.example', SMTP_URL: 'smtp://mail.example' }
    const relaxed = {
      ...PLAIN,
      ADMIN_PASSWORD: 'short',
      DATABASE_URL: 'postgres://postgres:postgres@localhost/leadwell',
    }
    expect(() => readEnv(rawEnv({ ...relaxed, NODE_ENV: 'development' }))).not.toThrow()
  })
})

it('every setting has a sentence that says what it is for', () => {
  const shapes = [EnvSchema.shape, ...CRMS.map(({ settings }) => settings.shape)]
  const settings = shapes.flatMap((shape) => Object.entries<z.ZodType>(shape))
  expect(settings.filter(([, schema]) => !schema.description).map(([name]) => name)).toEqual([])
})

it('a setting that is no longer read is named at the start with what to do instead, and stops it where it would be missed', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  readApiEnv(rawEnv({ DELETED_LEAD_DAYS: '60', SMTP_PASSWORD: 'of the worker' }))
  expect(warn.mock.calls).toEqual([
    ['DELETED_LEAD_DAYS is no longer read: deleted leads can be restored for 30 days. Remove it.'],
  ])
  expect(() => readWorkerEnv(rawEnv({ SMTP_PASSWORD_FILE: '/run/secrets/smtp_password' }))).toThrow(
    'SMTP_PASSWORD is no longer read: put the password into SMTP_URL',
  )
})
