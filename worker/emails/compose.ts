import type {
  AccountEmailPurpose,
  ApplicationEmailPurpose,
  ErasureEmailPurpose,
  LeadEmailPurpose,
  ProviderEmailPurpose,
  SyncEmailPurpose,
} from '../../core/contract/jobs.ts'
import type { Mail } from '../senders/mailer.ts'
import { alertEmail } from './alerts.tsx'
import {
  lateClinicEmail,
  lateTeamEmail,
  noOtherClinicEmail,
  notCalledEmail,
  reminderEmail,
  visitorQuestionEmail,
  withdrawnEmail,
  wrongNumberEmail,
} from './answers.tsx'
import { applicantEmail } from './applicant.tsx'
import { applicationEmail } from './application.tsx'
import { addressChangedEmail, clinicLinkEmail } from './clinic.tsx'
import type {
  AccountEmail,
  AccountEmailContext,
  AlertContext,
  ApplicationEmail,
  ApplicationEmailContext,
  ClinicEmail,
  ClinicEmailContext,
  EmailDraft,
  ErasureEmail,
  ErasureEmailContext,
  LeadEmail,
  LeadEmailContext,
  SyncEmail,
  SyncEmailContext,
  WeeklyReportContext,
} from './email.ts'
import { erasedEmail } from './erased.tsx'
import { optedOutEmail } from './opted-out.tsx'
import { passedOnEmail } from './passed-on.tsx'
import { providerEmail } from './provider.tsx'
import { render } from './render.tsx'
import { weeklyReportEmail } from './reports.tsx'
import {
  factorRemovedEmail,
  invitationEmail,
  newBrowserEmail,
  newFactorEmail,
  passwordChangedEmail,
  resetEmail,
} from './staff.tsx'
import { providerChangedEmail, syncChangesEmail } from './sync-changes.tsx'
import { teamEmail } from './team.tsx'
import { asTest, type CheckContext, checkEmail, testEmail } from './test.tsx'
import { newClinicEmail, visitorEmail } from './visitor.tsx'

export const ABOUT_LEADS = {
  provider: providerEmail,
  visitor: visitorEmail,
  team: teamEmail,
  passed_on: passedOnEmail,
  new_clinic: newClinicEmail,
  opted_out: optedOutEmail,
  reminder: reminderEmail,
  late_clinic: lateClinicEmail,
  late_team: lateTeamEmail,
  no_other_clinic: noOtherClinicEmail,
  visitor_question: visitorQuestionEmail,
  wrong_number: wrongNumberEmail,
  not_called: notCalledEmail,
  withdrawn: withdrawnEmail,
} satisfies Record<LeadEmailPurpose, LeadEmail>

const ABOUT_ERASURES = { erased: erasedEmail } satisfies Record<ErasureEmailPurpose, ErasureEmail>

const ABOUT_APPLICATIONS = {
  team: applicationEmail,
  applicant: applicantEmail,
} satisfies Record<ApplicationEmailPurpose, ApplicationEmail>

const TO_STAFF = {
  invitation: invitationEmail,
  reset: resetEmail,
  password_changed: passwordChangedEmail,
  new_browser: newBrowserEmail,
  new_factor: newFactorEmail,
  factor_removed: factorRemovedEmail,
} satisfies Record<AccountEmailPurpose, AccountEmail>

const TO_CLINICS = {
  clinic_link: clinicLinkEmail,
  address_changed: addressChangedEmail,
  test: testEmail,
} satisfies Record<ProviderEmailPurpose, ClinicEmail>

const ABOUT_SYNCS = {
  team: syncChangesEmail,
  provider_changed: providerChangedEmail,
} satisfies Record<SyncEmailPurpose, SyncEmail>

/** An e-mail as HTML and as plain text. */
export type Composed = Omit<Mail, 'messageId'>

/** Composes an e-mail about a lead. One about a test lead goes to the lead's own address, whomever it is for. */
export function composeLeadEmail(purpose: LeadEmailPurpose, context: LeadEmailContext): Composed {
  const draft = ABOUT_LEADS[purpose](context)
  return compose(context.lead.is_test ? asTest(draft, context.lead) : draft)
}

export function composeErasureEmail(purpose: ErasureEmailPurpose, context: ErasureEmailContext): Composed {
  return compose(ABOUT_ERASURES[purpose](context))
}

export function composeApplicationEmail(purpose: ApplicationEmailPurpose, context: ApplicationEmailContext): Composed {
  return compose(ABOUT_APPLICATIONS[purpose](context))
}

export function composeAccountEmail(purpose: AccountEmailPurpose, context: AccountEmailContext): Composed {
  return compose(TO_STAFF[purpose](context))
}

export function composeClinicEmail(purpose: ProviderEmailPurpose, context: ClinicEmailContext): Composed {
  return compose(TO_CLINICS[purpose](context))
}

export function composeSyncEmail(purpose: SyncEmailPurpose, context: SyncEmailContext): Composed {
  return compose(ABOUT_SYNCS[purpose](context))
}

export function composeWeeklyReport(context: WeeklyReportContext): Composed {
  return compose(weeklyReportEmail(context))
}

export function composeAlert(context: AlertContext): Composed {
  return compose(alertEmail(context))
}

export function composeCheck(context: CheckContext): Composed {
  return compose(checkEmail(context))
}

function compose({ body, ...envelope }: EmailDraft): Composed {
  return { ...envelope, ...render(body) }
}
