import * as accessLog from './access-log.ts'
import * as alerts from './alerts.ts'
import * as applicationDetails from './application-details.ts'
import * as applications from './applications.ts'
import * as auditLog from './audit-log.ts'
import * as bulk from './bulk.ts'
import type { Call } from './call.ts'
import * as clinic from './clinic.ts'
import * as attention from './conditions.ts'
import * as deletedLeads from './deleted-leads.ts'
import * as events from './events.ts'
import * as funnel from './funnel.ts'
import * as integrations from './integrations.ts'
import * as jobs from './jobs.ts'
import * as leadEdit from './lead-edit.ts'
import * as leadForm from './lead-form.ts'
import * as leadMatch from './lead-match.ts'
import * as leadWork from './lead-work.ts'
import * as leads from './leads.ts'
import * as networkPauses from './network-pauses.ts'
import * as optOuts from './opt-outs.ts'
import * as outcomes from './outcomes.ts'
import * as overview from './overview.ts'
import * as places from './places.ts'
import * as privacy from './privacy.ts'
import * as providerRecord from './provider-record.ts'
import * as providerRules from './provider-rules.ts'
import * as providers from './providers.ts'
import * as secondFactor from './second-factor.ts'
import * as sentMessages from './sent-messages.ts'
import * as session from './session.ts'
import * as settings from './settings.ts'
import * as setup from './setup.ts'
import * as staff from './staff.ts'
import * as sync from './sync.ts'
import * as zipCodes from './zip-codes.ts'

const MODULES = [
  accessLog,
  alerts,
  applicationDetails,
  applications,
  attention,
  auditLog,
  bulk,
  clinic,
  deletedLeads,
  events,
  funnel,
  integrations,
  jobs,
  leadEdit,
  leadForm,
  leadMatch,
  leadWork,
  leads,
  networkPauses,
  optOuts,
  outcomes,
  overview,
  places,
  privacy,
  providerRules,
  providerRecord,
  providers,
  secondFactor,
  sentMessages,
  session,
  settings,
  setup,
  staff,
  sync,
  zipCodes,
]

/** All calls that the modules of the contract declare with `defineCall`. */
export const CALLS: Call[] = MODULES.flatMap((module) => Object.values<unknown>(module)).filter(isCall)

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'access' in value
}
