import {
  CLINIC_OPT_OUT_PATH,
  CONFIRM_EMAIL_PATH,
  OPT_OUT_PATH,
  pathAfterLead,
  STAFF_LINK_PATH,
} from '../core/contract/page.ts'

type Id = number | string

/** The anchor of the lead form, on every page that has one. */
export const PROVIDER_FORM = 'provider-form'

/** The anchors of the home page's sections. */
export const anchors = {
  howItWorks: 'how-it-works',
  whatIs: 'what-is',
  sizeCalculator: 'size-calculator',
  faq: 'faq',
} as const

/** The addresses of our pages. */
export const paths = {
  home: '/',
  providerForm: `/#${PROVIDER_FORM}`,
  /** A section of the home page, by its anchor. */
  section: (anchor: string) => `/#${anchor}`,
  start: '/start',
  findProvider: '/homev2',
  microsite: '/microsite',
  micrositeOf: (providerId: number) => `/microsite?providerId=${providerId}`,
  map: '/map',
  clinics: '/clinics',
  success: '/success',
  privacy: '/privacy',
  terms: '/terms',
  refunds: '/refunds',
  /** Where a link in an e-mail to a clinic leads. */
  confirmEmail: CONFIRM_EMAIL_PATH,
  /** Where the links of those who want no more contact lead, and of the clinics that confirm it. */
  optOut: OPT_OUT_PATH,
  clinicOptOut: CLINIC_OPT_OUT_PATH,
  admin: '/admin',
  choosePassword: STAFF_LINK_PATH,
  getmpx: '/getmpx',
  afterLead: pathAfterLead,
} as const

/** The addresses of the API's calls. */
export const endpoints = {
  newLead: (providerId?: number) => (providerId === undefined ? '/api/leads' : `/api/leads?providerId=${providerId}`),
  /** With a query string, as in `LeadListQuery`. */
  leads: (query: string) => `/api/leads?${query}`,
  /** As in `LeadExportQuery`. */
  leadsCsv: (query: string) => `/api/leads.csv?${query}`,
  leadsBulk: '/api/leads/bulk',
  /** As in `FailedJobsQuery`. */
  failedJobs: (query: { since: string; name?: string }) => `/api/jobs/failed?${new URLSearchParams(query)}`,
  retryFailed: '/api/jobs/retry-failed',
  lead: (id: Id) => `/api/leads/${id}`,
  undoMatch: (id: Id) => `/api/leads/${id}/undo-match`,
  leadCandidates: (id: Id, q: string) => `/api/leads/${id}/candidates${q && `?q=${encodeURIComponent(q)}`}`,
  deletedLeads: (query: string) => `/api/deleted-leads?${query}`,
  deletedLead: (id: Id) => `/api/deleted-leads/${id}`,
  restoreLead: (id: Id) => `/api/leads/${id}/restore`,
  leadJobs: (id: Id) => `/api/leads/${id}/jobs`,
  leadProvider: (id: Id) => `/api/leads/${id}/provider`,
  releaseLead: (id: Id) => `/api/leads/${id}/release`,
  retrySync: (id: Id) => `/api/leads/${id}/retry-sync`,
  retryEmail: (id: Id) => `/api/leads/${id}/retry-email`,
  newApplication: '/api/provider-applications',
  applications: ({ page, limit, status }: { page: number; limit: number; status?: string }) =>
    `/api/provider-applications?page=${page}&limit=${limit}${status ? `&status=${status}` : ''}`,
  applicationsCsv: '/api/provider-applications.csv',
  application: (id: Id) => `/api/provider-applications/${id}`,
  applicationJobs: (id: Id) => `/api/provider-applications/${id}/jobs`,
  releaseApplication: (id: Id) => `/api/provider-applications/${id}/release`,
  retryApplicationEmail: (id: Id) => `/api/provider-applications/${id}/retry-email`,
  activeProviders: '/api/providers',
  inactiveProviders: '/api/providers?status=inactive',
  provider: (id: Id) => `/api/providers/${id}`,
  providerPoints: (status: 'active' | 'inactive') => `/api/providers?status=${status}&view=points`,
  someProviders: (ids: number[]) => `/api/providers?ids=${ids.join(',')}`,
  zipCode: (zip: string) => `/api/zip-codes/${encodeURIComponent(zip)}`,
  providerOfHost: (hostname: string) => `/api/providers/domain/${encodeURIComponent(hostname)}`,
  newEmail: (providerId: Id) => `/api/providers/${providerId}/new-email`,
  emailConfirmation: '/api/email-confirmations/look-up',
  confirmEmail: '/api/email-confirmations',
  providersCsv: '/api/providers.csv',
  sync: '/api/sync',
  dryRunSync: '/api/sync/dry-run',
  syncRuns: (page: number) => `/api/sync-runs?page=${page}`,
  syncRun: (id: Id) => `/api/sync-runs/${id}`,
  approveSyncRun: (id: Id) => `/api/sync-runs/${id}/approve`,
  settings: '/api/settings',
  events: '/api/events',
  session: '/api/session',
} as const

/** The addresses of the calls about people who must not be contacted. */
export const optOutEndpoints = {
  all: '/api/opt-outs',
  confirm: (id: Id) => `/api/opt-outs/${id}/confirm`,
  lead: (id: Id) => `/api/leads/${id}/opt-out`,
  lift: (leadId: Id) => `/api/leads/${leadId}/lift-opt-out`,
  liftOne: (id: Id) => `/api/suppressions/${id}/lift`,
} as const

/** Where staff edit a provider that comes from WordPress, by the number of its post there. */
export function wordpressEditUrl(site: string, postId: number): string {
  return `${site}/wp-admin/post.php?post=${postId}&action=edit`
}

/** The addresses of the calls about staff themselves, and of the overview. */
export const staffEndpoints = {
  password: '/api/session/password',
  activity: '/api/session/activity',
  confirm: '/api/session/confirm',
  confirmPasskey: '/api/session/confirm/passkey',
  confirmed: '/api/session/confirmed',
  secondStep: '/api/session/second-step',
  passkeyOptions: '/api/session/passkey/options',
  passkey: '/api/session/passkey',
  secondFactor: '/api/second-factor',
  totp: '/api/second-factor/totp',
  confirmTotp: '/api/second-factor/totp/confirm',
  newPasskeyOptions: '/api/second-factor/passkeys/options',
  passkeys: '/api/second-factor/passkeys',
  ownPasskey: (id: Id) => `/api/second-factor/passkeys/${id}`,
  recoveryCodes: '/api/second-factor/recovery-codes',
  link: '/api/session/link',
  linkPassword: '/api/session/link/password',
  sharedPassword: '/api/shared-password',
  sessions: (of: 'me' | 'everybody') => `/api/sessions?of=${of}`,
  session: (id: Id) => `/api/sessions/${id}`,
  staff: '/api/staff',
  account: (id: Id) => `/api/staff/${id}`,
  resetFactors: (id: Id) => `/api/staff/${id}/reset-factors`,
  resetPassword: (id: Id) => `/api/staff/${id}/reset-password`,
  accessLog: (query: Record<string, string>) => `/api/access-log?${new URLSearchParams(query)}`,
  auditLog: (query: Record<string, string>) => `/api/audit-log?${new URLSearchParams(query)}`,
  findPerson: '/api/privacy/find',
  erasePerson: '/api/privacy/erase',
  erasures: (query: Record<string, string>) => `/api/privacy/erasures?${new URLSearchParams(query)}`,
  retryErasure: (id: Id) => `/api/privacy/erasures/${id}/retry`,
  overview: (period: Record<string, string>) => `/api/overview?${new URLSearchParams(period)}`,
} as const
