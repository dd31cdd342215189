import { expect, it } from 'vitest'
import { changeRules } from '../../core/providers/change-provider.ts'
import { createLead, createProvider } from '../support/factories.ts'
import { useLeadJobs } from '../support/lead-jobs.ts'

const { worker, runAll, lead } = useLeadJobs()

it('a lead whose providers in reach are full is named to the team and the visitor, with the reason on the lead', async () => {
  const { id: providerId } = await createProvider(worker.db)
  await changeRules(worker.db, providerId, { daily_cap: 1 }, { actor: 'staff' })
  await createLead(worker.db, { providerId })
  const id = await createLead(worker.db)
  await runAll(id)
  expect(await lead(id)).toMatchObject({
    ...{ provider_id: null, unreached_at: null },
    match_skipped: [{ id: providerId, obstacle: { reason: 'full', period: 'day', used: 1, cap: 1 } }],
  })
  const recipients = worker.smtp.mails.flatMap(({ recipients }) => recipients)
  expect(recipients).toEqual(expect.arrayContaining([worker.env.TEAM_EMAIL, (await lead(id)).email]))
})
