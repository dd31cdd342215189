import * as calls from '../../core/conditions/contract/setup.ts'
import { deleteTestLeads, sendCheck } from '../../core/conditions/setup.ts'
import * as health from '../../core/conditions/stores/health.ts'
import * as setup from '../../core/conditions/stores/setup.ts'
import { CONSENT } from '../../core/contract/consent.ts'
import type { FormCounts } from '../../core/leads/form-counts.ts'
import { submitLead } from '../../core/leads/submit-lead.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { traceParent } from '../../core/platform/trace.ts'
import * as auditLog from '../../core/staff/stores/audit-log.ts'
import type { Handle } from '../handle.ts'
import type { Services } from '../services.ts'

export function setupRoutes(handle: Handle, services: Services, counts: FormCounts): void {
  const { db, env } = services
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')

  handle(calls.getSetup, async () => {
    const [facts, checks, lead] = await Promise.all([setup.readFacts(db), setup.readChecks(db), setup.readTestLead(db)])
    const [lastRun, workers, settings] = await Promise.all([
      setup.findLastRun(db),
      health.read(db),
      health.readSettings(db),
    ])
    const hasArrived = lead?.deliveries.some(({ purpose, state }) => purpose === 'provider' && state === 'done')
    return {
      skipped: facts.skipped ?? [],
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
      test_lead: { is_done: hasArrived === true || facts.isTested, lead, zip_code: facts.zip },
    }
  })

  handle(calls.skipStep, async ({ body: { step, skipped } }) => {
    await setup.setSkipped(db, step, skipped)
    return { success: true }
  })

  handle(calls.checkConnection, async ({ body: { email = null }, actor }) => {
    await sendCheck(db, email, actor)
    return { success: true }
  })

  handle(calls.sendTestLead, async ({ body, actor }) => {
    const { wording, version } = CONSENT.form
    const consent = { acceptance_consent: true, acceptance_message: wording, consent_version: version }
    const { leadId, heldReason } = await submitLead(
      { ...services, counts },
      {
        lead: { ...calls.TEST_LEAD_NAME, phone: calls.TEST_LEAD_PHONE, ...body, ...consent },
        visit: { ip: null, userAgent: `Test lead of ${actor.actor}`, pageUrl: '', channel: 'form' },
        ...{ isByStaff: true, isTest: true },
        traceParent: traceParent(),
      },
    )
    await auditLog.record(db, { actor: actor.actor, action: 'send-test-lead', entity: 'lead', entityId: leadId })
    return { id: leadId, held: heldReason !== null }
  })

  handle(calls.deleteTestLead, async ({ actor }) => {
    await deleteTestLeads(db, { ...actor, personKey })
    return { success: true }
  })
}
