import { z } from 'zod'
import type { Call } from '../core/contract/call.ts'
import { ErrorAnswer } from '../core/contract/call.ts'
import { CALLS } from '../core/contract/calls.ts'

/** The OpenAPI 3.0 description of every call, made from the contract that the routes and the web app use. */
export function openApiDocument(publicUrl: string) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const call of CALLS) {
    const path = call.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(call) }
  }
  return {
    openapi: '3.0.3',
    info: { title: 'Leadwell', version: '1', description: 'Leads, providers, and what became of them.' },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      securitySchemes: {
        staffSession: { type: 'apiKey', in: 'cookie', name: 'leadwell_session' },
        clinicSession: { type: 'apiKey', in: 'cookie', name: 'leadwell_clinic' },
      },
      schemas: { Error: jsonSchema(ErrorAnswer, 'output') },
    },
  }
}

function operation({ summary, description, access, isPublicForm, isWebhook, input = {}, output, status, type }: Call) {
  const { params, query, body } = input
  return {
    summary,
    ...(access !== 'public' && { security: [{ [access === 'clinic' ? 'clinicSession' : 'staffSession']: [] }] }),
    ...(access === 'manager' && { description: 'For managers.' }),
    ...(description && { description }),
    parameters: [
      ...parameters('path', params),
      ...parameters('query', query),
      ...(isPublicForm ? [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string', maxLength: 200 } }] : []),
      ...(isWebhook ? SIGNATURE : []),
    ],
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(body, 'input') } } },
    }),
    responses: {
      [status ?? 200]: {
        description: 'Success',
        content: { [type ?? 'application/json']: { schema: jsonSchema(output, 'output') } },
      },
      default: {
        description: 'A sentence that says what went wrong, a code, and the fields that are wrong.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
}

/** The headers of a signed message. Source: Standard Webhooks 1.0.0, "Webhook headers". */
const SIGNATURE = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
  ...{ name, in: 'header', required: true, schema: { type: 'string' } },
}))

function parameters(place: 'path' | 'query', schema?: z.ZodObject) {
  if (!schema) return []
  const properties = jsonSchema(schema, 'output').properties ?? {}
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path',
    schema: property,
  }))
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output') {
  return z.toJSONSchema(schema, { target: 'openapi-3.0', io, unrepresentable: 'any' })
}
