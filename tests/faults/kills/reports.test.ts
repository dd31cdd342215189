import { expect, it } from 'vitest'
import { dueWeek } from '../../../core/insight/rules/overview.ts'
import { createLead } from '../../support/factories.ts'
import { startSite } from '../../support/site.ts'
import { waitFor } from '../../support/wait.ts'

const SECOND = 1000
/** The schedule looks once a minute, and a killed worker’s jobs are taken over after 15 s at most. */
const PATIENCE = { within: 90 * SECOND }
/** A place where it is not Monday before 08:00: then no report is due. */
const ZONE = ['UTC', 'Pacific/Honolulu'].find((zone) => dueWeek(new Date(), zone) !== null) ?? 'UTC'

it('The weekly report is sent once, by a third worker, when the two that have added it are killed while it is being sent', async () => {
  const site = await startSite()
  const { db, smtp } = site
  const id = await createLead(db, { providerId: site.providerId })
  // Without a lead of today, the team would also get an alert.
  await createLead(db, { providerId: site.providerId })
  await db('leads')
    .where({ id })
    .update({ created_at: db.raw(`now() - interval '20 days'`) })
  await db('jobs').update({ state: 'done', attempts: 1, finished_at: db.fn.now() })
  let hung = 0
  smtp.answer((_recipient, stage) => {
    if (stage === 'data') hung += 1
    return 'hang'
  })

  await site.startApi({ NETWORK_TIME_ZONE: ZONE })
  const workers = [
    await site.startWorker({ NETWORK_TIME_ZONE: ZONE }),
    await site.startWorker({ NETWORK_TIME_ZONE: ZONE }),
  ]
  await waitFor('the attempt to send it', () => hung > 0, PATIENCE)
  // Either may have its job: only the kill of both is sure to hit.
  await Promise.all(workers.map((worker) => worker.kill('SIGKILL')))

  smtp.answer('accept')
  await site.startWorker({ NETWORK_TIME_ZONE: ZONE })
  await waitFor('the report', () => smtp.mails.length > 0, PATIENCE)
  await waitFor('its record', async () => (await db('jobs').where('subject_kind', 'report').first())?.state === 'done')
  expect(smtp.mails.map(({ recipients }) => recipients)).toEqual([['team@leadwell.example']])
  expect(await db('jobs').where('subject_kind', 'report')).toHaveLength(1)
  const attempts = await db('job_attempts')
    .join('jobs', 'jobs.id', 'job_id')
    .where('subject_kind', 'report')
    .pluck('outcome')
  expect(attempts.toSorted()).toEqual(['done', null])
})
