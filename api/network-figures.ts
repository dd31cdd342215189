import type { NetworkFigures } from '../core/providers/contract/provider-record.ts'
import * as providerRecord from '../core/providers/stores/provider-record.ts'
import { MINUTE } from '../core/time.ts'
import type { Services } from './services.ts'

/** The age up to which the figures are reused, because reading them takes all leads of 90 days. */
const MAX_AGE = 5 * MINUTE

const kept = new WeakMap<Services, { value: Promise<NetworkFigures>; until: number }>()

/** Returns the medians of the network, as one process reads them. A failed reading is not kept. */
export function networkFigures(services: Services): Promise<NetworkFigures> {
  const known = kept.get(services)
  if (known && known.until > performance.now()) return known.value
  const reading = { value: providerRecord.readNetwork(services.db), until: performance.now() + MAX_AGE }
  reading.value.catch(() => {
    if (kept.get(services) === reading) kept.delete(services)
  })
  kept.set(services, reading)
  return reading.value
}
