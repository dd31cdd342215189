import {
  type Composed,
  composeAccountEmail,
  composeApplicationEmail,
  composeErasureEmail,
  composeLeadEmail,
  composeSyncEmail,
} from '../worker/emails/compose.ts'
import {
  aboutAccount,
  aboutApplication,
  aboutLead,
  CREATED,
  changed,
  env,
  hostile,
  LONG,
  long,
  NEW_EMAIL,
  previous,
  provider,
  rightToLeft,
  syncRun,
  withoutProvider,
} from './mail-sample-people.ts'

/** An e-mail about people who do not exist. `name` is for addresses and files. */
export type MailSample = { name: string; title: string; mail: Composed }

/** Every e-mail that we send, and those to which something is odd. */
export function mailSamples(): MailSample[] {
  return [
    { name: 'provider', title: 'To the clinic', mail: composeLeadEmail('provider', aboutLead()) },
    {
      name: 'provider-chosen',
      title: 'To the clinic: chosen by the visitor, without a wording',
      mail: composeLeadEmail(
        'provider',
        aboutLead({
          lead: { match_kind: 'chosen', match_distance_miles: null, acceptance_message: '' },
          provider: { accepts_free_consultation: false },
        }),
      ),
    },
    {
      name: 'provider-long',
      title: 'To the clinic: long names',
      mail: composeLeadEmail(
        'provider',
        aboutLead({ lead: long, provider: { practiceName: `${LONG} & ${LONG} Partners` } }),
      ),
    },
    {
      name: 'provider-right-to-left',
      title: 'To the clinic: from right to left',
      mail: composeLeadEmail('provider', aboutLead({ lead: rightToLeft })),
    },
    {
      name: 'provider-hostile',
      title: 'To the clinic: hostile HTML',
      mail: composeLeadEmail('provider', aboutLead({ lead: hostile, provider: { practiceName: '<b>Clinic</b>' } })),
    },
    { name: 'visitor', title: 'To the visitor', mail: composeLeadEmail('visitor', aboutLead()) },
    {
      name: 'visitor-no-phone',
      title: 'To the visitor: a clinic without phone and website',
      mail: composeLeadEmail(
        'visitor',
        aboutLead({
          provider: { phone: '', address: null, website: 'javascript:alert(1)', accepts_free_consultation: false },
        }),
      ),
    },
    {
      name: 'visitor-long',
      title: 'To the visitor: long names',
      mail: composeLeadEmail(
        'visitor',
        aboutLead({ lead: long, provider: { practiceName: `${LONG} & ${LONG} Partners` } }),
      ),
    },
    {
      name: 'visitor-searching',
      title: 'To the visitor: we keep looking',
      mail: composeLeadEmail('visitor', withoutProvider()),
    },
    {
      name: 'visitor-new-clinic',
      title: 'To the visitor: another clinic',
      mail: composeLeadEmail('new_clinic', { ...aboutLead(), previous }),
    },
    {
      name: 'passed-on',
      title: 'To the clinic that had the request before',
      mail: composeLeadEmail('passed_on', { ...aboutLead(), previous }),
    },
    {
      name: 'erased',
      title: 'To the clinic: please delete a request',
      mail: composeErasureEmail('erased', {
        erased: { id: 4211, sentAt: '2026-11-03T15:04:00.000Z', reason: 'request', crmId: null },
        clinic: previous,
        env,
      }),
    },
    {
      name: 'opted-out',
      title: 'To the clinic: no more contact',
      mail: composeLeadEmail('opted_out', {
        ...aboutLead(),
        stopped: {
          url: `${env.PUBLIC_URL}/do-not-contact/clinic?t=clinic.9.sample`,
          dueAt: '2026-12-04T09:41:00.000Z',
        },
      }),
    },
    { name: 'team', title: 'To the team: nobody in reach', mail: composeLeadEmail('team', withoutProvider()) },
    {
      name: 'team-no-provider',
      title: 'To the team: no provider at all, from right to left',
      mail: composeLeadEmail('team', { ...withoutProvider(rightToLeft), nearest: [] }),
    },
    {
      name: 'team-held',
      title: 'To the team: a held lead',
      mail: composeLeadEmail('team', withoutProvider({ ...hostile, held_reason: 'too_fast' })),
    },
    {
      name: 'application',
      title: 'To the team: an application',
      mail: composeApplicationEmail('team', aboutApplication()),
    },
    {
      name: 'application-held',
      title: 'To the team: a held application',
      mail: composeApplicationEmail(
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
    },
    {
      name: 'clinic-new-address',
      title: 'To the clinic: its address was changed',
      mail: composeSyncEmail('provider_changed', {
        run: syncRun(changed({ fields: [NEW_EMAIL, ...changed().fields] })),
        provider,
        token: 'Q2hlY2sgdGhlIGFkZHJlc3MgYmVmb3JlIHlvdSBzYXk',
        env,
      }),
    },
    {
      name: 'clinic-changed',
      title: 'To the clinic: its phone number was changed',
      mail: composeSyncEmail('provider_changed', { run: syncRun(changed()), provider, token: null, env }),
    },
    {
      name: 'team-sync',
      title: 'To the team: what a sync changed',
      mail: composeSyncEmail('team', {
        run: syncRun(changed({ fields: [NEW_EMAIL] }), CREATED),
        provider: null,
        token: null,
        env,
      }),
    },
    { name: 'applicant', title: 'To the applicant', mail: composeApplicationEmail('applicant', aboutApplication()) },
    { name: 'staff-invitation', title: 'To staff: invitation', mail: composeAccountEmail('invitation', aboutAccount) },
    { name: 'staff-reset', title: 'To staff: reset', mail: composeAccountEmail('reset', aboutAccount) },
    {
      name: 'staff-password-changed',
      title: 'To staff: password changed',
      mail: composeAccountEmail('password_changed', aboutAccount),
    },
    {
      name: 'staff-new-browser',
      title: 'To staff: new browser',
      mail: composeAccountEmail('new_browser', aboutAccount),
    },
    {
      name: 'staff-new-factor',
      title: 'To staff: new way to sign in',
      mail: composeAccountEmail('new_factor', aboutAccount),
    },
    {
      name: 'staff-factor-removed',
      title: 'To staff: two-step sign-in reset',
      mail: composeAccountEmail('factor_removed', {
        ...aboutAccount,
        act: { actor: 'ben@leadwell.example', action: 'reset-factors', details: {} },
      }),
    },
  ]
}
