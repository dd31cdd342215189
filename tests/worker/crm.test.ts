import { describe, expect, it } from 'vitest'
import { SettingsError } from '../../core/settings/read-settings.ts'
import { CRMS, createCrmSender } from '../../worker/senders/crm.ts'
import { CRM_SECRET, testEnv } from '../support/env.ts'

const WEBHOOK = { CRM_KIND: 'webhook', CRM_WEBHOOK_URL: 'https://crm.example/hooks', CRM_WEBHOOK_SECRET: CRM_SECRET }
const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`

function problems(settings: Record<string, string>): string[] {
  try {
    createCrmSender(testEnv(settings))
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError)
    const [, ...lines] = (error as Error).message.split('\n')
    return lines.map((line) => line.trim().split(' ')[0] ?? '')
  }
  throw new Error('These settings were accepted.')
}

describe('CRM_KIND', () => {
  it('of an unknown CRM is refused, with those that there are', () => {
    const kinds = [...CRMS.map(({ kind }) => kind), 'none']
    expect(() => createCrmSender(testEnv({ CRM_KIND: 'unknown' }))).toThrow(
      `CRM_KIND must be one of ${kinds.join(', ')}`,
    )
  })

  it('asks for the settings of its own CRM only, for all of them at once', () => {
    expect(problems({ CRM_KIND: 'webhook' })).toEqual(['CRM_WEBHOOK_URL', 'CRM_WEBHOOK_SECRET'])
    expect(problems({ CRM_KIND: 'hubspot' })).toEqual(['HUBSPOT_TOKEN'])
    expect(createCrmSender(testEnv({ CRM_WEBHOOK_URL: 'nonsense' }))).toBeNull()
  })
})

describe('the settings of the webhook', () => {
  it('take no password in the address, because no request could be made to it', () => {
    const settings = { ...WEBHOOK, CRM_WEBHOOK_URL: 'https://user:hush@crm.example/hooks' }
    expect(() => createCrmSender(testEnv(settings))).toThrow(
      'CRM_WEBHOOK_URL must not contain a user name or a password',
    )
  })

  it.each([
    'http://crm.example/hooks',
    'HTTP://crm.example/hooks',
    'http://localhost.crm.example/',
    'http://11.0.0.1/',
    'http://172.32.0.1/',
    'http://[2001:db8::1]/',
  ])('do not let leads go over the network as plain text (%s)', (url) => {
    expect(() => createCrmSender(testEnv({ ...WEBHOOK, CRM_WEBHOOK_URL: url }))).toThrow(
      'CRM_WEBHOOK_URL must begin with https: unless it is in a private network',
    )
  })

  it.each([
    ['alone', ''],
    ['beside the one before', `${secretOf(32)} `],
  ])('refuse a secret that is none, %s', (_, before) => {
    const name = 'CRM_WEBHOOK_SECRET'
    for (const secret of [secretOf(23), secretOf(65), secretOf(32).slice('whsec_'.length), 'whsec_']) {
      expect(problems({ ...WEBHOOK, [name]: before + secret })).toEqual([name])
      expect(() => createCrmSender(testEnv({ ...WEBHOOK, [name]: before + secret }))).not.toThrow(`${secret}.`)
    }
    for (const bytes of [24, 64]) {
      expect(createCrmSender(testEnv({ ...WEBHOOK, [name]: before + secretOf(bytes) }))).not.toBeNull()
    }
  })
})
