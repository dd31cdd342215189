import type Router from '@koa/router'
import { z } from 'zod'
import * as applications from '../../core/applications/contract/applications.ts'
import * as alerts from '../../core/conditions/contract/alerts.ts'
import * as attention from '../../core/conditions/contract/conditions.ts'
import * as integrations from '../../core/conditions/contract/integrations.ts'
import * as setup from '../../core/conditions/setup.ts'
import { type Call, ErrorAnswer } from '../../core/contract/call.ts'
import * as events from '../../core/contract/events.ts'
import * as forms from '../../core/contract/forms.ts'
import { MAP_TILES_URL } from '../../core/contract/page.ts'
import * as places from '../../core/contract/places.ts'
import * as jobs from '../../core/deliveries/contract/jobs.ts'
import * as overview from '../../core/insight/contract/overview.ts'
import * as leadChanges from '../../core/leads/contract/lead-changes.ts'
import * as leads from '../../core/leads/contract/leads.ts'
import * as outcomes from '../../core/leads/contract/outcomes.ts'
import * as optOuts from '../../core/privacy/contract/opt-outs.ts'
import * as privacy from '../../core/privacy/contract/privacy.ts'
import * as clinic from '../../core/providers/contract/clinic.ts'
import * as providerRecord from '../../core/providers/contract/provider-record.ts'
import * as providerRules from '../../core/providers/contract/provider-rules.ts'
import * as providers from '../../core/providers/contract/providers.ts'
import * as auditLog from '../../core/staff/contract/audit-log.ts'
import * as bulk from '../../core/staff/contract/bulk.ts'
import * as session from '../../core/staff/contract/session.ts'
import * as staff from '../../core/staff/contract/staff.ts'
import * as sync from '../../core/sync/contract/sync.ts'
import type { Handle } from '../handle.ts'
import { isProxyIgnored } from '../middleware/proxy.ts'
import { answerKept, keepBody } from '../parse.ts'
import type { Services } from '../services.ts'

const MODULES = [
  alerts,
  applications,
  attention,
  auditLog,
  bulk,
  clinic,
  events,
  forms,
  integrations,
  jobs,
  leadChanges,
  leads,
  optOuts,
  outcomes,
  overview,
  places,
  privacy,
  providerRecord,
  providerRules,
  providers,
  staff,
  session,
  sync,
]

export const CALLS: Call[] = MODULES.flatMap((module) => Object.values<unknown>(module)).filter(isCall)

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'access' in value
}

/** The OpenAPI 3.0 description of every call, made from the contract that the routes and the web app use. */
function openApiDocument(publicUrl: string) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const call of CALLS) {
    const path = call.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(call) }
  }
  return {
    openapi: '3.0.3',
    info: { title: 'Leadwell', version: '1', description: 'Leads, providers and outcomes.' },
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

export function openApiRoutes(router: Router, { env }: Services): void {
  const document = keepBody(JSON.stringify(openApiDocument(env.PUBLIC_URL)))

  router.get('/api/openapi.json', async (ctx) => {
    ctx.type = 'json'
    await answerKept(ctx, document)
  })
}

export function settingsRoutes(handle: Handle, { env, db }: Services): void {
  handle(integrations.getSettings, async ({ ctx }) => ({
    wordpress_url: env.WORDPRESS_URL ?? null,
    match_radius_miles: env.MATCH_RADIUS_MILES,
    map_tiles: { url: MAP_TILES_URL, attribution: env.MAP_TILE_URL.attribution },
    has_leads: await setup.hasLeads(db),
    proxy_ignored: isProxyIgnored(ctx, env),
  }))
}
