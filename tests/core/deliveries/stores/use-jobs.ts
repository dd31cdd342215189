import type { NewLeadJob } from '../../../../core/deliveries/rules/deliveries.ts'
import * as attempts from '../../../../core/deliveries/stores/attempts.ts'
import * as jobs from '../../../../core/deliveries/stores/jobs.ts'
import { useDatabase } from '../../../support/database.ts'
import { jobsOf } from '../../../support/factories.ts'
import { found } from '../../../support/found.ts'

export const CREATED: NewLeadJob = { name: 'sync-crm', purpose: 'created' }
export const MATCHED: NewLeadJob = { name: 'sync-crm', purpose: 'matched' }

export function useJobs() {
  const database = useDatabase()
  const attemptAt = (job: attempts.Job): attempts.Attempt => ({ job, startedAt: new Date().toISOString(), begun: 0 })
  const settle = (job: attempts.Job, settlement: attempts.Settlement) =>
    database.db.transaction((trx) => attempts.settle(trx, [{ attempt: attemptAt(job), settlement, ms: 12 }]))
  return {
    ...{ database, settle },
    add: (leadId: number, ...added: NewLeadJob[]) =>
      database.db.transaction((trx) => jobs.add(trx, `lead:${leadId}`, added)),
    async newest(leadId: number, which: NewLeadJob): Promise<attempts.Job> {
      const { name, purpose } = which
      const newest = jobsOf(database.db, leadId, { name, purpose }).orderBy('generation', 'desc')
      const row = found(await newest.first('id', 'generation', 'attempts'))
      const about = { subject: `lead:${leadId}`, payload: {}, requestId: null, createdAt: '' } as const
      return { ...row, name, purpose, ...about }
    },
    done: (job: attempts.Job) => settle(job, { state: 'done', result: {} }),
    fail: (job: attempts.Job) => settle(job, { state: 'failed', cause: 'refused', error: 'refused' }),
  }
}
