import type { ApiEnv } from '../core/env.ts'
import type { Db } from '../core/platform/db.ts'
import type { Logger } from '../core/platform/log.ts'
import type { Queues } from '../core/platform/queue.ts'
import type { ReadingLog } from './access-log.ts'
import type { EventHub } from './events.ts'

export type Services = {
  env: ApiEnv
  db: Db
  log: Logger
  queues: Queues
  readings: Pick<ReadingLog, 'note' | 'noteExport' | 'noteClinic'>
  events: Pick<EventHub, 'open' | 'listen'>
  /** Aborted when this process is told to stop: waiting calls answer at once. */
  stopping: AbortSignal
}
