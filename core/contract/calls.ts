import * as applications from '../applications/contract/applications.ts'
import * as alerts from '../conditions/contract/alerts.ts'
import * as attention from '../conditions/contract/conditions.ts'
import * as integrations from '../conditions/contract/integrations.ts'
import * as jobs from '../deliveries/contract/jobs.ts'
import * as overview from '../insight/contract/overview.ts'
import * as leadChanges from '../leads/contract/lead-changes.ts'
import * as leadWork from '../leads/contract/lead-work.ts'
import * as leads from '../leads/contract/leads.ts'
import * as outcomes from '../leads/contract/outcomes.ts'
import * as optOuts from '../privacy/contract/opt-outs.ts'
import * as privacy from '../privacy/contract/privacy.ts'
import * as clinic from '../providers/contract/clinic.ts'
import * as providerRecord from '../providers/contract/provider-record.ts'
import * as providerRules from '../providers/contract/provider-rules.ts'
import * as providers from '../providers/contract/providers.ts'
import * as auditLog from '../staff/contract/audit-log.ts'
import * as bulk from '../staff/contract/bulk.ts'
import * as session from '../staff/contract/session.ts'
import * as staff from '../staff/contract/staff.ts'
import * as sync from '../sync/contract/sync.ts'
import type { Call } from './call.ts'
import * as events from './events.ts'
import * as leadForm from './lead-form.ts'
import * as places from './places.ts'

const MODULES = [
  alerts,
  applications,
  attention,
  auditLog,
  bulk,
  clinic,
  events,
  integrations,
  jobs,
  leadChanges,
  leadForm,
  leads,
  leadWork,
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

/** All calls that the modules of the contract declare with `defineCall`. */
export const CALLS: Call[] = MODULES.flatMap((module) => Object.values<unknown>(module)).filter(isCall)

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'access' in value
}
