import { describe, expect, it } from 'vitest'
import {
  ABOUT_ANSWER,
  applicationEmailsToResend,
  CONTACTS,
  clinicsThatKnow,
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

describe('what is owed', () => {
  it('for a matched lead: clinic, visitor and CRM are told', () => {
    expect(names(jobsForNewLead({ matched: true }))).toEqual([
      'send-email provider',
      'send-email visitor',
      'sync-crm created',
    ])
  })

  it('for an unmatched lead: it is matched, and the CRM is told', () => {
    expect(names(jobsForNewLead({ matched: false }))).toEqual(['match-lead nearest', 'sync-crm created'])
  })

  it('once a provider is found: clinic, visitor and CRM are told', () => {
    expect(names(jobsForLaterMatch())).toEqual(['send-email provider', 'send-email visitor', 'sync-crm matched'])
  })

  it.each([true, false])('for a held lead: the team alone is told (matched: %s)', (matched) => {
    expect(names(jobsForNewLead({ matched, held: true }))).toEqual(['send-email team'])
  })

  it('for a hold that its sender must not learn of: team and visitor are told', () => {
    expect(names(jobsForNewLead({ matched: true, held: true, quiet: true }))).toEqual([
      'send-email team',
      'send-email visitor',
    ])
  })

  it('once nobody is in reach: team and visitor are told', () => {
    expect(names(jobsForNoMatch([crm('created', 'waiting')]))).toEqual(['send-email team', 'send-email visitor'])
  })

  it('once nobody is in reach of a lead that was held: the team is told that, too', () => {
    expect(purposes(jobsForNoMatch([mail('team', 'done')]))).toEqual(['team', 'visitor'])
  })

  it.each<State>(['waiting', 'done', 'failed', 'cancelled'])('nothing when that was said before (%s)', (state) => {
    expect(jobsForNoMatch([mail('team', state), mail('visitor', state)])).toEqual([])
  })
})

const earlier = (mail: EmailOfLead) => ({ ...mail, isCurrent: false })

it.each<[what: string, mails: EmailOfLead[], owed: string[]]>([
  ['nobody was told', [unsent('provider'), unsent('visitor')], ['visitor']],
  ['only the clinic was told', [sent('provider'), unsent('visitor')], ['passed_on 7', 'visitor']],
  ['both were told', [sent('provider'), sent('visitor')], ['passed_on 7', 'new_clinic 7']],
  [
    'the clinic was told, and a second email to it failed',
    [unsent('provider'), sent('provider'), sent('visitor')],
    ['passed_on 7', 'new_clinic 7'],
  ],
  ['only the clinic before was told', [unsent('provider'), earlier(sent('provider')), unsent('visitor')], ['visitor']],
  ['the visitor was told of the last change', [unsent('provider'), sent('new_clinic', 3)], ['new_clinic 7']],
  ['the visitor knows the clinic before', [unsent('provider'), unsent('new_clinic', 3)], ['new_clinic 3']],
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
  ['the clinic was named to the visitor alone', [unsent('provider'), unsent('new_clinic', 7)], ['new_clinic 7']],
  ['the visitor knows the clinic that gets it', [unsent('provider'), unsent('new_clinic', 9)], []],
  [
    'the visitor was told before there was a clinic',
    [unsent('provider'), unsent('visitor'), earlier(sent('visitor'))],
    ['visitor'],
  ],
  [
    'the clinic got it back before it learned that it was gone, and the visitor knows that clinic',
    [unsent('provider'), earlier(sent('provider')), earlier(unsent('passed_on', 7)), earlier(sent('visitor'))],
    ['passed_on 7', 'new_clinic 7'],
  ],
  [
    'the clinic got it back after it had learned that it was gone',
    [unsent('provider'), earlier(sent('passed_on', 7)), earlier(unsent('passed_on', 7)), unsent('new_clinic', 3)],
    ['new_clinic 3'],
  ],
  ['another clinic has not learned that it is gone', [unsent('provider'), unsent('passed_on', 3)], ['new_clinic 7']],
])('what is owed once a lead goes to another clinic where %s', (_what, mails, owed) => {
  const jobs = jobsForPassingOn(mails, { from: 7, to: 9 }).map((job) =>
    job.payload && 'previousProviderId' in job.payload
      ? `${job.purpose} ${job.payload.previousProviderId}`
      : job.purpose,
  )
  expect(jobs).toEqual(['provider', ...owed, 'matched'])
})

describe('what is owed once a lead is gone for good', () => {
  const owed = (mails: EmailOfLead[], given: Partial<Parameters<typeof jobsForPurgedLead>[1]> = {}) =>
    jobsForPurgedLead(mails, { clinic: 7, knownToCrm: false, reason: 'deleted', ...given }).map((job) =>
      job.payload && 'previousProviderId' in job.payload
        ? `${job.purpose} ${job.payload.previousProviderId}`
        : `${job.name} ${job.purpose}`,
    )

  it('is that the CRM is told, if it knows the lead', () => {
    expect(owed([], { knownToCrm: true })).toEqual(['sync-crm deleted'])
    expect(owed([])).toEqual([])
  })

  it('is that every clinic that knows the lead is asked to delete it', () => {
    expect(owed([sent('provider')])).toEqual(['erased 7'])
    expect(owed([unsent('provider')])).toEqual([])
    expect(owed([sent('provider'), unsent('passed_on', 3), sent('passed_on', 5)])).toEqual([
      'erased 7',
      'erased 3',
      'erased 5',
    ])
    expect(owed([sent('provider'), sent('passed_on', 3)], { clinic: null, reason: 'request' })).toEqual(['erased 3'])
  })

  it('is not to write to clinics at the end of the time of the lead', () => {
    expect(owed([sent('provider')], { knownToCrm: true, reason: 'retention' })).toEqual(['sync-crm deleted'])
  })
})

describe('emailsToResend', () => {
  it.each<State>(['waiting', 'done', 'failed', 'cancelled'])('always writes to the clinic again (%s)', (state) => {
    expect(purposes(emailsToResend([mail('provider', state), mail('visitor', 'done')], { matched: true }))).toEqual([
      'provider',
    ])
  })

  it.each<State>(['waiting', 'failed', 'cancelled'])('adds what has not arrived (visitor %s)', (state) => {
    expect(purposes(emailsToResend([mail('provider', 'done'), mail('visitor', state)], { matched: true }))).toEqual([
      'provider',
      'visitor',
    ])
  })

  it('writes to the team while there is no clinic', () => {
    expect(purposes(emailsToResend([], { matched: false }))).toEqual(['team'])
    expect(purposes(emailsToResend([mail('team', 'done'), mail('visitor', 'done')], { matched: false }))).toEqual([
      'team',
    ])
  })

  it('leaves alone whom the matter no longer concerns', () => {
    expect(purposes(emailsToResend([mail('team', 'failed')], { matched: true }))).toEqual(['provider'])
    expect(purposes(emailsToResend([mail('provider', 'failed')], { matched: false }))).toEqual(['team'])
  })

  it('says again which clinic had the lead before', () => {
    const latest = [mail('passed_on', 'failed', 7), mail('new_clinic', 'cancelled', 7), mail('visitor', 'done')]
    expect(emailsToResend(latest, { matched: true })).toEqual([
      { name: 'send-email', purpose: 'provider' },
      { name: 'send-email', purpose: 'passed_on', payload: { previousProviderId: 7 } },
      { name: 'send-email', purpose: 'new_clinic', payload: { previousProviderId: 7 } },
    ])
  })

  it('leaves out what was about an answer that is not awaited any more, not what failed', () => {
    const late = (state: State) => purposes(emailsToResend([mail('late_team', state)], { matched: true }))
    expect(late('cancelled')).toEqual(['provider'])
    expect(late('failed')).toEqual(['late_team', 'provider'])
  })

  it('looks at emails only', () => {
    expect(names(emailsToResend([crm('created', 'failed')], { matched: true }))).toEqual(['send-email provider'])
  })
})

describe('crmEventsToRetry', () => {
  it.each<State>(['waiting', 'failed', 'cancelled'])('sends again what the CRM has not taken (%s)', (state) => {
    expect(names(crmEventsToRetry([crm('created', state), crm('matched', 'done')]))).toEqual(['sync-crm created'])
    expect(names(crmEventsToRetry([crm('created', 'done'), crm('matched', state)]))).toEqual(['sync-crm matched'])
  })

  it('sends everything again if the CRM took nothing', () => {
    expect(purposes(crmEventsToRetry([crm('created', 'failed'), crm('matched', 'failed')]))).toEqual([
      'created',
      'matched',
    ])
  })

  it('sends the newest event once more if the CRM took all', () => {
    expect(purposes(crmEventsToRetry([crm('created', 'done')]))).toEqual(['created'])
    expect(purposes(crmEventsToRetry([crm('created', 'done'), crm('matched', 'done')]))).toEqual(['matched'])
  })

  it('always sends something', () => {
    expect(purposes(crmEventsToRetry([]))).toEqual(['created'])
    expect(purposes(crmEventsToRetry([mail('provider', 'failed')]))).toEqual(['created'])
  })
})

describe('for an application', () => {
  it('team and applicant are told', () => {
    expect(names(jobsForNewApplication())).toEqual(['send-email team', 'send-email applicant'])
  })

  it('the team alone is told while it is held, and the applicant when it is released', () => {
    expect(names(jobsForNewApplication({ held: true }))).toEqual(['send-email team'])
    expect(names(jobsForReleasedApplication())).toEqual(['send-email applicant'])
  })

  it.each<State>(['waiting', 'done', 'failed', 'cancelled'])('the applicant is always told again (%s)', (state) => {
    expect(purposes(applicationEmailsToResend([mail('team', 'done'), mail('applicant', state)]))).toEqual(['applicant'])
  })

  it.each<State>(['waiting', 'failed', 'cancelled'])('the team is told again what has not arrived (%s)', (state) => {
    expect(purposes(applicationEmailsToResend([mail('team', state), mail('applicant', 'done')]))).toEqual([
      'applicant',
      'team',
    ])
  })
})

describe('when a person wants no more contact', () => {
  const sent = (purpose: string, previousProviderId: number | null = null): EmailOfLead => ({
    purpose,
    previousProviderId,
    isSent: true,
    isCurrent: true,
  })

  it('a clinic knows of the lead once it was told, also if the lead went on to another one', () => {
    expect(clinicsThatKnow([sent('provider')], 3)).toEqual([3])
    expect(clinicsThatKnow([sent('provider'), sent('passed_on', 2), sent('passed_on', 2)], 3)).toEqual([3, 2])
    expect(clinicsThatKnow([{ ...sent('provider'), isSent: false }], 3)).toEqual([])
    expect(clinicsThatKnow([sent('team'), sent('passed_on'), sent('new_clinic', 5)], null)).toEqual([])
  })

  it('no email that is a contact, or that waits for the answer of a clinic, is sent any more', () => {
    expect(ABOUT_ANSWER).toEqual(expect.arrayContaining(['late_team', 'reminder']))
    expect(CONTACTS).toEqual(expect.arrayContaining(['provider', 'visitor', ...ABOUT_ANSWER]))
    for (const purpose of ['opted_out', 'team']) expect([...ABOUT_ANSWER, ...CONTACTS]).not.toContain(purpose)
    expect(ABOUT_ANSWER).not.toContain('visitor')
  })

  it('each of them is told, and the CRM if it knows', () => {
    expect(jobsForOptOut({ clinics: [3, 2], knownToCrm: true })).toEqual([
      { name: 'send-email', purpose: 'opted_out', payload: { providerId: 3 } },
      { name: 'send-email', purpose: 'opted_out', payload: { providerId: 2 } },
      { name: 'sync-crm', purpose: 'opted_out' },
    ])
    expect(jobsForOptOut({ clinics: [], knownToCrm: false })).toEqual([])
  })

  it('what did not reach a clinic is sent to that one again', () => {
    const missing = { ...mail('opted_out', 'failed'), payload: { providerId: 2 } }
    expect(emailsToResend([missing], { matched: true })).toContainEqual({
      name: 'send-email',
      purpose: 'opted_out',
      payload: { providerId: 2 },
    })
  })
})
