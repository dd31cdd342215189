import { describe, expect, it } from 'vitest'
import { CAUSE_WORDS, FailureCause } from '../../../../core/deliveries/contract/jobs.ts'
import { adviceFor, type JudgedJob } from '../../../../core/deliveries/rules/failures.ts'

describe('the words for a cause', () => {
  it.each(FailureCause.options)('are a sentence (%s)', (cause) => {
    expect(CAUSE_WORDS[cause]).toMatch(/^[A-Z].+\.$/)
  })

  it('name no CRM and none of its settings, so that a new one needs no edit here', () => {
    expect(JSON.stringify(CAUSE_WORDS)).not.toMatch(/hubspot|webhook/i)
  })
})

const MAIL: JudgedJob = { name: 'send-email', purpose: 'provider', state: 'failed', last_cause: 'unknown_mailbox' }
const ALERT: JudgedJob = { ...MAIL, name: 'send-alert', purpose: 'channel', last_cause: 'refused' }
const CRM: JudgedJob = { name: 'sync-crm', purpose: 'created', state: 'failed', last_cause: 'refused' }

describe('the advice on a delivery', () => {
  it.each<[string, JudgedJob]>([
    ['Correct the provider’s email address in WordPress', MAIL],
    ['Correct the provider’s email address in WordPress', { ...MAIL, last_cause: 'bad_address' }],
    ['The visitor probably mistyped it. Call them instead', { ...MAIL, purpose: 'visitor' }],
    ['The applicant probably mistyped it. Call them instead', { ...MAIL, purpose: 'applicant' }],
    ['Correct the team’s address in the settings, then press “Resend Email”', { ...MAIL, purpose: 'team' }],
    ['Check the address of the account', { ...MAIL, purpose: 'invitation' }],
    ['The mailbox is full', { ...MAIL, last_cause: 'mailbox_full' }],
    ['SPF, DKIM and DMARC', { ...MAIL, last_cause: 'blocked' }],
    ['credentials were rejected', { ...MAIL, last_cause: 'credentials' }],
    ['Match the lead with a provider', { ...MAIL, last_cause: 'no_provider' }],
    ['does not accept this email', { ...MAIL, last_cause: 'refused' }],
    ['Report it to the developers, then press “Resend Email”', { ...MAIL, last_cause: 'our_side' }],
    ['once the mail server works again', { ...MAIL, last_cause: 'unreachable' }],
    ['once the mail server works again', { ...MAIL, last_cause: 'server_error' }],
    ['Match the lead with a provider yourself', { ...MAIL, name: 'match-lead', last_cause: 'our_side' }],
    ['credentials were rejected', { ...CRM, last_cause: 'credentials' }],
    ['URL does not accept leads. Check it in the settings', { ...CRM, last_cause: 'wrong_address' }],
    ['Create it there or remove it from the settings', { ...CRM, last_cause: 'unknown_property' }],
    ['The CRM does not accept this lead. Its answer above says why', CRM],
    ['once the CRM works again', { ...CRM, last_cause: 'server_error' }],
    ['The receiver rejects it. Check the channel', ALERT],
    ['The receiver rejects it. Check the channel', { ...ALERT, last_cause: 'credentials' }],
    ['The receiver rejects it. Check the channel', { ...ALERT, last_cause: 'wrong_address' }],
    ['Check the channel under Alerts, then retry', { ...ALERT, last_cause: 'unreachable' }],
    ['then start it again', { ...CRM, name: 'bulk', purpose: 'release', last_cause: 'our_side' }],
    ['The next scheduled run', { ...CRM, name: 'purge', purpose: 'nightly', last_cause: 'our_side' }],
    ['retried automatically', { ...CRM, state: 'waiting' }],
    ['retried automatically', { ...CRM, state: 'enqueued' }],
  ])('says “%s”', (words, job) => {
    expect(adviceFor(job)).toContain(words)
  })

  it.each<Partial<JudgedJob>>([{ state: 'done' }, { last_cause: null }, { state: 'cancelled' }])(
    'is none for %o',
    (parts) => {
      expect(adviceFor({ ...MAIL, ...parts })).toBeNull()
    },
  )
})
