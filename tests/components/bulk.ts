import { BulkPurpose, type BulkReport } from '../../core/staff/contract/bulk.ts'
import { answer, type MadeCall } from './api.ts'

type Counts = { succeeded?: number; failed?: number; waiting?: number; failures?: Partial<Failure>[] }
type Failure = BulkReport['failures'][number]

const NO_SUBJECT = { lead_id: null, subject: null }

/**
 * Starts every bulk action that is asked for, and answers that it is done. Returns the calls that started one.
 * @param onStart runs when one is started
 */
export function answerBulk(
  name: 'POST /api/leads/bulk' | 'POST /api/jobs/retry-failed',
  { succeeded = 0, failed = 0, waiting = 0, failures = [] }: Counts,
  onStart = () => {},
): MadeCall[] {
  const id = crypto.randomUUID()
  const total = succeeded + failed + waiting
  const calls = answer(name, ({ body: { ids } }) => {
    onStart()
    return { id, ids }
  })
  answer('GET /api/bulk/{id}', () => ({
    id,
    action: BulkPurpose.catch('retry-failed').parse(calls.at(-1)?.body.action),
    state: 'done',
    progress: { done: total, total, failed },
    report: {
      ...{ succeeded, failed, waiting },
      failures: failures.map((failure, position) => ({
        ...{ position, ...NO_SUBJECT, name: null, error: 'It failed.' },
        ...failure,
      })),
    },
  }))
  return calls
}

/** A bulk action that runs, as the API tells of it. It goes on, or ends, when the test says so. */
export function runningBulk(action: BulkPurpose, total: number) {
  const bulk = { id: crypto.randomUUID(), action, state: 'running', progress: { done: 0, total, failed: 0 } }
  let answered: Record<string, unknown> = { ...bulk, report: null }
  answer('GET /api/bulk/{id}', () => answered as never)
  answer('GET /api/bulk', () => ({ running: answered.state === 'running' ? [answered] : [] }) as never)
  const change = (changed: Record<string, unknown>) => {
    answered = { ...answered, ...changed }
  }
  return {
    id: bulk.id,
    proceed: (done: number, failed = 0) => change({ progress: { done, total, failed } }),
    end: (report: BulkReport) =>
      change({ state: 'done', progress: { done: total, total, failed: report.failed }, report }),
    giveUp: () => change({ state: 'failed' }),
  }
}
