import { expect, it } from 'vitest'
import { z } from 'zod'
import { CALLS } from '../../api/routes/openapi.ts'

type Schema = Record<string, unknown> & {
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
}

/** The fields of a body that may hold any text: all but numbers, booleans, times, and what is one of a list. */
function freeTexts({ properties = {}, items, anyOf = [], oneOf = [], ...schema }: Schema, path = ''): string[] {
  const inner = [
    ...Object.entries(properties).flatMap(([name, field]) => freeTexts(field, path ? `${path}.${name}` : name)),
    ...[items ?? [], anyOf, oneOf].flat().flatMap((part) => freeTexts(part, path)),
  ]
  const isClosed =
    ['number', 'integer', 'boolean', 'null'].includes(String(schema.type)) || schema.format === 'date-time'
  const isOneOf = schema.enum !== undefined || schema.const !== undefined
  const isMade = schema.type === 'object' || schema.type === 'array' || anyOf.length + oneOf.length > 0
  const isOpen = schema.additionalProperties !== undefined && schema.additionalProperties !== false
  return isOpen || !(isClosed || isOneOf || isMade) ? [path, ...inner] : inner
}

/** The texts that staff can type, by the call that takes them. */
const TYPED = {
  'PATCH /api/leads/:id/work': 'add_tag, next_action, next_action_on, remove_tag, tags',
  // What a person is, as the form takes it. Their emails go there; the timeline has what was.
  'PATCH /api/leads/:id': 'email, first_name, last_name, phone, zip_code',
  'PATCH /api/providers/:id/rules': 'excluded_zips, extra_zips, hours, paused_because, time_zone',
  'PATCH /api/staff/:id': 'name',
  // Alerts hold no data of visitors; the audit log has where they go. `url` is the one address that a process of ours calls: https
  // alone, and public, which tests/worker/alerts.test.ts checks.
  'POST /api/alerts/channels': 'addresses, name, url',
  'POST /api/attention/mark': 'lines.key',
  'POST /api/leads/:id/notes': 'body',
  'POST /api/leads/:id/outcomes': 'booked_for, note',
  'POST /api/leads/bulk': 'filter, outcome.booked_for, outcome.note, work.add_tag, work.remove_tag',
  'POST /api/network-pauses': 'reason',
  'POST /api/opt-outs/lift': 'because',
  // Only their keyed hashes are kept.
  'POST /api/opt-outs': 'email, phone',
  // What a person said on the phone, as the form takes it.
  'POST /api/phone-leads': 'email, first_name, last_name, phone, zip_code',
  'POST /api/privacy/erase': 'contact',
  'POST /api/privacy/find': 'contact',
  'POST /api/provider-applications/:id/notes': 'text',
  // Says which of WordPress's addresses a manager has looked at; any other is refused.
  'POST /api/providers/:providerId/new-email': 'email',
  'POST /api/second-factor/totp/confirm': 'code, secret',
  'POST /api/sending-pauses': 'reason',
  'POST /api/session/confirm': 'code, password',
  // Where the tests of the setup go. They name nobody.
  'POST /api/setup/check': 'email',
  'POST /api/setup/test-lead': 'email, zip_code',
  'POST /api/staff': 'email, name',
}

it('Where emails, leads and syncs go is set by the environment alone: what staff can type into a call that changes something is a name, a login, a password, a proof or a search', () => {
  const changes = CALLS.filter(({ method, access }) => method !== 'GET' && access !== 'public' && access !== 'clinic')
  expect(changes.length).toBeGreaterThan(10)
  const typed: Record<string, string> = {}
  for (const { method, path, input } of changes) {
    const schema = input?.body && (z.toJSONSchema(input.body, { io: 'input', unrepresentable: 'any' }) as Schema)
    // What leads are searched by counts as one.
    const fields = new Set(schema && freeTexts(schema).map((field) => field.replace(/^filter\..+/, 'filter')))
    if (fields.size > 0) typed[`${method} ${path}`] = [...fields].toSorted().join(', ')
  }
  // No process of ours may ever call what one of them holds.
  expect(typed).toEqual(TYPED)
  // Nor in the address of the call.
  const queries = changes.flatMap(({ input }) => input?.query ?? [])
  expect(queries.flatMap((query) => freeTexts(z.toJSONSchema(query, { io: 'output' }) as Schema))).toEqual([])
})
