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

it('Where emails, leads and syncs go is set by the environment alone: what staff can type into a call that changes something is a name, a login, a password, a proof or a search', () => {
  const changes = CALLS.filter(({ method, access }) => method !== 'GET' && access !== 'public' && access !== 'clinic')
  expect(changes.length).toBeGreaterThan(10)
  const typed = changes.flatMap(({ method, path, input }) => {
    const body = input?.body
    const schema = body && (z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Schema)
    // What leads are searched by counts as one.
    const fields = new Set(schema ? freeTexts(schema).map((field) => field.replace(/^filter\..+/, 'filter')) : [])
    return [...fields].map((field) => `${method} ${path}: ${field}`)
  })
  // Whoever adds one: no process of ours may ever call what it holds.
  expect(typed.toSorted()).toEqual([
    'PATCH /api/leads/:id/work: add_tag',
    'PATCH /api/leads/:id/work: next_action',
    'PATCH /api/leads/:id/work: next_action_on',
    'PATCH /api/leads/:id/work: remove_tag',
    'PATCH /api/leads/:id/work: tags',
    // What a person is, as the form takes it. Their emails go there; the timeline has what was.
    'PATCH /api/leads/:id: email',
    'PATCH /api/leads/:id: first_name',
    'PATCH /api/leads/:id: last_name',
    'PATCH /api/leads/:id: phone',
    'PATCH /api/leads/:id: zip_code',
    'PATCH /api/providers/:id/rules: excluded_zips',
    'PATCH /api/providers/:id/rules: extra_zips',
    'PATCH /api/providers/:id/rules: hours',
    'PATCH /api/providers/:id/rules: paused_because',
    'PATCH /api/providers/:id/rules: time_zone',
    'PATCH /api/staff/:id: name',
    // Alerts hold no data of visitors. Managers say where they go, and the audit log has it.
    'POST /api/alerts/channels: addresses',
    'POST /api/alerts/channels: name',
    // The one address that a process of ours calls: https alone, and public, which tests/worker/alerts.test.ts checks.
    'POST /api/alerts/channels: url',
    'POST /api/attention/mark: lines.key',
    'POST /api/leads/:id/notes: body',
    'POST /api/leads/:id/outcomes: booked_for',
    'POST /api/leads/:id/outcomes: note',
    'POST /api/leads/bulk: filter',
    'POST /api/leads/bulk: outcome.booked_for',
    'POST /api/leads/bulk: outcome.note',
    'POST /api/leads/bulk: work.add_tag',
    'POST /api/leads/bulk: work.remove_tag',
    // Why no clinic has to answer.
    'POST /api/network-pauses: reason',
    // Why contact is allowed again.
    'POST /api/opt-outs/lift: because',
    // Only their keyed hashes are kept.
    'POST /api/opt-outs: email',
    'POST /api/opt-outs: phone',
    // What a person said on the phone, as the form takes it.
    'POST /api/phone-leads: email',
    'POST /api/phone-leads: first_name',
    'POST /api/phone-leads: last_name',
    'POST /api/phone-leads: phone',
    'POST /api/phone-leads: zip_code',
    // What a person is looked for by.
    'POST /api/privacy/erase: contact',
    'POST /api/privacy/find: contact',
    'POST /api/provider-applications/:id/notes: text',
    // Says which of WordPress's addresses a manager has looked at; any other is refused.
    'POST /api/providers/:providerId/new-email: email',
    'POST /api/second-factor/totp/confirm: code',
    'POST /api/second-factor/totp/confirm: secret',
    // Why nothing is sent.
    'POST /api/sending-pauses: reason',
    'POST /api/session/confirm: code',
    'POST /api/session/confirm: password',
    // Where the tests of the setup go. They name nobody.
    'POST /api/setup/check: email',
    'POST /api/setup/test-lead: email',
    'POST /api/setup/test-lead: zip_code',
    'POST /api/staff: email',
    'POST /api/staff: name',
  ])
  // Nor in the address of the call.
  const queries = changes.flatMap(({ input }) => input?.query ?? [])
  expect(queries.flatMap((query) => freeTexts(z.toJSONSchema(query, { io: 'output' }) as Schema))).toEqual([])
})
