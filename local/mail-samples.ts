import type { AuditAction } from '../core/contract/audit-log.ts'
import {
  type Composed,
  composeAccountEmail,
  composeApplicationEmail,
  composeClinicEmail,
  composeErasureEmail,
  composeLeadEmail,
  composeSyncEmail,
  composeWeeklyReport,
} from '../worker/emails/compose.ts'
import { joined } from '../worker/emails/render.tsx'
import {
  aboutAccount,
  aboutAnswer,
  aboutApplication,
  aboutLead,
  CREATED,
  changed,
  emptyWeek,
  env,
  hostile,
  LONG,
  long,
  NEW_EMAIL,
  previous,
  provider,
  rightToLeft,
  syncRun,
  week,
  withoutProvider,
} from './mail-sample-people.ts'

/** An e-mail about fictional people. `name` is for addresses and files. */
export type MailSample = { name: string; title: string; mail: SampleMail }
type SampleMail = Omit<Composed, 'html' | 'text'> & { html: string; text: string }

/** Returns one sample of every e-mail, and of the unusual cases: long, hostile or incomplete data. */
export function mailSamples(): MailSample[] {
  const samples: Record<string, [title: string, mail: Composed]> = {
    provider: ['To the clinic', composeLeadEmail('provider', aboutLead())],
    'provider-chosen': [
      'To the clinic: chosen by the visitor, without a wording',
      composeLeadEmail(
        'provider',
        aboutLead({
          lead: { match_kind: 'chosen', match_distance_miles: null, acceptance_message: '' },
          provider: { accepts_free_consultation: false },
        }),
      ),
    ],
    'provider-again': [
      'To the clinic: the person has asked before, and agreed on the form of a partner',
      composeLeadEmail('provider', {
        ...aboutLead({
          lead: {
            ...{ match_kind: 'again', repeat_of: 4011 },
            acceptance_message: 'I agree that a clinic calls me. Partner Form, 2026',
          },
        }),
        earlier: { id: 4011, created_at: '2026-11-03T15:04:00.000Z' },
      }),
    ],
    'provider-late': [
      'To the clinic: again, after the time for an answer',
      composeLeadEmail('provider', { ...aboutLead(), callBy: null }),
    ],
    'provider-long': [
      'To the clinic: long names',
      composeLeadEmail('provider', aboutLead({ lead: long, provider: { practiceName: `${LONG} & ${LONG} Partners` } })),
    ],
    'provider-right-to-left': [
      'To the clinic: from right to left',
      composeLeadEmail('provider', aboutLead({ lead: rightToLeft })),
    ],
    'provider-hostile': [
      'To the clinic: hostile HTML',
      composeLeadEmail('provider', aboutLead({ lead: hostile, provider: { practiceName: '<b>Clinic</b>' } })),
    ],
    visitor: ['To the visitor', composeLeadEmail('visitor', aboutLead())],
    'visitor-no-phone': [
      'To the visitor: a clinic without phone, address, website and picture',
      composeLeadEmail(
        'visitor',
        aboutLead({
          provider: {
            ...{ phone: '', address: null, website: 'javascript:alert(1)', image_url: null },
            accepts_free_consultation: false,
          },
        }),
      ),
    ],
    'visitor-long': [
      'To the visitor: long names',
      composeLeadEmail('visitor', aboutLead({ lead: long, provider: { practiceName: `${LONG} & ${LONG} Partners` } })),
    ],
    'visitor-searching': ['To the visitor: we keep looking', composeLeadEmail('visitor', withoutProvider())],
    'visitor-new-clinic': [
      'To the visitor: another clinic',
      composeLeadEmail('new_clinic', { ...aboutLead(), previous }),
    ],
    'passed-on': [
      'To the clinic that had the request before',
      composeLeadEmail('passed_on', { ...aboutLead(), previous }),
    ],
    erased: [
      'To the clinic: please delete a request',
      composeErasureEmail('erased', {
        erased: { id: 4211, sentAt: '2026-11-03T15:04:00.000Z', reason: 'request', crmId: null, isTest: false },
        clinic: previous,
        env,
      }),
    ],
    'opted-out': [
      'To the clinic: no more contact',
      composeLeadEmail('opted_out', {
        ...aboutLead(),
        stopped: {
          url: `${env.PUBLIC_URL}/do-not-contact/clinic?t=clinic.9.sample`,
          dueAt: '2026-12-04T09:41:00.000Z',
        },
      }),
    ],
    reminder: ['To the clinic: a reminder', composeLeadEmail('reminder', aboutAnswer())],
    'reminder-not-called': [
      'To the clinic: the visitor says that nobody called',
      composeLeadEmail('reminder', aboutAnswer({ isUncalled: true })),
    ],
    'late-clinic': [
      'To the clinic’s second address: an answer is late',
      composeLeadEmail('late_clinic', aboutAnswer()),
    ],
    'late-clinic-unsent': [
      'To the clinic’s second address: our e-mail did not arrive',
      composeLeadEmail('late_clinic', aboutAnswer({ hasArrived: false })),
    ],
    'late-team': ['To the team: an answer is late', composeLeadEmail('late_team', aboutAnswer())],
    'late-team-unsent': [
      'To the team: a clinic never got the request',
      composeLeadEmail('late_team', aboutAnswer({ hasArrived: false })),
    ],
    'no-other-clinic': ['To the team: nobody to pass on to', composeLeadEmail('no_other_clinic', aboutAnswer())],
    'visitor-question': ['To the visitor: did the clinic call?', composeLeadEmail('visitor_question', aboutAnswer())],
    'visitor-wrong-number': [
      'To the visitor: what is the right number?',
      composeLeadEmail('wrong_number', aboutAnswer()),
    ],
    'not-called': [
      'To the team: the visitor was not called',
      composeLeadEmail('not_called', aboutAnswer({ isUncalled: true, clinicSaid: 'reached' })),
    ],
    withdrawn: ['To the clinic: a request was withdrawn', composeLeadEmail('withdrawn', aboutAnswer())],
    team: ['To the team: no provider in reach', composeLeadEmail('team', withoutProvider())],
    'team-no-provider': [
      'To the team: no provider at all, from right to left',
      composeLeadEmail('team', { ...withoutProvider(rightToLeft), nearest: [] }),
    ],
    'team-held': [
      'To the team: a held lead',
      composeLeadEmail('team', withoutProvider({ ...hostile, held_reason: 'too_fast' })),
    ],
    application: ['To the team: an application', composeApplicationEmail('team', aboutApplication())],
    'application-held': [
      'To the team: a held application',
      composeApplicationEmail(
        'team',
        aboutApplication({
          name: hostile.first_name,
          practice_name: hostile.last_name,
          phone: hostile.phone,
          website: null,
          message: hostile.acceptance_message,
          held_reason: 'honeypot',
        }),
      ),
    ],
    'clinic-new-address': [
      'To the clinic: its address was changed',
      composeSyncEmail('provider_changed', {
        run: syncRun(changed({ fields: [NEW_EMAIL, ...changed().fields] })),
        provider,
        link: `${env.PUBLIC_URL}/clinic#sample`,
        env,
      }),
    ],
    'clinic-changed': [
      'To the clinic: its phone number was changed',
      composeSyncEmail('provider_changed', { run: syncRun(changed()), provider, link: null, env }),
    ],
    'clinic-activation': [
      'To the clinic: may requests come to its address?',
      composeSyncEmail('provider_changed', {
        run: syncRun({ ...CREATED, told: 'desk@wren.example' }),
        provider: { ...provider, id: 8, wordpress_id: CREATED.wordpress_id, activation: 'waiting' },
        link: `${env.PUBLIC_URL}/clinic#sample`,
        env,
      }),
    ],
    'clinic-link': [
      'To the clinic: a link to its pages',
      composeClinicEmail('clinic_link', {
        ...{ clinic: provider, to: provider.email, at: '2026-11-22T09:41:00.000Z', env },
        link: { url: `${env.PUBLIC_URL}/clinic#sample`, expiresAt: '2026-11-22T13:41:00.000Z', invitedBy: null },
      }),
    ],
    ...peopleSamples(),
    'clinic-test': [
      'To the clinic: a test',
      composeClinicEmail('test', { clinic: provider, to: provider.email, at: '2026-11-20T14:41:05.000Z', env }),
    ],
    'team-sync': [
      'To the team: what a sync changed',
      composeSyncEmail('team', {
        run: syncRun(changed({ fields: [NEW_EMAIL] }), CREATED),
        provider: null,
        link: null,
        env,
      }),
    ],
    'weekly-report': ['To the team: the weekly report', composeWeeklyReport(week)],
    'weekly-report-quiet': ['To the team: the report of a week without leads', composeWeeklyReport(emptyWeek)],
    applicant: ['To the applicant', composeApplicationEmail('applicant', aboutApplication())],
    'staff-invitation': ['To staff: invitation', composeAccountEmail('invitation', aboutAccount)],
    'staff-reset': ['To staff: reset', composeAccountEmail('reset', aboutAccount)],
    'staff-password-changed': ['To staff: password changed', composeAccountEmail('password_changed', aboutAccount)],
    'staff-new-browser': ['To staff: new browser', composeAccountEmail('new_browser', aboutAccount)],
    'staff-new-factor': ['To staff: new way to sign in', composeAccountEmail('new_factor', aboutAccount)],
    'staff-factor-removed': [
      'To staff: two-step sign-in reset',
      composeAccountEmail('factor_removed', {
        ...aboutAccount,
        act: { actor: 'ben@leadwell.example', action: 'reset-factors', details: {} },
      }),
    ],
  }
  return Object.entries(samples).map(([name, [title, mail]]) => ({
    name,
    title,
    mail: { ...mail, html: joined(mail.html), text: joined(mail.text) },
  }))
}

/** Returns a sample of each e-mail about the people and addresses of a clinic. */
function peopleSamples(): Record<string, [title: string, mail: Composed]> {
  const email = 'intake@lamar.example'
  const at = { clinic: provider, at: '2026-11-22T09:41:00.000Z', env }
  const link = {
    url: `${env.PUBLIC_URL}/clinic#sample`,
    expiresAt: '2026-11-29T09:41:00.000Z',
    invitedBy: provider.email,
  }
  const notice = (action: AuditAction, details: Record<string, string>, to = provider.email) =>
    composeClinicEmail('address_changed', {
      ...at,
      to,
      act: { actor: 'clinic', action, details: { by: 'nurse@lamar.example', ...details } },
    })
  return {
    'clinic-invitation': [
      'To a new person of the clinic',
      composeClinicEmail('clinic_link', { ...at, to: email, link }),
    ],
    'clinic-person': ['To the clinic: another person may sign in', notice('add-person', { email })],
    'clinic-requests': [
      'To the clinic: another address gets the requests',
      notice('change-address', { use: 'requests', to: email }),
    ],
    'clinic-late': [
      'To the clinic: another address is told of late answers',
      notice('change-address', { use: 'late', to: email }),
    ],
    'clinic-removed': ['To a person who gets no more requests', notice('remove-person', { email }, email)],
    'clinic-replaced': ['To the address before a confirmed one', notice('confirm-email', { to: email })],
  }
}
