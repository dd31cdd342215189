import type { DeliveryTarget, FailureCause } from './jobs.ts'

export const DELIVERY_WORDS: Record<DeliveryTarget, string> = {
  clinic: 'E-mail to the clinic',
  previous_clinic: 'E-mail to the previous clinic',
  visitor: 'E-mail to the visitor',
  team: 'E-mail to the team',
  crm: 'CRM',
}

/** A sentence about each cause, and advice that resolves it. */
export const CAUSE_WORDS: Record<FailureCause, { words: string; advice: string }> = {
  unknown_mailbox: {
    words: 'The mailbox does not exist.',
    advice: 'Correct the e-mail address of the clinic, then resend.',
  },
  mailbox_full: {
    words: 'The mailbox is full.',
    advice: 'Call the recipient, then resend.',
  },
  blocked: {
    words: 'The mail server treats our e-mails as spam or does not accept them.',
    advice: 'Check SPF, DKIM and DMARC of our domain, then resend.',
  },
  bad_address: {
    words: 'The e-mail address is not valid.',
    advice: 'Correct the address of the clinic, then resend.',
  },
  credentials: {
    words: 'Our credentials were refused.',
    advice: 'Check the user, password or secret in the settings.',
  },
  unreachable: {
    words: 'The other side could not be reached.',
    advice: 'It is retried automatically. If it does not recover, check its address in the settings.',
  },
  busy: {
    words: 'The other side was busy and asked us to wait.',
    advice: 'It is retried automatically.',
  },
  server_error: {
    words: 'The other side had an internal error.',
    advice: 'It is retried automatically. If it does not recover, contact its support.',
  },
  wrong_address: {
    words: 'Nothing accepts leads at the address of the CRM.',
    advice: 'Check the address of the CRM in the settings, then retry.',
  },
  unknown_property: {
    words: 'The CRM does not have a field that we send.',
    advice: 'Create the field there or remove it from the settings, then retry.',
  },
  refused: {
    words: 'The other side refused the content.',
    advice: 'Open a lead and read the answer under “What happened”.',
  },
  no_provider: {
    words: 'The lead had no clinic to write to.',
    advice: 'Match the lead with a provider.',
  },
  our_side: {
    words: 'Something went wrong on our side.',
    advice: 'It is retried automatically. If it keeps happening, report it to the developers.',
  },
}

/** Returns advice for deliveries to a target that failed for a cause. */
export function causeAdvice(cause: FailureCause, target: DeliveryTarget): string {
  const isBadAddress = cause === 'unknown_mailbox' || cause === 'bad_address'
  if (isBadAddress && target === 'visitor') return 'The visitors probably mistyped it. Call them instead.'
  if (isBadAddress && target === 'team') return 'Correct the address of the team in the settings, then resend.'
  return CAUSE_WORDS[cause].advice
}
