import type { DeliveryTarget, FailureCause } from './jobs.ts'

export const DELIVERY_WORDS: Record<DeliveryTarget, string> = {
  clinic: 'Email to the clinic',
  previous_clinic: 'Email to the previous clinic',
  visitor: 'Email to the visitor',
  team: 'Email to the team',
  crm: 'CRM',
}

/** A sentence about each cause. */
export const CAUSE_WORDS: Record<FailureCause, string> = {
  unknown_mailbox: 'The mailbox does not exist.',
  mailbox_full: 'The mailbox is full.',
  blocked: 'The mail server treats our e-mails as spam or does not accept them.',
  bad_address: 'The e-mail address is not valid.',
  credentials: 'Our credentials were refused.',
  unreachable: 'The other side could not be reached.',
  busy: 'The other side was busy and asked us to wait.',
  server_error: 'The other side had an internal error.',
  wrong_address: 'Nothing accepts leads at the address of the CRM.',
  unknown_property: 'The CRM does not have a field that we send.',
  refused: 'The other side refused the content.',
  no_provider: 'The lead had no clinic to write to.',
  our_side: 'Something went wrong on our side.',
}
