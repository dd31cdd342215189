import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { DAY } from '../../core/contract/time.ts'

/** Fields that a text of any kind is not right for. */
const FIELDS: Record<string, unknown> = {
  email: 'jordan@visitors.example',
  contact: 'jordan@visitors.example',
  phone: '(512) 555-0142',
  zip_code: '78702',
  token: 'x'.repeat(43),
  new_password: 'a long and new password',
  key: 'unmatched:1',
  code: '123456',
  secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  starts_at: '2030-11-05T12:00:00Z',
  ends_at: '2030-11-06T12:00:00Z',
  until: new Date(Date.now() + DAY).toISOString(),
  since: '2026-11-05T12:00:00Z',
  timestamp: '2026-11-05T12:00:00Z',
}
type JsonSchema = {
  type?: string
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  minimum?: number
  format?: string
}

/** Returns an object of a schema with the fields that it must have. */
export function sampleOf(schema: z.ZodObject): Record<string, unknown> {
  return objectOf(z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input', unrepresentable: 'any' }) as JsonSchema)
}

function objectOf({ properties = {}, required = [] }: JsonSchema): Record<string, unknown> {
  return Object.fromEntries(required.map((name) => [name, FIELDS[name] ?? valueOfSchema(properties[name] ?? {})]))
}

function valueOfSchema(schema: JsonSchema): unknown {
  const [choice] = schema.anyOf ?? schema.oneOf ?? []
  if (choice) return valueOfSchema(choice)
  if (schema.enum) return schema.enum[0]
  switch (schema.type) {
    case 'object':
      return objectOf(schema)
    case 'array':
      return [valueOfSchema(schema.items ?? {})]
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1)
    case 'boolean':
      return true
    default:
      return schema.format === 'uuid' ? randomUUID() : 'text'
  }
}
