import type Router from '@koa/router'
import * as commands from '../../core/conditions/alerts.ts'
import { readAttention, setAside } from '../../core/conditions/conditions.ts'
import type { AlertChannel } from '../../core/conditions/contract/alerts.ts'
import * as alertsCalls from '../../core/conditions/contract/alerts.ts'
import * as attentionCalls from '../../core/conditions/contract/conditions.ts'
import * as calls from '../../core/conditions/contract/integrations.ts'
import { sayNoProvider } from '../../core/conditions/leads.ts'
import { maskAddress } from '../../core/conditions/rules/alerts.ts'
import * as setup from '../../core/conditions/setup.ts'
import { deleteTestLeads, sendCheck } from '../../core/conditions/setup.ts'
import * as alerts from '../../core/conditions/stores/alerts.ts'
import * as health from '../../core/conditions/stores/health.ts'
import { CONSENT } from '../../core/contract/consent.ts'
import { maskText } from '../../core/contract/texts.ts'
import { endPause, pauseNetwork, pauseSending, resumeSending } from '../../core/deliveries/pause-sending.ts'
import type { Intake } from '../../core/leads/submit-lead.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { createStatus } from '../../core/platform/process.ts'
import * as networkPausesCalls from '../../core/providers/contract/provider-rules.ts'
import { holidayPauses } from '../../core/providers/rules/business-hours.ts'
import * as providerRules from '../../core/providers/stores/provider-rules.ts'
import * as auditLog from '../../core/staff/stores/audit-log.ts'
import { retryAnswer } from '../answers.ts'
import type { Handle } from '../handle.ts'
import { readIntegrations } from '../integrations.ts'
import { seesContacts } from '../middleware/session.ts'
import { createReadiness } from '../readiness.ts'
import type { Services } from '../services.ts'

export function integrationRoutes(handle: Handle, services: Services): void {
  const { db, env } = services
  const status = createStatus(db, env)

  handle(calls.getIntegrations, ({ staff }) =>
    readIntegrations({ ...services, status }, { masks: !seesContacts(staff) }),
  )

  handle(calls.pauseSending, ({ body, actor }) => pauseSending(db, body, actor))

  handle(calls.resumeSending, ({ params: { integration }, actor }) => resumeSending(db, integration, actor))
}

export function networkPauseRoutes(handle: Handle, { db, env }: Services): void {
  handle(networkPausesCalls.listNetworkPauses, async () => {
    const pauses = await providerRules.list(db)
    return { pauses, holidays: holidayPauses(new Date(), env.NETWORK_TIME_ZONE, pauses) }
  })

  handle(networkPausesCalls.addNetworkPause, ({ body, actor }) => pauseNetwork(db, body, actor))

  handle(networkPausesCalls.endNetworkPause, ({ params: { id }, actor }) => endPause(db, id, actor))
}

export function healthRoutes(router: Router, { db }: Services): void {
  /** Answers while the process is alive. */
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' }
  })

  /** Answers 200 if the database is reachable and has all migrations. `METRICS_PORT` gives the reason otherwise. */
  const readiness = createReadiness(db)
  router.get('/readyz', async (ctx) => {
    const { status } = await readiness()
    ctx.status = status === 'ready' ? 200 : 503
    ctx.body = { status }
  })
}

export function alertRoutes(handle: Handle, services: Services): void {
  const { db, env } = services
  const key = deriveKey(env.DATA_KEY, 'alert-channel')

  handle(alertsCalls.listAlerts, async () => {
    await alerts.ensureTeam(db)
    const [channels, last, settings] = await Promise.all([
      alerts.listChannels(db, key),
      alerts.listLast(db),
      alerts.readSettings(db),
    ])
    return {
      channels: channels.map((channel) => present(channel, last.get(channel.id) ?? null)),
      checked_at: settings.checkedAt?.toISOString() ?? null,
      no_lead_hours: settings.noLeadHours,
    }
  })

  handle(alertsCalls.addAlertChannel, ({ body, actor }) =>
    commands.addChannel(db, body, { ...actor, key, privateHosts: env.ALERT_PRIVATE_HOSTS }),
  )

  handle(alertsCalls.changeAlertChannel, ({ params: { id }, body, actor }) =>
    commands.changeChannel(db, id, body, { ...actor, key }),
  )

  handle(alertsCalls.removeAlertChannel, ({ params: { id }, actor }) =>
    commands.removeChannel(db, id, { ...actor, key }),
  )

  handle(alertsCalls.testAlertChannel, async ({ params: { id }, query: { wait }, actor }) => {
    const jobs = await commands.testChannel(db, id, { ...actor, key })
    return retryAnswer(services, jobs, wait)
  })

  handle(alertsCalls.changeAlertSettings, ({ body, actor }) => commands.changeSettings(db, body.no_lead_hours, actor))
}

const LOST = 'Cannot be read with this DATA_KEY. Remove the channel, and add it again.'
const shownOf = (target: alerts.Target) =>
  'addresses' in target ? target.addresses.join(', ') : maskAddress(target.url)

/** Shows a channel without its secrets. */
function present(
  { id, kind, name, dailyHour, rhythm, target }: alerts.Channel,
  last: AlertChannel['last'],
): AlertChannel {
  const shown = target === 'lost' ? LOST : target && shownOf(target)
  return { id, kind, name, target: shown, daily_hour: dailyHour, rhythm, last }
}

export function attentionRoutes(handle: Handle, { db, env, readings }: Services): void {
  handle(attentionCalls.listAttention, async ({ ctx, staff, query: { aside } }) => {
    const found = await readAttention(db, env, { aside })
    const filter = aside ? { aside } : {}
    const leadIds = found.lines.flatMap((line) => line.leadId ?? [])
    const applicationIds = found.lines.flatMap((line) => line.applicationId ?? [])
    if (leadIds.length > 0) await readings.note(ctx, { entity: 'lead', ids: leadIds, filter })
    if (applicationIds.length > 0) await readings.note(ctx, { entity: 'application', ids: applicationIds, filter })
    if (seesContacts(staff)) return found
    // The words of other systems may quote a person.
    const mask = (line: attentionCalls.ConditionLine) =>
      attentionCalls.conditionOf(line.kind).act === 'resend' ? { ...line, words: maskText(line.words) } : line
    return { ...found, lines: found.lines.map(mask) }
  })

  handle(attentionCalls.setAside, ({ body, actor }) => setAside(db, body, actor))

  handle(attentionCalls.sayNoProvider, ({ params: { id }, actor }) => sayNoProvider(db, env, id, actor))
}

export function setupRoutes(handle: Handle, services: Services, intake: Intake): void {
  const { db, env } = services
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')

  handle(calls.getSetup, async () => {
    const [facts, checks, lastRun, workers, settings] = await Promise.all([
      setup.readFacts(db),
      setup.readChecks(db),
      setup.findLastRun(db),
      health.read(db),
      health.readSettings(db),
    ])
    return {
      has_worker: workers.running > 0,
      mail: {
        is_done: facts.hasMailed,
        settings: settings?.mail ?? null,
        check: checks.mail,
      },
      crm: {
        is_done: env.CRM_KIND !== 'none' && facts.hasToldCrm,
        ...{ kind: env.CRM_KIND, host: settings?.crm.host ?? null, check: checks.crm },
      },
      wordpress: {
        is_done: env.WORDPRESS_URL !== undefined && facts.hasSynced,
        ...{ url: env.WORDPRESS_URL ?? null, last_run: lastRun, is_running: facts.isSyncing, clinics: facts.clinics },
      },
      team: { is_done: facts.accounts > 1, accounts: facts.accounts, invited: facts.invited },
      test_lead: { is_done: facts.isTested, lead_id: facts.testLead, zip_code: facts.zip },
    }
  })

  handle(calls.checkConnection, ({ body: { email = null }, actor }) => sendCheck(db, email, actor))

  handle(calls.sendTestLead, async ({ body, actor }) => {
    const { wording, version } = CONSENT.form
    const consent = { acceptance_consent: true, acceptance_message: wording, consent_version: version }
    const { leadId, heldReason } = await intake.submit({
      lead: { ...calls.TEST_LEAD_NAME, phone: calls.TEST_LEAD_PHONE, ...body, ...consent },
      visit: { ip: null, userAgent: `Test lead of ${actor.actor}`, pageUrl: '', channel: 'form' },
      ...{ isByStaff: true, isTest: true },
    })
    await auditLog.record(db, { actor: actor.actor, action: 'send-test-lead', entity: 'lead', entityId: leadId })
    return { id: leadId, held: heldReason !== null }
  })

  handle(calls.deleteTestLead, ({ actor }) => deleteTestLeads(db, { ...actor, personKey }))
}
