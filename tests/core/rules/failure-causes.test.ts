import { describe, expect, it } from 'vitest'
import type { JobName } from '../../../core/contract/jobs.ts'
import { FailureCause } from '../../../core/contract/overview.ts'
import { adviceFor, CAUSE_WORDS, failureCause, type JudgedJob } from '../../../core/rules/failure-causes.ts'

const REFUSED = 'The mail server refused the e-mail'
const LATER = 'The mail server could not take the e-mail yet'
const causeOf = (name: JobName, error: string, status: number | null = null, detail: string | null = null) =>
  failureCause({ name, error, status, detail })

describe('the cause of an e-mail that failed', () => {
  it.each([
    [REFUSED, 550, '5.1.1', 'unknown_mailbox'],
    [REFUSED, 550, '5.1.10', 'unknown_mailbox'],
    [REFUSED, 550, '5.2.1', 'unknown_mailbox'],
    [REFUSED, 550, null, 'unknown_mailbox'],
    [REFUSED, 553, null, 'unknown_mailbox'],
    [REFUSED, 552, null, 'mailbox_full'],
    [REFUSED, 552, '5.2.2', 'mailbox_full'],
    [REFUSED, 552, '5.7.0', 'blocked'],
    [REFUSED, 552, '5.3.4', 'refused'],
    [REFUSED, 552, '5.2.3', 'refused'],
    [REFUSED, 550, '5.4.1', 'unknown_mailbox'],
    [REFUSED, 550, '5.5.0', 'unknown_mailbox'],
    [REFUSED, 554, '5.4.1', 'refused'],
    [REFUSED, 550, '5.1.7', 'blocked'],
    [REFUSED, 550, '5.1.8', 'blocked'],
    [LATER, 452, '4.2.2', 'mailbox_full'],
    [REFUSED, 550, '5.7.1', 'blocked'],
    [REFUSED, 554, '5.7.26', 'blocked'],
    [REFUSED, 554, null, 'blocked'],
    ['The mail server does not let us send from MAIL_FROM: 553 sender rejected', 553, null, 'blocked'],
    [REFUSED, 554, '5.6.0', 'refused'],
    [REFUSED, 550, '5.2.3', 'refused'],
    [REFUSED, 500, null, 'refused'],
    [REFUSED, 501, null, 'refused'],
    [LATER, 451, '4.7.1', 'busy'],
    [LATER, 421, null, 'busy'],
    ['The mail server refused our credentials', 535, '5.7.8', 'credentials'],
    ['The mail server could not be reached (ECONNREFUSED)', null, null, 'unreachable'],
    ['The mail server answered with something that is no SMTP', null, null, 'server_error'],
    ['The recipient has no valid e-mail address.', null, null, 'bad_address'],
    ['The lead has no provider to write to. We have stopped trying.', null, null, 'no_provider'],
    ['Something went wrong on our side', null, null, 'our_side'],
  ] as const)('%s (%s, %s): %s', (error, status, detail, cause) => {
    expect(causeOf('send-email', error, status, detail)).toBe(cause)
  })
})

describe('what the other side said', () => {
  const words = [
    'refused our credentials',
    'is no valid e-mail address',
    'has no provider',
    'could not be reached',
    'does not let us send',
    'HubSpot has no contact property called x',
    'The CRM takes no more calls for now',
  ]

  it.each(words)('does not make the cause (“%s”)', (said) => {
    const mail = `${REFUSED}. The mailbox does not exist: 550 5.1.1 <a@b.example> ${said}`
    expect(causeOf('send-email', mail, 550, '5.1.1')).toBe('unknown_mailbox')
    expect(causeOf('sync-crm', `The CRM refused the lead: it answered 422. It said: ${said}`, 422)).toBe('refused')
    expect(causeOf('sync-crm', `HubSpot refused this contact: ${said}`, 207)).toBe('refused')
    expect(causeOf('send-email', `Something went wrong on our side: ${said}`)).toBe('our_side')
  })

  it('does not make the advice', () => {
    const last_error = `${REFUSED}. The mailbox does not exist: 550 5.1.1 <a@b.example> could not be reached`
    expect(adviceFor({ ...FAILED, last_error })).toContain('Correct the clinic’s e-mail address')
  })
})

describe('the cause of a CRM call that failed', () => {
  it.each([
    [401, 'credentials'],
    [403, 'credentials'],
    [404, 'wrong_address'],
    [405, 'wrong_address'],
    [410, 'wrong_address'],
    [302, 'wrong_address'],
    [408, 'busy'],
    [429, 'busy'],
    [500, 'server_error'],
    [503, 'server_error'],
    [400, 'refused'],
    [422, 'refused'],
  ] as const)('%s: %s', (status, cause) => {
    expect(causeOf('sync-crm', 'The CRM refused the lead', status)).toBe(cause)
  })

  it.each([
    ['The CRM takes no more calls for now. The lead waits for its turn.', null, 'busy'],
    ['HubSpot did not say what became of this contact.', 200, 'server_error'],
    ['HubSpot did not say what became of this contact. It said: Try again', 207, 'server_error'],
    ['HubSpot could not take this contact yet: Try again', 207, 'server_error'],
    ['HubSpot refused this contact: Email is invalid', 207, 'refused'],
    // A web site, as a rule.
    ['The CRM answered with more than 1 MB, which is no answer to a lead.', 200, 'wrong_address'],
    ['HubSpot has no contact property called assigned_clinic. Create it there', 400, 'unknown_property'],
    ['The CRM refused the lead: it answered 400. It said: HubSpot has no contact property called x', 400, 'refused'],
    ['The CRM refused this lead together with others, and was not asked for it alone yet.', 400, 'refused'],
  ] as const)('%s (%s): %s', (error, status, cause) => {
    expect(causeOf('sync-crm', error, status)).toBe(cause)
  })

  it('is told apart where there was no answer', () => {
    expect(causeOf('sync-crm', 'The CRM could not be reached')).toBe('unreachable')
    expect(causeOf('sync-crm', 'Something went wrong on our side')).toBe('our_side')
  })
})

describe('the words for a cause', () => {
  it.each(FailureCause.options)('are sentences that say what happened and what to do (%s)', (cause) => {
    const sentence = expect.stringMatching(/^[A-Z].+\.$/)
    expect(CAUSE_WORDS[cause]).toEqual({ words: sentence, advice: sentence })
  })
})

const FAILED: JudgedJob = {
  name: 'send-email',
  purpose: 'provider',
  state: 'failed',
  last_error: 'The mail server refused the e-mail: 550 no such box',
  result: { status: 550 },
}

describe('the advice on a delivery', () => {
  it.each<[string, Partial<JudgedJob>]>([
    ['Correct the clinic’s e-mail address', {}],
    ['clinic’s e-mail address', { last_error: 'The recipient has no valid e-mail address.', result: null }],
    ['The visitor has probably mistyped it. Call them instead', { purpose: 'visitor' }],
    ['The applicant has probably mistyped it. Call them instead', { purpose: 'applicant' }],
    ['the team’s address in the settings corrected, then press “Resend Email”', { purpose: 'team' }],
    ['Match the lead with a provider yourself', { name: 'match-lead', purpose: 'nearest' }],
    ['does not accept this e-mail', { result: { status: 501 } }],
    ['does not accept this e-mail', { last_error: 'Refused: 554 5.16.1 no', result: { status: 554 } }],
    ['The mailbox is full', { result: { status: 552 } }],
    ['The mailbox is full', { last_error: 'Refused: 550 5.2.2 over quota' }],
    ['SPF, DKIM and DMARC', { last_error: 'Refused: 550 5.7.1 policy' }],
    ['SPF, DKIM and DMARC', { last_error: 'Refused: 550 5.7.26 no DMARC' }],
    ['credentials were refused', { last_error: 'The mail server refused our credentials: 535' }],
    ['Match the lead', { last_error: 'The lead has no provider to write to.', result: null }],
    ['once the mail server works again', { last_error: 'The mail server could not be reached.', result: null }],
    ['tried again by itself', { state: 'waiting' }],
    ['CRM_WEBHOOK_URL', { name: 'sync-crm', purpose: 'created', result: { status: 404 } }],
    ['which fields it insists on', { name: 'sync-crm', purpose: 'created', result: { status: 422 } }],
    [
      'HUBSPOT_PROPERTIES',
      {
        name: 'sync-crm',
        purpose: 'created',
        last_error: 'HubSpot has no contact property called assigned_clinic. Create it there',
        result: { status: 400 },
      },
    ],
    ['credentials were refused', { name: 'sync-crm', purpose: 'created', result: { status: 401 } }],
    ['once the CRM works again', { name: 'sync-crm', purpose: 'created', result: { status: 503 } }],
  ])('says “%s”', (words, parts) => {
    expect(adviceFor({ ...FAILED, ...parts })).toContain(words)
  })

  it.each<Partial<JudgedJob>>([{ state: 'done' }, { state: 'failed', last_error: null }, { state: 'cancelled' }])(
    'is none for %o',
    (parts) => {
      expect(adviceFor({ ...FAILED, ...parts })).toBeNull()
    },
  )
})
