import { withdrawAdConsent } from '../../core/contract/lead-form.ts'
import * as calls from '../../core/contract/offline-conversions.ts'
import { AppError } from '../../core/errors.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { inPieces } from '../../core/rules/csv.ts'
import { conversionFile } from '../../core/rules/offline-conversions.ts'
import { periodOf } from '../../core/rules/periods.ts'
import * as conversions from '../../core/stores/offline-conversions.ts'
import { answerPieces } from '../csv-answer.ts'
import type { Handle } from '../handle.ts'
import { formLimit } from '../middleware/rate-limit.ts'
import type { Services } from '../services.ts'

export function offlineConversionRoutes(handle: Handle, services: Services): void {
  const { db, env, log } = services
  const timeZone = env.NETWORK_TIME_ZONE
  const personKey = deriveKey(env.DATA_KEY, 'person-hash')

  /** @throws AppError `not_found` while the setting is off, because visitors are then asked the narrower question */
  function read(query: calls.ConversionQuery) {
    if (env.OFFLINE_CONVERSIONS === 'off') {
      throw new AppError('not_found', 'Offline conversions are switched off (OFFLINE_CONVERSIONS).')
    }
    const wanted = { ...query, ...periodOf(query, new Date(), timeZone), timeZone }
    return { wanted, bookings: conversions.read(db, wanted, personKey) }
  }

  handle(calls.countConversions, async ({ query }) => {
    const clinics = new Map<number, { id: number; name: string; bookings: number }>()
    for await (const { provider_id: id, provider_name: name } of read(query).bookings) {
      clinics.set(id, { id, name, bookings: (clinics.get(id)?.bookings ?? 0) + 1 })
    }
    return { clinics: [...clinics.values()].toSorted((a, b) => a.name.localeCompare(b.name)) }
  })

  handle(calls.exportConversions, async ({ ctx, query: { name, ...query } }) => {
    const { wanted, bookings } = read(query)
    const ids: number[] = []
    async function* counted() {
      for await (const booking of bookings) {
        ids.push(booking.id)
        yield booking
      }
    }
    const { network, from, to } = wanted
    const filter = { conversions: network, provider_id: query.provider_id, from, to }
    const exported = { name: `${network}-conversions`, entity: 'lead', details: { filter } } as const
    await answerPieces(ctx, services, exported, { ids, pieces: inPieces(conversionFile(network, name, counted())) })
  })

  handle(withdrawAdConsent, formLimit(env), async ({ body: { leads } }) => {
    const withdrawn = await conversions.withdraw(db, leads)
    log.info({ withdrawn }, 'consent to ad measurement withdrawn')
    return { success: true }
  })
}
