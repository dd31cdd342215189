import { describe, expect, it } from 'vitest'
import {
  ABOUT_ANSWER,
  applicationEmailsToResend,
  CONTACTS,
  crmEventsToRetry,
  type EmailOfLead,
  emailsToResend,
  jobsForLaterMatch,
  jobsForNewApplication,
  jobsForNewLead,
  jobsForNoMatch,
  jobsForOptOut,
  jobsForPassingOn,
  jobsForPurgedLead,
  jobsForReleasedApplication,
  type LatestJob,
  type NewLeadJob,
  providersThatKnow,
} from '../../../../core/deliveries/rules/deliveries.ts'

type State = LatestJob['state']
const mail = (purpose: string, state: State, previousProviderId?: number): LatestJob => ({
  name: 'send-email',
  ...{ purpose, state },
  payload: previousProviderId === undefined ? {} : { previousProviderId },
})
const crm = (purpose: string, state: State): LatestJob => ({ ...mail(purpose, state), name: 'sync-crm' })
const names = (jobs: { name: string; purpose: string }[]) => jobs.map(({ name, purpose }) => `${name} ${purpose}`)
const purposes = (jobs: { purpose: string }[]) => jobs.map(({ purpose }) => purpose).toSorted()

const sent = (purpose: string, previousProviderId: number | null = null): EmailOfLead => ({
  ...{ purpose, previousProviderId },
  ...{ isSent: true, isCurrent: true },
})
const unsent = (...of: Parameters<typeof sent>) => ({ ...sent(...of), isSent: false })

it.each([
  [
    'of a matched lead notify provider, visitor and CRM',
    jobsForNewLead({ matched: true }),
    ['send-email provider', 'send-email visitor', 'sync-crm created'],
  ],
  [
    'of an unmatched lead match it, and notify the CRM',
    jobsForNewLead({ matched: false }),
    ['match-lead nearest', 'sync-crm created'],
  ],
  [
    'of a lead that is matched later notify provider, visitor and CRM',
    jobsForLaterMatch(),
    ['send-email provider', 'send-email visitor', 'sync-crm matched'],
  ],
  ['of a held lead notify the team alone', jobsForNewLead({ matched: true, held: true }), ['send-email team']],
  ['of a held, unmatched lead, too', jobsForNewLead({ matched: false, held: true }), ['send-email team']],
  [
    'of a hold that its sender must not learn of notify team and visitor',
    jobsForNewLead({ matched: true, held: true, quiet: true }),
    ['send-email team', 'send-email visitor'],
  ],
  [
    'of a lead with no provider in reach notify team and visitor',
    jobsForNoMatch([crm('created', 'waiting')]),
    ['send-email team', 'send-email visitor'],
  ],
  [
    'of such a lead that was held before, too',
    jobsForNoMatch([mail('team', 'done')]),
    ['send-email team', 'send-email visitor'],
  ],
  ...(['waiting', 'done', 'failed', 'cancelled'] as const).map((state): [string, NewLeadJob[], string[]] => [
    `of such a lead are none when the visitor was notified before (${state})`,
    jobsForNoMatch([mail('team', state), mail('visitor', state)]),
    [],
  ]),
])('the jobs %s', (_, jobs, expected) => expect(names(jobs)).toEqual(expected))

const earlier = (mail: EmailOfLead) => ({ ...mail, isCurrent: false })

it.each<[what: string, mails: EmailOfLead[], owed: string[]]>([
  ['nobody was notified', [unsent('provider'), unsent('visitor')], ['visitor']],
  ['only the provider was notified', [sent('provider'), unsent('visitor')], ['passed_on 7', 'visitor']],
  ['both were notified', [sent('provider'), sent('visitor')], ['passed_on 7', 'new_clinic 7']],
  [
    'the provider was notified, and a second email to it failed',
    [unsent('provider'), sent('provider'), sent('visitor')],
    ['passed_on 7', 'new_clinic 7'],
  ],
  [
    'only the provider before was notified',
    [unsent('provider'), earlier(sent('provider')), unsent('visitor')],
    ['visitor'],
  ],
  ['the visitor was notified of the last change', [unsent('provider'), sent('new_clinic', 3)], ['new_clinic 7']],
  ['the visitor knows the provider before', [unsent('provider'), unsent('new_clinic', 3)], ['new_clinic 3']],
  [
    'the visitor was to learn of two changes',
    [unsent('provider'), unsent('visitor'), unsent('new_clinic', 3)],
    ['new_clinic 3'],
  ],
  [
    'one of two emails to the visitor arrived',
    [unsent('provider'), unsent('new_clinic', 3), sent('visitor')],
    ['new_clinic 7'],
  ],
  ['the provider was named to the visitor alone', [unsent('provider'), unsent('new_clinic', 7)], ['new_clinic 7']],
  ['the visitor knows the provider that gets it', [unsent('provider'), unsent('new_clinic', 9)], []],
  [
    'the visitor was notified before there was a provider',
    [unsent('provider'), unsent('visitor'), earlier(sent('visitor'))],
    ['visitor'],
  ],
  [
    'the provider got it back before it learned that it was gone, and the visitor knows that provider',
    [unsent('provider'), earlier(sent('provider')), earlier(unsent('passed_on', 7)), earlier(sent('visitor'))],
    ['passed_on 7', 'new_clinic 7'],
  ],
  [
    'the provider got it back after it had learned that it was gone',
    [unsent('provider'), earlier(sent('passed_on', 7)), earlier(unsent('passed_on', 7)), unsent('new_clinic', 3)],
    ['new_clinic 3'],
  ],
  ['another provider has not learned that it is gone', [unsent('provider'), unsent('passed_on', 3)], ['new_clinic 7']],
])('the jobs of a lead that goes to another provider where %s', (_what, mails, owed) => {
  const jobs = jobsForPassingOn(mails, { from: 7, to: 9 }).map((job) =>
    job.payload && 'previousProviderId' in job.payload
      ? `${job.purpose} ${job.payload.previousProviderId}`
      : job.purpose,
  )
  expect(jobs).toEqual(['provider', ...owed, 'matched'])
})

it.each<[string, EmailOfLead[], Partial<Parameters<typeof jobsForPurgedLead>[1]>, string[]]>([
  ['the CRM, if it knows the lead', [], { knownToCrm: true }, ['sync-crm deleted']],
  ['nobody who does not know the lead', [], {}, []],
  ['the provider that knows the lead', [sent('provider')], {}, ['erased 7']],
  ['no provider that was not notified', [unsent('provider')], {}, []],
  [
    'all providers that had the lead',
    [sent('provider'), unsent('passed_on', 3), sent('passed_on', 5)],
    {},
    ['erased 7', 'erased 3', 'erased 5'],
  ],
  [
    'providers that had the lead, where none has it now',
    [sent('provider'), sent('passed_on', 3)],
    { clinic: null, reason: 'request' },
    ['erased 3'],
  ],
  [
    'no provider at the end of the retention time',
    [sent('provider')],
    { knownToCrm: true, reason: 'retention' },
    ['sync-crm deleted'],
  ],
])('a permanent deletion notifies %s', (_, mails, given, expected) => {
  const jobs = jobsForPurgedLead(mails, { clinic: 7, knownToCrm: false, reason: 'deleted', ...given })
  expect(
    jobs.map((job) =>
      job.payload && 'previousProviderId' in job.payload
        ? `${job.purpose} ${job.payload.previousProviderId}`
        : `${job.name} ${job.purpose}`,
    ),
  ).toEqual(expected)
})

describe('“Resend Email”', () => {
  it.each<[string, LatestJob[], boolean, string[]]>([
    ...(['waiting', 'done', 'failed', 'cancelled'] as const).map((state): [string, LatestJob[], boolean, string[]] => [
      `always sends to the provider (${state})`,
      [mail('provider', state), mail('visitor', 'done')],
      true,
      ['provider'],
    ]),
    ...(['waiting', 'failed', 'cancelled'] as const).map((state): [string, LatestJob[], boolean, string[]] => [
      `adds what has not arrived (${state})`,
      [mail('provider', 'done'), mail('visitor', state)],
      true,
      ['provider', 'visitor'],
    ]),
    ['sends to the team while there is no provider', [], false, ['team']],
    ['sends to the team alone', [mail('team', 'done'), mail('visitor', 'done')], false, ['team']],
    ['leaves out the team once there is a provider', [mail('team', 'failed')], true, ['provider']],
    ['leaves out the provider once there is none', [mail('provider', 'failed')], false, ['team']],
    [
      'leaves out what was about an answer that is no longer awaited',
      [mail('late_team', 'cancelled')],
      true,
      ['provider'],
    ],
    ['adds a failed email about an answer', [mail('late_team', 'failed')], true, ['late_team', 'provider']],
    ['looks at emails only', [crm('created', 'failed')], true, ['provider']],
  ])('%s', (_, latest, matched, expected) => {
    expect(purposes(emailsToResend(latest, { matched }))).toEqual(expected)
  })

  it('names the provider that had the lead before', () => {
    const latest = [mail('passed_on', 'failed', 7), mail('new_clinic', 'cancelled', 7), mail('visitor', 'done')]
    expect(emailsToResend(latest, { matched: true })).toEqual([
      { name: 'send-email', purpose: 'provider' },
      { name: 'send-email', purpose: 'passed_on', payload: { previousProviderId: 7 } },
      { name: 'send-email', purpose: 'new_clinic', payload: { previousProviderId: 7 } },
    ])
  })
})

it.each<[string, LatestJob[], string[]]>([
  ...(['waiting', 'failed', 'cancelled'] as const).flatMap((state): [string, LatestJob[], string[]][] => [
    [`what the CRM has not accepted (${state})`, [crm('created', state), crm('matched', 'done')], ['created']],
    [`a match that the CRM has not accepted (${state})`, [crm('created', 'done'), crm('matched', state)], ['matched']],
  ]),
  [
    'everything if the CRM accepted nothing',
    [crm('created', 'failed'), crm('matched', 'failed')],
    ['created', 'matched'],
  ],
  ['the newest event if the CRM accepted all', [crm('created', 'done')], ['created']],
  ['the match if the CRM accepted all', [crm('created', 'done'), crm('matched', 'done')], ['matched']],
  ['the lead if there is no event', [], ['created']],
  ['the lead if there are only emails', [mail('provider', 'failed')], ['created']],
])('“Retry CRM Sync” sends %s', (_, latest, expected) => {
  expect(crmEventsToRetry(latest).map(({ name, purpose }) => `${name} ${purpose}`)).toEqual(
    expected.map((purpose) => `sync-crm ${purpose}`),
  )
})

describe('the emails about an application', () => {
  it('go to team and applicant, and to the team alone while it is held', () => {
    expect(names(jobsForNewApplication())).toEqual(['send-email team', 'send-email applicant'])
    expect(names(jobsForNewApplication({ held: true }))).toEqual(['send-email team'])
    expect(names(jobsForReleasedApplication())).toEqual(['send-email applicant'])
  })

  it('are sent again to the applicant always, to the team if one has not arrived', () => {
    for (const state of ['waiting', 'done', 'failed', 'cancelled'] as const) {
      expect(purposes(applicationEmailsToResend([mail('team', 'done'), mail('applicant', state)]))).toEqual([
        'applicant',
      ])
      if (state === 'done') continue
      const again = applicationEmailsToResend([mail('team', state), mail('applicant', 'done')])
      expect(purposes(again)).toEqual(['applicant', 'team'])
    }
  })
})

describe('when a person wants no more contact', () => {
  it('a provider knows of the lead once it was notified, also if the lead went on to another one', () => {
    expect(providersThatKnow([sent('provider')], 3)).toEqual([3])
    expect(providersThatKnow([sent('provider'), sent('passed_on', 2), sent('passed_on', 2)], 3)).toEqual([3, 2])
    expect(providersThatKnow([{ ...sent('provider'), isSent: false }], 3)).toEqual([])
    expect(providersThatKnow([sent('team'), sent('passed_on'), sent('new_clinic', 5)], null)).toEqual([])
  })

  it('emails that are a contact, or that wait for the answer of a provider, end', () => {
    expect(ABOUT_ANSWER).toEqual(expect.arrayContaining(['late_team', 'reminder']))
    expect(CONTACTS).toEqual(expect.arrayContaining(['provider', 'visitor', ...ABOUT_ANSWER]))
    for (const purpose of ['opted_out', 'team']) expect([...ABOUT_ANSWER, ...CONTACTS]).not.toContain(purpose)
    expect(ABOUT_ANSWER).not.toContain('visitor')
  })

  it('each of them is notified, and the CRM if it knows', () => {
    expect(jobsForOptOut({ clinics: [3, 2], knownToCrm: true })).toEqual([
      { name: 'send-email', purpose: 'opted_out', payload: { providerId: 3 } },
      { name: 'send-email', purpose: 'opted_out', payload: { providerId: 2 } },
      { name: 'sync-crm', purpose: 'opted_out' },
    ])
    expect(jobsForOptOut({ clinics: [], knownToCrm: false })).toEqual([])
  })

  it('what did not reach a provider is sent to that one again', () => {
    const missing = { ...mail('opted_out', 'failed'), payload: { providerId: 2 } }
    expect(emailsToResend([missing], { matched: true })).toContainEqual({
      name: 'send-email',
      purpose: 'opted_out',
      payload: { providerId: 2 },
    })
  })
})
