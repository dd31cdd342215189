import { z } from 'zod'
import { isOurWording } from '../../core/contract/consent.ts'
import type { LeadEvent } from './crm-sender.ts'

/** HubSpot takes texts only; times are ISO 8601, and the value of an outcome is in dollars. */
const FIELDS = {
  lead_id: ({ lead }) => String(lead.id),
  first_name: ({ lead }) => lead.first_name,
  last_name: ({ lead }) => lead.last_name,
  phone: ({ lead }) => lead.phone,
  zip_code: ({ lead }) => lead.zip_code,
  created_at: ({ lead }) => lead.created_at,
  acceptance_consent: ({ lead }) => String(lead.acceptance_consent),
  acceptance_message: ({ lead }) => lead.acceptance_message,
  acceptance_wording: ({ lead }) => (isOurWording(lead.acceptance_message) ? 'ours' : 'client'),
  do_not_contact: ({ doNotContact }) => String(doNotContact ?? false),
  outcome: ({ lead }) => lead.outcome ?? '',
  outcome_at: ({ lead }) => lead.outcome_at ?? '',
  outcome_reason: ({ outcome }) => outcome?.reason ?? '',
  booked_for: ({ outcome }) => outcome?.booked_for ?? '',
  outcome_value: ({ outcome }) => (outcome?.value_cents == null ? '' : (outcome.value_cents / 100).toFixed(2)),
  match_kind: ({ lead }) => lead.match_kind ?? '',
  match_distance_miles: ({ lead }) => lead.match_distance_miles?.toFixed(1) ?? '',
  provider_id: ({ provider }) => String(provider?.id ?? ''),
  provider_name: ({ provider }) => provider?.name ?? '',
  provider_practice_name: ({ provider }) => provider?.practiceName ?? '',
  provider_email: ({ provider }) => provider?.email ?? '',
  provider_phone: ({ provider }) => provider?.phone ?? '',
  provider_zip_code: ({ provider }) => provider?.zipCode ?? '',
} satisfies Record<string, (event: LeadEvent) => string>

type Field = keyof typeof FIELDS

export const OUTCOME_FIELDS: string[] = [
  'outcome',
  'outcome_at',
  'outcome_reason',
  'booked_for',
  'outcome_value',
] satisfies Field[]

/** Our fields and the HubSpot properties that they fill. */
export type PropertyMapping = { field: Field; property: string }[]

/** Properties that every HubSpot account has, so that no setup is needed. */
export const DEFAULT_PROPERTIES = 'first_name=firstname,last_name=lastname,phone=phone,zip_code=zip'

const PAIRS = /^\s*\w+\s*=\s*[a-z][a-z0-9_]*\s*(,\s*\w+\s*=\s*[a-z][a-z0-9_]*\s*)*$/

/** Parses `our_field=hubspot_property`, separated by commas. The email is always sent. */
export const PropertyMapping = z.string().transform((text, check): PropertyMapping => {
  const pairs = PAIRS.test(text) ? text.split(',').map((pair) => pair.split('=').map((part) => part.trim())) : []
  const mapping = pairs.filter((pair): pair is [Field, string] => Object.hasOwn(FIELDS, pair[0] ?? ''))
  if (mapping.length === 0 || mapping.length < pairs.length) {
    const known = Object.keys(FIELDS).join(', ')
    check.addIssue({ code: 'custom', message: `must be like ${DEFAULT_PROPERTIES}, of the fields ${known}` })
  }
  return mapping.map(([field, property]) => ({ field, property }))
})

/** Returns the contact properties of a lead: all of ours, because HubSpot takes no partial upsert by email. */
export function propertiesOf(event: LeadEvent, mapping: PropertyMapping): Record<string, string> {
  const mapped = mapping.map(({ field, property }) => [property, FIELDS[field](event)])
  return { ...Object.fromEntries(mapped), email: event.lead.email }
}
