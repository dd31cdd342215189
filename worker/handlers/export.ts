import { recordPrepared } from '../../core/commands/exports.ts'
import { deriveKey } from '../../core/platform/data-key.ts'
import { onBehalfOf } from '../../core/platform/request-context.ts'
import { csv, inPieces } from '../../core/rules/csv.ts'
import * as changes from '../../core/stores/changes.ts'
import * as files from '../../core/stores/export-files.ts'
import * as exports from '../../core/stores/exports.ts'
import { SECOND } from '../../core/time.ts'
import { HandedBack, NotNeeded } from '../delivery-error.ts'
import type { ExportTask, Handler, Outcome, WorkerServices } from './handler.ts'

/** The size of a piece, in characters. */
const PIECE_SIZE = 2 ** 20
/** The interval of progress, in milliseconds. */
const PROGRESS_INTERVAL = SECOND / 5

/**
 * Writes files of many rows in pieces, each as of one moment. An attempt that ends early leaves an unfinished file, which
 * the next one writes again from its start.
 */
export const exportFile: Handler = (tasks, services) =>
  tasks.map(async (task) => {
    if (task.of !== 'export') throw new NotNeeded('This is not an export.')
    return write(task, services)
  })

async function write({ job, row }: ExportTask, { db, env, stopping }: WorkerServices): Promise<Outcome> {
  const run = await files.begin(db, job.id)
  // It is finished, or deleted.
  if (!run) return { result: {} }

  const query = { ...run.query, timeZone: env.NETWORK_TIME_ZONE }
  const { columns, rows } = exports.leads(db, query, deriveKey(env.DATA_KEY, 'person-hash'))
  let ids: number[] = []
  async function* noted() {
    for await (const lead of rows) {
      ids.push(Number(lead.id))
      yield lead
    }
  }

  let [position, count, toldAt] = [0, 0, 0]
  for await (const content of inPieces(csv(columns, noted()), PIECE_SIZE)) {
    if (stopping.aborted) throw new HandedBack('The worker stops.')
    if (!(await files.addPiece(db, run, { position, content, ids }))) throw lost()
    position += 1
    count += ids.length
    ids = []
    if (performance.now() - toldAt < PROGRESS_INTERVAL) continue
    toldAt = performance.now()
    await changes.announce(db, { exports: [job.id] })
  }

  const end = () =>
    db.transaction(async (trx) => {
      if (!(await files.finish(trx, run, count))) throw lost()
      await recordPrepared(trx, row, { rows: count, complete: true })
    })
  await onBehalfOf(job.requestId, end, { ip: row.ip, sessionId: row.session_id })
  return { result: { rows: count } }
}

/** Another worker writes the file, or it was deleted. */
const lost = () => new HandedBack('Another worker has begun this export, or it was deleted.')
