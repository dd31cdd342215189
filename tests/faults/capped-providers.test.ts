import { expect, it } from 'vitest'
import { changeRules } from '../../core/providers/change-provider.ts'
import { submitMany } from '../support/deliveries.ts'
import { createProvider } from '../support/factories.ts'
import { startSite } from '../support/site.ts'

it('A clinic with a cap of 10 gets exactly 10 of 200 leads that two API processes take at once; the next clinic gets the others', async () => {
  const site = await startSite()
  const [one, two] = await Promise.all([site.startApi(), site.startApi()])
  await changeRules(site.db, site.providerId, { daily_cap: 10 }, { actor: 'staff' })
  const { id: next } = await createProvider(site.db, { zip_code: '78704' })

  await Promise.all([submitMany(one, 100, { atOnce: 100 }), submitMany(two, 100, { atOnce: 100 })])

  const counts = await site.db('leads').select('provider_id').count({ leads: '*' }).groupBy('provider_id')
  expect(new Map(counts.map(({ provider_id, leads }) => [provider_id, Number(leads)]))).toEqual(
    new Map([
      [site.providerId, 10],
      [next, 190],
    ]),
  )
  const skipped = await site.db('leads').where('provider_id', next).first('match_skipped')
  expect(skipped?.match_skipped).toMatchObject([{ id: site.providerId, obstacle: { reason: 'full', used: 10 } }])
})
