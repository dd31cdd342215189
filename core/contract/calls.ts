import * as accessLog from './access-log.ts'
import * as applications from './applications.ts'
import * as auditLog from './audit-log.ts'
import * as bulk from './bulk.ts'
import type { Call } from './call.ts'
import * as deletedLeads from './deleted-leads.ts'
import * as events from './events.ts'
import * as exports from './exports.ts'
import * as jobs from './jobs.ts'
import * as leadForm from './lead-form.ts'
import * as leadMatch from './lead-match.ts'
import * as leads from './leads.ts'
import * as optOuts from './opt-outs.ts'
import * as overview from './overview.ts'
import * as personLinks from './person-links.ts'
import * as privacy from './privacy.ts'
import * as providerEmails from './provider-emails.ts'
import * as providers from './providers.ts'
import * as secondFactor from './second-factor.ts'
import * as session from './session.ts'
import * as settings from './settings.ts'
import * as staff from './staff.ts'
import * as sync from './sync.ts'
import * as zipCodes from './zip-codes.ts'

const MODULES = [
  accessLog,
  applications,
  auditLog,
  bulk,
  deletedLeads,
  events,
  exports,
  jobs,
  leadForm,
  leadMatch,
  leads,
  optOuts,
  overview,
  personLinks,
  privacy,
  providerEmails,
  providers,
  secondFactor,
  session,
  settings,
  staff,
  sync,
  zipCodes,
]

/** All calls that the modules of the contract declare with `defineCall`. */
export const CALLS: Call[] = MODULES.flatMap((module) => Object.values<unknown>(module)).filter(isCall)

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'access' in value
}
