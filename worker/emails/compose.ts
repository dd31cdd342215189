import { compile } from 'html-to-text'
import { renderToStaticMarkup } from 'react-dom/server'
import type {
  AccountEmailPurpose,
  ApplicationEmailPurpose,
  ErasureEmailPurpose,
  LeadEmailPurpose,
  SyncEmailPurpose,
} from '../../core/contract/jobs.ts'
import type { Mail } from '../senders/mailer.ts'
import { applicantEmail } from './applicant.tsx'
import { applicationEmail } from './application.tsx'
import type {
  AccountEmail,
  AccountEmailContext,
  ApplicationEmail,
  ApplicationEmailContext,
  EmailDraft,
  ErasureEmail,
  ErasureEmailContext,
  LeadEmail,
  LeadEmailContext,
  SyncEmail,
  SyncEmailContext,
} from './email.ts'
import { erasedEmail } from './erased.tsx'
import { optedOutEmail } from './opted-out.tsx'
import { passedOnEmail } from './passed-on.tsx'
import { providerEmail } from './provider.tsx'
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
import { newClinicEmail, visitorEmail } from './visitor.tsx'

const ABOUT_LEADS = {
  provider: providerEmail,
  visitor: visitorEmail,
  team: teamEmail,
  passed_on: passedOnEmail,
  new_clinic: newClinicEmail,
  opted_out: optedOutEmail,
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

const ABOUT_SYNCS = {
  team: syncChangesEmail,
  provider_changed: providerChangedEmail,
} satisfies Record<SyncEmailPurpose, SyncEmail>

/** React Email's doctype. Without it some mail programs use quirks mode. */
const DOCTYPE =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">'

/** An e-mail as HTML and as plain text. */
export type Composed = Omit<Mail, 'messageId'>

export function composeLeadEmail(purpose: LeadEmailPurpose, context: LeadEmailContext): Composed {
  return compose(ABOUT_LEADS[purpose](context))
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

export function composeSyncEmail(purpose: SyncEmailPurpose, context: SyncEmailContext): Composed {
  return compose(ABOUT_SYNCS[purpose](context))
}

/**
 * Renders a draft like React Email's `render` and `toPlainText`, but without a stream and with the text rules compiled
 * once: templates are synchronous, and a worker renders thousands.
 */
function compose({ body, ...envelope }: EmailDraft): Composed {
  const markup = renderToStaticMarkup(body)
  return { ...envelope, html: DOCTYPE + markup, text: toText(markup) }
}

/**
 * Same rules as React Email's, but without the addresses of `tel:` and `mailto:` links, which the text already
 * contains.
 */
const toText = compile({
  wordwrap: false,
  selectors: [
    { selector: '[data-skip-in-text=true]', format: 'skip' },
    { selector: 'a[href][data-skip-in-text=true]', format: 'skip' },
    { selector: 'a', options: { linkBrackets: false, hideLinkHrefIfSameAsText: true } },
    { selector: 'a[href^="tel:"]', format: 'anchor', options: { ignoreHref: true } },
    { selector: 'a[href^="mailto:"]', format: 'anchor', options: { ignoreHref: true } },
    { selector: 'p.line-by-line', format: 'paragraph', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'h1', options: { uppercase: false } },
    { selector: 'h2', options: { uppercase: false } },
  ],
})
