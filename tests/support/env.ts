import { type Env, readEnv } from '../../core/env.ts'
import { deriveKey } from '../../core/platform/data-key.ts'

/** A Standard Webhooks secret that is no secret. */
export const CRM_SECRET = `whsec_${Buffer.from('a test secret of 32 bytes length').toString('base64')}`
/** The settings of a CRM that does not answer. */
export const CRM = { CRM_KIND: 'webhook', CRM_WEBHOOK_URL: 'http://127.0.0.1:1/hooks', CRM_WEBHOOK_SECRET: CRM_SECRET }
/** Our account with the provider of single sign-on. */
export const OIDC_CLIENT = { id: 'leadwell', secret: 'a secret of the client' }
export const STAFF_PASSWORD = 'a password for tests'

const DATA_KEY = Buffer.from('a data key of 32 bytes for tests')
/** The key that signs consents where a test stores a form itself. */
export const CHAIN_KEY = deriveKey(DATA_KEY, 'consent-chain')
export const PERSON_KEY = deriveKey(DATA_KEY, 'person-hash')

/** Every setting as a test needs it, before it is parsed: also what a child process gets. */
export function rawEnv(overrides: Record<string, string> = {}): Record<string, string> {
  return {
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: '0',
    PUBLIC_URL: 'http://localhost:3000',
    DATA_KEY: DATA_KEY.toString('base64'),
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'Leadwell <care@leadwell.example>',
    TEAM_EMAIL: 'team@leadwell.example',
    ADMIN_PASSWORD: STAFF_PASSWORD,
    LEAD_RATE_PER_MINUTE: 'unlimited',
    REQUEST_RATE_PER_MINUTE: 'unlimited',
    VISITOR_LEADS_PER_HOUR: 'unlimited',
    ADDRESS_LEADS_PER_HOUR: 'unlimited',
    CLINIC_LEADS_PER_HOUR: 'unlimited',
    LEADS_PER_HOUR: 'unlimited',
    LOG_LEVEL: 'fatal',
    ...overrides,
  }
}

export function testEnv(overrides: Record<string, string> = {}): Env {
  return readEnv(rawEnv(overrides))
}
