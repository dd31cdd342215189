import {
  type Device,
  FORM_FAULTS,
  type FormFault,
  type LeadPage,
  type PageViewGroup,
  type VisitStep,
} from '../../../core/contract/page-views.ts'

export const PAGE_WORDS: Record<LeadPage, string> = {
  home: 'Home',
  start: 'Get started',
  findProvider: 'Find a provider',
  microsite: 'Sites of clinics',
}

export const DEVICE_WORDS: Record<Device, string> = { phone: 'Phone', tablet: 'Tablet', desktop: 'Desktop' }

export const STEP_WORDS: Record<VisitStep, string> = {
  seen: 'Saw a form',
  started: 'Started it',
  zip_accepted: 'Zip code accepted',
  submitted: 'Sent it',
}

export const FAULT_WORDS: Record<FormFault, string> = {
  first_name: 'First name',
  last_name: 'Last name',
  email: 'E-mail',
  phone: 'Phone',
  zip_code: 'Zip code',
  consent: 'Consent not given',
  server: 'Refused by the server',
  connection: 'No connection',
}

/** Returns what the forms of a group were refused for, most frequent first. */
export function faultsOf({ faults }: Pick<PageViewGroup, 'faults'>): FormFault[] {
  return FORM_FAULTS.filter((fault) => faults[fault] > 0).toSorted((a, b) => faults[b] - faults[a])
}
