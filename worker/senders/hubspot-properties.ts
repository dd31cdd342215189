import { z } from 'zod'
import type { LeadEvent } from './crm-sender.ts'

/** What HubSpot can be told of a lead, by the names that the settings use. HubSpot takes texts only. */
const FIELDS = {
  lead_id: ({ lead }) => String(lead.id),
  first_name: ({ lead }) => lead.first_name,
  last_name: ({ lead }) => lead.last_name,
  phone: ({ lead }) => lead.phone,
  zip_code: ({ lead }) => lead.zip_code,
  created_at: ({ lead }) => lead.created_at,
  acceptance_consent: ({ lead }) => String(lead.acceptance_consent),
  acceptance_message: ({ lead }) => lead.acceptance_message,
  do_not_contact: ({ doNotContact }) => String(doNotContact ?? false),
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

/** Which property of HubSpot gets which of our fields. */
export type PropertyMapping = { field: Field; property: string }[]

/** Every contact has these properties, so that it works in any account without setting it up. */
export const DEFAULT_PROPERTIES = 'first_name=firstname,last_name=lastname,phone=phone,zip_code=zip'

const PAIRS = /^\s*\w+\s*=\s*[a-z][a-z0-9_]*\s*(,\s*\w+\s*=\s*[a-z][a-z0-9_]*\s*)*$/

/** `our_field=hubspot_property`, with commas between them. The e-mail is told in any case. */
export const PropertyMapping = z.string().transform((text, check): PropertyMapping => {
  const pairs = PAIRS.test(text) ? text.split(',').map((pair) => pair.split('=').map((part) => part.trim())) : []
  const mapping = pairs.filter((pair): pair is [Field, string] => Object.hasOwn(FIELDS, pair[0] ?? ''))
  if (mapping.length === 0 || mapping.length < pairs.length) {
    const known = Object.keys(FIELDS).join(', ')
    check.addIssue({ code: 'custom', message: `must be like ${DEFAULT_PROPERTIES}, of the fields ${known}` })
  }
  return mapping.map(([field, property]) => ({ field, property }))
})

/** The properties of the contact of a lead: all that we keep there, because HubSpot takes no part of them by e-mail. */
export function propertiesOf(event: LeadEvent, mapping: PropertyMapping): Record<string, string> {
  const mapped = mapping.map(({ field, property }) => [property, FIELDS[field](event)])
  return { ...Object.fromEntries(mapped), email: event.lead.email }
}
