import { expect, it } from 'vitest'
import { sharedState } from '../../api/metrics.ts'
import { pauseSending } from '../../core/commands/pause-sending.ts'
import { registry } from '../../core/platform/metrics.ts'
import * as sendingPauses from '../../core/stores/sending-pauses.ts'
import { HOUR } from '../../core/time.ts'
import { useApi } from '../support/api-server.ts'
import { testEnv } from '../support/env.ts'

const { database } = useApi()

/** The measured pauses, by integration and kind. */
async function measure(): Promise<Record<string, number>> {
  const queues = { all: [], add: async () => {}, close: async () => {} }
  await Promise.all(sharedState({ env: testEnv(), db: database.app, queues }).map((read) => read()))
  const { values } = (await registry.getSingleMetric('leadwell_sending_paused')?.get()) ?? { values: [] }
  return Object.fromEntries(values.map(({ labels, value }) => [`${labels.integration} ${labels.kind}`, value]))
}

it('the gauge of pauses tells those of staff from those of the breaker, and has zeros', async () => {
  expect(await measure()).toEqual({ 'crm staff': 0, 'crm breaker': 0, 'mail staff': 0, 'mail breaker': 0 })
  const until = new Date(Date.now() + HOUR).toISOString()
  await pauseSending(database.app, { integration: 'mail', until, reason: 'Move' }, { actor: 'staff' })
  await database.app.transaction((trx) =>
    sendingPauses.open(trx, { integration: 'crm', kind: 'breaker', reason: 'Away.', actor: 'system', until: HOUR }),
  )
  expect(await measure()).toEqual({ 'crm staff': 0, 'crm breaker': 1, 'mail staff': 1, 'mail breaker': 0 })
  await database.app.transaction((trx) => sendingPauses.end(trx, 'crm'))
  expect(await measure()).toMatchObject({ 'crm breaker': 0 })
})
