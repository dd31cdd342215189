import { z } from 'zod'
import { ActionAnswer, LeadJob } from './jobs.ts'
import {
  AssignProvider,
  Lead,
  LeadList,
  LeadListQuery,
  LeadParams,
  LeadReceipt,
  NewLead,
  NewLeadQuery,
} from './leads.ts'
import {
  HostnameParams,
  MicrositeProvider,
  ProviderListQuery,
  ProviderParams,
  PublicProvider,
  StaffProvider,
} from './providers.ts'
import { Login, Session } from './session.ts'

/** One call of the API: who may make it, what it takes, what it answers. Every route has one, and a test says so. */
export type Call = {
  method: 'get' | 'post' | 'patch' | 'delete'
  /** With parameters as in OpenAPI: `/api/leads/{id}`. */
  path: string
  summary: string
  access: 'public' | 'staff'
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodObject
  answer: { status: number; schema: z.ZodType }
}

const ok = (schema: z.ZodType) => ({ status: 200, schema })

export const CALLS: Call[] = [
  {
    method: 'post',
    path: '/api/leads',
    summary:
      'Send a lead. Repeating it with the same Idempotency-Key header, or as the same person, makes no second one.',
    access: 'public',
    query: NewLeadQuery,
    body: NewLead,
    answer: { status: 201, schema: LeadReceipt },
  },
  {
    method: 'get',
    path: '/api/leads',
    summary: 'One page of leads, and how many there are.',
    access: 'staff',
    query: LeadListQuery,
    answer: ok(LeadList),
  },
  {
    method: 'get',
    path: '/api/leads/{id}/jobs',
    summary: 'Everything that was, is or will be done for a lead.',
    access: 'staff',
    params: LeadParams,
    answer: ok(z.object({ jobs: z.array(LeadJob) })),
  },
  {
    method: 'post',
    path: '/api/leads/{id}/retry-sync',
    summary: 'Tell the CRM about a lead again.',
    access: 'staff',
    params: LeadParams,
    answer: ok(ActionAnswer),
  },
  {
    method: 'post',
    path: '/api/leads/{id}/retry-email',
    summary: 'Send the e-mails of a lead again.',
    access: 'staff',
    params: LeadParams,
    answer: ok(ActionAnswer),
  },
  {
    method: 'patch',
    path: '/api/leads/{id}/provider',
    summary: 'Give a lead to a provider.',
    access: 'staff',
    params: LeadParams,
    body: AssignProvider,
    answer: ok(Lead),
  },
  {
    method: 'delete',
    path: '/api/leads/{id}',
    summary: 'Delete a lead. The evidence of its consent stays.',
    access: 'staff',
    params: LeadParams,
    answer: ok(ActionAnswer),
  },
  {
    method: 'get',
    path: '/api/providers',
    summary: 'Active providers, or the inactive ones. Staff get every field.',
    access: 'public',
    query: ProviderListQuery,
    answer: ok(z.array(z.union([PublicProvider, StaffProvider]))),
  },
  {
    method: 'get',
    path: '/api/providers/{providerId}',
    summary: 'One provider.',
    access: 'public',
    params: ProviderParams,
    answer: ok(z.union([MicrositeProvider, StaffProvider])),
  },
  {
    method: 'get',
    path: '/api/providers/domain/{hostname}',
    summary: 'The provider whose microsite is on this host.',
    access: 'public',
    params: HostnameParams,
    answer: ok(z.union([MicrositeProvider, StaffProvider])),
  },
  {
    method: 'post',
    path: '/api/sync',
    summary: 'Read the providers from WordPress.',
    access: 'staff',
    answer: ok(ActionAnswer),
  },
  {
    method: 'get',
    path: '/api/session',
    summary: 'Whether this browser is signed in as staff.',
    access: 'public',
    answer: ok(Session),
  },
  {
    method: 'post',
    path: '/api/session',
    summary: 'Sign in with the password of the staff.',
    access: 'public',
    body: Login,
    answer: ok(Session),
  },
  { method: 'delete', path: '/api/session', summary: 'Sign out.', access: 'public', answer: ok(Session) },
]
