import { BY_TEAM, removePerson } from '../../core/commands/clinic/change-people.ts'
import { sendTestEmail } from '../../core/commands/providers/send-test-email.ts'
import * as calls from '../../core/contract/provider-record.ts'
import { RECORD_PERIODS } from '../../core/contract/provider-record.ts'
import { AppError } from '../../core/errors.ts'
import { only } from '../../core/platform/db.ts'
import { healthOf } from '../../core/rules/delivery-health.ts'
import { maskRecord } from '../../core/rules/masking.ts'
import * as clinicPeople from '../../core/stores/clinic-people.ts'
import * as leadLists from '../../core/stores/lead-lists.ts'
import * as providerFigures from '../../core/stores/provider-figures.ts'
import * as providerHealth from '../../core/stores/provider-health.ts'
import * as providerRecord from '../../core/stores/provider-record.ts'
import * as providers from '../../core/stores/providers.ts'
import type { Handle } from '../handle.ts'
import { networkFigures } from '../network-figures.ts'
import { retryAnswer } from '../retry-answer.ts'
import type { Services } from '../services.ts'

export function providerRecordRoutes(handle: Handle, services: Services): void {
  const { db, env, relay } = services

  handle(calls.listProviderFigures, () => providerFigures.list(db))

  handle(calls.listProviderHealth, async ({ query: { ids } }) => {
    const mails = await providerHealth.listMails(db, [...new Set(ids)])
    return [...mails].map(([id, own]) => ({ id, ...healthOf(own) }))
  })

  handle(calls.getProviderRecord, async ({ staff, params: { providerId } }) => {
    const found = await providers.find(db, providerId)
    if (!found) throw new AppError('not_found', 'There is no such clinic.')
    const failed = { provider_id: providerId, email_status: 'failed', timeZone: env.NETWORK_TIME_ZONE } as const
    const [staffed, place, people, mails, own, ofNetwork, failedLeads, failedDeliveries, changes] = await Promise.all([
      providers.forStaff(db, [found]),
      providerRecord.findPlace(db, found.zipCode),
      clinicPeople.list(db, providerId),
      providerHealth.listMails(db, [providerId]).then((all) => all.get(providerId) ?? []),
      providerRecord.readFigures(db, providerId),
      networkFigures(services),
      leadLists.count(db, failed),
      providerRecord.listFailedDeliveries(db, providerId),
      providerRecord.listChanges(db, providerId),
    ])
    const record = {
      ...{
        provider: only(staffed),
        place,
        address: found.requestEmail,
        people,
        mails,
        changes,
        health: healthOf(mails),
      },
      periods: RECORD_PERIODS.map((days) => ({ days, own: own[days], network: ofNetwork[days] })),
      failed_leads: failedLeads,
      failed_deliveries: failedDeliveries,
    }
    return maskRecord(record, staff.role)
  })

  handle(calls.sendTestEmail, async ({ params: { providerId }, query: { wait }, actor }) => {
    const jobs = await sendTestEmail(db, providerId, actor)
    relay.wake()
    return retryAnswer(services, jobs, wait)
  })

  handle(calls.removeProviderPerson, async ({ params: { providerId, id }, actor: { actor } }) => {
    await removePerson(db, { id: providerId, email: BY_TEAM }, id, actor)
    relay.wake()
    return { success: true }
  })
}
