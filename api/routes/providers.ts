import type { Context } from 'koa'
import { healthOf } from '../../core/conditions/rules/alerts.ts'
import { isOwnHost } from '../../core/contract/page.ts'
import { packPoints } from '../../core/contract/places.ts'
import { AppError } from '../../core/errors.ts'
import * as places from '../../core/leads/stores/places.ts'
import { only } from '../../core/platform/db.ts'
import { maskRecord } from '../../core/privacy/rules/masking.ts'
import {
  activateProvider,
  BY_TEAM,
  changeRules,
  decideNewEmail,
  removePerson,
  sendTestEmail,
} from '../../core/providers/change-provider.ts'
import * as calls from '../../core/providers/contract/provider-record.ts'
import * as rulesCalls from '../../core/providers/contract/provider-rules.ts'
import * as providersCalls from '../../core/providers/contract/providers.ts'
import {
  isPublic,
  MicrositeProvider,
  PUBLIC_PROVIDERS_PER_PAGE,
  PublicProvider,
  publicView,
} from '../../core/providers/contract/providers.ts'
import { contactCard, contactFileName } from '../../core/providers/rules/phone-files.ts'
import * as clinicPeople from '../../core/providers/stores/clinic-people.ts'
import * as providerRecord from '../../core/providers/stores/provider-record.ts'
import * as providerRules from '../../core/providers/stores/provider-rules.ts'
import * as providers from '../../core/providers/stores/providers.ts'
import * as bulk from '../../core/staff/stores/bulk.ts'
import { answerCsv, retryAnswer } from '../answers.ts'
import type { Handle } from '../handle.ts'
import { isStaff } from '../middleware/session.ts'
import type { Services } from '../services.ts'

export function providerRoutes(handle: Handle, services: Services): void {
  const { db, env } = services

  handle(providersCalls.listProviders, async ({ ctx, query: { status, view, ids, page } }) => {
    if (view === 'points') {
      // Every visitor of the map gets the same answer.
      ctx.set('Cache-Control', 'public, max-age=60, stale-while-revalidate=600')
      return packPoints(await places.listPoints(db, status))
    }
    if (await isStaff(ctx, services)) {
      return providers.forStaff(db, ids ? await providers.findMany(db, ids) : await providers.list(db, status))
    }
    const { list, hasMore } = ids
      ? { list: await providers.findMany(db, ids), hasMore: false }
      : await providers.listPublic(db, status, { page, limit: PUBLIC_PROVIDERS_PER_PAGE })
    // RFC 8288
    if (hasMore) ctx.set('Link', `<${providersCalls.listProviders.path}?status=${status}&page=${page + 1}>; rel="next"`)
    return list.filter(isPublic).map((provider) => publicView(PublicProvider, provider))
  })

  handle(providersCalls.exportProviders, async ({ ctx, query: { status } }) => {
    const exported = { name: 'providers', entity: 'provider', details: { filter: { status } } } as const
    await answerCsv(ctx, services, exported, bulk.exportProviders(db, status))
  })

  handle(providersCalls.getProviderOfHost, async ({ ctx, params: { hostname } }) =>
    present(ctx, isOwnHost(hostname, env.MAIN_DOMAIN) ? null : await providers.findByDomain(db, hostname)),
  )

  handle(providersCalls.getProvider, async ({ ctx, params: { providerId } }) =>
    present(ctx, await providers.find(db, providerId)),
  )

  handle(providersCalls.getContactCard, async ({ ctx, params: { providerId } }) => {
    const provider = await providers.find(db, providerId)
    const card = provider?.status === 't' ? contactCard(provider) : null
    if (!provider || card === null) throw new AppError('not_found', 'Provider not found')
    // Inline, because iOS then offers to save the contact; browsers that cannot show it download the file.
    ctx.attachment(contactFileName(provider), { type: 'inline' })
    ctx.type = 'text/vcard; charset=utf-8'
    ctx.body = card
  })

  handle(providersCalls.decideNewEmail, ({ params: { providerId }, body: decision, actor }) =>
    decideNewEmail(db, providerId, decision, actor),
  )

  handle(providersCalls.activateProvider, ({ params: { providerId }, actor }) =>
    activateProvider(db, providerId, actor),
  )

  handle(rulesCalls.getProviderRules, async ({ params: { id } }) => {
    if (!(await providers.find(db, id))) throw new AppError('not_found', 'Provider not found')
    return providerRules.find(db, id)
  })

  handle(rulesCalls.changeProviderRules, async ({ params: { id }, body, actor }) => {
    await changeRules(db, id, body, actor)
    return providerRules.find(db, id)
  })

  /** Answers staff with all fields of a provider, and others with its public fields. */
  async function present(ctx: Context, provider: providers.Provider | null) {
    const isForStaff = await isStaff(ctx, services)
    const [full] = provider && isForStaff ? await providers.forStaff(db, [provider]) : []
    if (full) return full
    if (!provider || !isPublic(provider)) throw new AppError('not_found', 'Provider not found')
    return publicView(MicrositeProvider, provider)
  }
}

export function providerRecordRoutes(
  handle: Handle,
  services: Services,
  networkFigures: () => Promise<calls.NetworkFigures>,
): void {
  const { db, env } = services

  handle(calls.listProviderFigures, async ({ query: { ids } }) => {
    const rows = await providers.listFigures(db, ids)
    return rows.map(({ mails, ...figures }) => ({ ...figures, health: healthOf(mails) }))
  })

  handle(calls.getProviderRecord, async ({ staff, params: { providerId } }) => {
    const found = await providers.find(db, providerId)
    if (!found) throw new AppError('not_found', 'There is no such clinic.')
    const [staffed, place, people, mails, own, network, months, failed_leads, changes] = await Promise.all([
      providers.forStaff(db, [found]),
      providerRecord.findPlace(db, found.zipCode),
      clinicPeople.list(db, providerId),
      providers.listMails(db, [providerId]).then((all) => all.get(providerId) ?? []),
      providerRecord.readFigures(db, providerId),
      networkFigures(),
      providerRecord.readMonths(db, providerId, env.NETWORK_TIME_ZONE),
      providerRecord.listFailedLeads(db, providerId),
      providerRecord.listChanges(db, providerId),
    ])
    const record = {
      ...{ provider: only(staffed), place, address: found.requestEmail, people, mails, months, failed_leads, changes },
      health: healthOf(mails),
      figures: { own, network },
    }
    return maskRecord(record, staff.role)
  })

  handle(calls.sendTestEmail, async ({ params: { providerId }, query: { wait }, actor }) => {
    const jobs = await sendTestEmail(db, providerId, actor)
    return retryAnswer(services, jobs, wait)
  })

  handle(calls.removeProviderPerson, ({ params: { providerId, id }, actor: { actor } }) =>
    removePerson(db, { id: providerId, email: BY_TEAM }, id, actor),
  )
}
