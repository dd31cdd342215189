type Id = number | string

/** The anchor of the lead form, on every page that has one. */
export const PROVIDER_FORM = 'provider-form'

/** The addresses of our pages. */
export const paths = {
  home: '/',
  providerForm: `/#${PROVIDER_FORM}`,
  success: '/success',
  admin: '/admin',
  getmpx: '/getmpx',
  /** Where a visitor lands after the form: without a provider, nobody is in reach yet. */
  afterLead: (providerId?: number) =>
    providerId === undefined ? '/success?noProvider=true' : `/success?providerId=${providerId}`,
} as const

/** The addresses of the API's calls. */
export const endpoints = {
  newLead: (providerId?: number) => (providerId === undefined ? '/api/leads' : `/api/leads?providerId=${providerId}`),
  leads: ({ page, limit }: { page: number; limit: number }) =>
    `/api/leads?page=${page}&limit=${limit}&sort=-created_at`,
  lead: (id: Id) => `/api/leads/${id}`,
  leadJobs: (id: Id) => `/api/leads/${id}/jobs`,
  leadProvider: (id: Id) => `/api/leads/${id}/provider`,
  retrySync: (id: Id) => `/api/leads/${id}/retry-sync`,
  retryEmail: (id: Id) => `/api/leads/${id}/retry-email`,
  activeProviders: '/api/providers',
  inactiveProviders: '/api/providers?status=inactive',
  provider: (id: Id) => `/api/providers/${id}`,
  session: '/api/session',
} as const
