import { tz } from '@date-fns/tz'
import { isValid, parseISO } from 'date-fns'
import { z } from 'zod'
import { formatCount } from '../contract/format.ts'
import { formatOffsetTime } from '../dates.ts'
import {
  DeliveryName,
  type FailedJobsQuery,
  FailureCause,
  type JobAttempt,
  type LedgerJob,
  MAX_JOBS,
} from '../deliveries/contract/jobs.ts'
import type { Subject } from '../deliveries/emails.ts'
import { JOBS, subjectOf, subjectWords } from '../deliveries/jobs.ts'
import { recordRetryFailed, retry } from '../deliveries/retry-deliveries.ts'
import { type FailedJob, listFailed } from '../deliveries/stores/failed-jobs.ts'
import * as jobs from '../deliveries/stores/jobs.ts'
import { readTimeZone } from '../env.ts'
import { AppError } from '../errors.ts'
import type { Db } from '../platform/db.ts'
import { DAY, HOUR, MINUTE } from '../time.ts'
import { done, isMain, type Result, runCommand, UsageError } from './command-line.ts'

const KINDS = new Map(DeliveryName.options.map((name) => [JOBS[name].word, name]))

const USAGE = `Deliveries that failed permanently, in the database of DATABASE_URL.

  npm run jobs -- list                                    failed deliveries that were not retried
  npm run jobs -- list --failed-since 24h --kind crm
  npm run jobs -- show <id>                               one job with all its attempts
  npm run jobs -- retry <id> …                            retry these jobs now
  npm run jobs -- retry --failed-since 2026-11-20T09:00Z  retry everything that failed since then
  npm run jobs -- retry --failed-since 7d --kind email --dry-run
  npm run jobs -- retry --failed-since 24h --cause credentials

A time is a date with or without a time of day, or an age: 30m, 24h, 7d. Times without a zone are in
NETWORK_TIME_ZONE. A kind is ${[...KINDS.keys()].join(', ')}. A cause is one of
${FailureCause.options.join(', ')}.
The workers send retries; "show" shows the results. The exit code is 0 if everything succeeded, 1 if something was rejected,
failed or remains, and 2 for invalid arguments.`

const BY_COMMAND = { actor: 'command line' }

type Options = { 'failed-since'?: string; kind?: string; cause?: string; 'dry-run'?: boolean }

const COMMANDS: Record<string, (db: Db, options: Options, ids: string[]) => Promise<Result>> = {
  async list(db, options, ids) {
    if (ids.length > 0) throw new UsageError('list takes no ids. "show" shows one job.')
    const { failed, isCut } = await mostFailed(db, queryOf(options))
    if (failed.length === 0) return done('There are no failed deliveries left to retry.')
    const timeZone = readTimeZone()
    return done([...failed.map((job) => line(job, timeZone)), ...(isCut ? [CUT] : [])].join('\n'))
  },
  async show(db, _options, ids) {
    const [id, ...more] = ids
    if (!id || more.length > 0) throw new UsageError('show takes one id.')
    const found = await jobs.find(db, idOf(id))
    if (!found) throw new AppError('not_found', `There is no job ${id}. It may have been deleted.`)
    return done(account(found.job, found.subject, readTimeZone()))
  },
  async retry(db, options, ids) {
    const since = options['failed-since']
    if (ids.length > 0 === (since !== undefined)) throw new UsageError('Name jobs by their ids, or by --failed-since.')
    if (since === undefined && options.kind) throw new UsageError('--kind goes with --failed-since.')
    if (since === undefined && options.cause) throw new UsageError('--cause goes with --failed-since.')
    if (since === undefined) return retryEach(db, ids.map(idOf), options)

    const query = queryOf(options)
    const { failed, isCut } = await mostFailed(db, query)
    if (failed.length > 0 && !options['dry-run']) {
      await recordRetryFailed(db, query, { ...BY_COMMAND, count: failed.length })
    }
    const found = failed.map(({ id }) => id)
    const { text, isDone } = await retryEach(db, found, options)
    return isCut ? { text: `${text}\n${CUT} Run it again for the rest.`, isDone: false } : { text, isDone }
  },
}

const CUT = `More have failed: these are the ${formatCount(MAX_JOBS)} oldest.`

/** Reads the oldest failed jobs, and whether there are more. */
async function mostFailed(db: Db, query: FailedJobsQuery): Promise<{ failed: FailedJob[]; isCut: boolean }> {
  const failed = await listFailed(db, query, MAX_JOBS + 1)
  return { failed: failed.slice(0, MAX_JOBS), isCut: failed.length > MAX_JOBS }
}

/** Stops at an error of ours, because the rest would fail as well. */
async function retryEach(db: Db, ids: string[], options: Options): Promise<Result> {
  if (options['dry-run']) return done([...ids, `${countOf(ids.length)} would be retried.`].join('\n'))

  const problems: string[] = []
  let tried = 0
  for (const [position, id] of ids.entries()) {
    try {
      await retry(db, id, BY_COMMAND)
      tried += 1
    } catch (error) {
      problems.push(`${id}: ${(error as Error).message || String(error)}`)
      if (error instanceof AppError) continue
      problems.push(`Stopped there. ${countOf(ids.length - position - 1)} not tried.`)
      break
    }
  }
  const isDone = problems.length === 0
  return { text: [...problems, `${countOf(tried)} will be retried now.`].join('\n'), isDone }
}

const countOf = (count: number) => (count === 1 ? '1 job' : `${count} jobs`)

/** @throws UsageError */
function idOf(text: string): string {
  if (!z.uuid().safeParse(text).success) throw new UsageError(`"${text}" is not a job id.`)
  return text
}

/** @throws UsageError */
function queryOf({ 'failed-since': since, kind, cause: given }: Options) {
  const name = KINDS.get(kind ?? '')
  if (kind !== undefined && !name) throw new UsageError(`There is no kind "${kind}": ${[...KINDS.keys()].join(', ')}.`)
  const cause = given === undefined ? undefined : FailureCause.safeParse(given).data
  if (given !== undefined && !cause) {
    throw new UsageError(`There is no cause "${given}". The causes: ${FailureCause.options.join(', ')}.`)
  }
  return {
    ...(since !== undefined && { since: momentOf(since).toISOString() }),
    ...(name && { name }),
    ...(cause && { cause }),
  }
}

const UNITS: Record<string, number> = { m: MINUTE, h: HOUR, d: DAY }

/** @throws UsageError */
function momentOf(text: string): Date {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  if (count) return new Date(Date.now() - Number(count) * Number(UNITS[unit]))
  const moment = parseISO(text, { in: tz(readTimeZone()) })
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || !isValid(moment)) {
    throw new UsageError(`"${text}" is not a time. Use 2026-11-20T09:00Z, or an age: 30m, 24h, 7d.`)
  }
  return new Date(moment)
}

function line(job: FailedJob, timeZone: string): string {
  const { id, name, purpose, attempts, finished_at, reason } = job
  const owner = subjectWords(subjectOf(job))
  const label = `${name} ${purpose}`.padEnd(19)
  return `${id}  ${formatOffsetTime(finished_at, timeZone)}  ${label} ${owner.padEnd(16)} attempts ${String(attempts).padEnd(2)}  ${reason}`
}

function account(job: LedgerJob, subject: Subject | null, timeZone: string): string {
  const whose = subjectWords(subject)
  const next = job.state === 'waiting' ? `, next try ${formatOffsetTime(job.next_attempt_at, timeZone)}` : ''
  return [
    `${job.id}  ${job.name} ${job.purpose}, run ${job.generation}, ${whose}: ${job.state}${next}`,
    ...job.attempt_log.map((attempt) => attemptLine(attempt, timeZone)),
    ...(job.last_error && job.attempt_log.at(-1)?.error !== job.last_error
      ? [said(job.last_error, job.last_detail)]
      : []),
    ...(job.advice ? [job.advice] : []),
  ].join('\n')
}

function attemptLine(attempt: JobAttempt, timeZone: string): string {
  const { started_at, duration_ms, outcome, status, error, detail, next_attempt_at } = attempt
  return [
    `  ${formatOffsetTime(started_at, timeZone)}`,
    outcome,
    duration_ms === null ? '' : `${duration_ms} ms`,
    status === null ? '' : `answer ${status}`,
    error ? said(error, detail) : '',
    next_attempt_at ? `next try ${formatOffsetTime(next_attempt_at, timeZone)}` : '',
  ]
    .filter(Boolean)
    .join('  ')
}

const said = (error: string, detail: string | null) => (detail ? `${error} Details: ${detail}` : error)

const text = { type: 'string' } as const

/** Runs `npm run jobs -- <given>`. Returns the exit code. */
export function jobsCommand(given: string[]): Promise<number> {
  return runCommand<Options>(given, {
    name: 'jobs',
    usage: USAGE,
    options: { 'failed-since': text, kind: text, cause: text, 'dry-run': { type: 'boolean' } },
    commands: COMMANDS,
    takesIds: true,
  })
}

if (isMain(import.meta.url)) process.exitCode = await jobsCommand(process.argv.slice(2))
