import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { asTyped, isMain } from '../../core/cli/command-line.ts'
import { SECOND } from '../../core/contract/time.ts'
import { readGivenDataKey, readSyncEnv, type SyncEnv } from '../../core/env.ts'
import { type Db, openDb } from '../../core/platform/db.ts'
import { createLog } from '../../core/platform/log.ts'
import { guardDatabase } from '../../core/platform/migrations.ts'
import { SettingsError } from '../../core/settings/read-settings.ts'
import type { SyncRun } from '../../core/sync/contract/sync.ts'
import { DEFAULT_MAPPING, type Mapped, type Mapping } from '../../core/sync/rules/wordpress-mapping.ts'
import { type BegunRun, beginSync, cancelCommandSync, failSync, isAbandoned, startSync } from '../../core/sync/runs.ts'
import * as syncRuns from '../../core/sync/stores/sync-runs.ts'
import { findValue, mapPost, neededMembers, type Post, titleOf } from './mapping.ts'
import { WordPressError } from './request.ts'
import { performRun } from './run.ts'
import { createWordPress, type WordPressSettings } from './wordpress.ts'

const POSTS = 3
const WIDTH = 27

/** Describes the first posts as the mapping reads them: each field with its value and the path where it was found. */
export async function preview(settings: WordPressSettings & { WORDPRESS_FIELDS?: Partial<Mapping> }): Promise<string> {
  const { WORDPRESS_URL: site, WORDPRESS_FIELDS: mapping } = settings
  const posts = await createWordPress(settings).readFirst({ members: neededMembers(mapping) })
  if (posts.length === 0) return 'WordPress has no posts of this type.'
  return posts
    .slice(0, POSTS)
    .map((post) => previewOf(post as Post, { site, mapping }))
    .join('\n\n')
}

function previewOf(post: Post, { site, mapping }: { site: string; mapping?: Partial<Mapping> }): string {
  const paths = { ...DEFAULT_MAPPING, ...mapping }
  const { wordpressId, isActive, fields, problems } = mapPost(post, { site, mapping })
  const used = new Set<string>()
  const lines = Object.entries(paths).map(([field, candidates]) => {
    const found = findValue(post, field as Mapped, candidates)
    if (!found) return `  ${field.padEnd(WIDTH)}(not in the post; looked at ${candidates.join(', ') || 'nothing'})`
    used.add(found.path)
    const value = field === 'active' ? isActive : fields[field as keyof typeof fields]
    return `  ${field.padEnd(WIDTH)}${JSON.stringify(value ?? null)}  from ${found.path}`
  })
  const others = ownPaths(post).filter((path) => !used.has(path))
  return [
    `Post ${wordpressId}, “${titleOf(post)}”${problems.length > 0 ? ': would be skipped' : ''}`,
    ...problems.map((problem) => `  ! ${problem}`),
    ...lines,
    others.length > 0 ? `  not used: ${others.join(', ')}` : '  Everything in acf and meta is used.',
  ].join('\n')
}

function ownPaths(post: Post): string[] {
  return ['acf', 'meta'].flatMap((place) => {
    const fields = post[place]
    if (typeof fields !== 'object' || fields === null) return []
    return Object.keys(fields).map((name) => `${place}.${name}`)
  })
}

const USAGE = `Reads the providers from WordPress into the database of DATABASE_URL, once, and prints one line.

  npm run sync                                   exit code 0: synced; 1: nothing was changed; 3: needs approval
  npm run sync -- --dry-run                      says what would change, and changes nothing
  npm run sync -- --allow-mass-deactivation      also when more than a tenth of the providers would be deactivated;
                                                 many new email addresses and the like are approved in the dashboard
  npm run sync -- --preview                      shows what the mapping makes of the first posts

The settings are WORDPRESS_URL and the others that begin with WORDPRESS_.`

const EXIT = { done: 0, failed: 1, needs_approval: 3 } as const
const NOT_UNDERSTOOD = 2
const STOPPED = 'The command was stopped. Nothing was changed.'

/** Runs `npm run sync -- <given>` and returns the exit code. */
export async function syncCommand(given: string[], stopSignal = stopOnSignals): Promise<number> {
  let db: Db | undefined
  try {
    const options = readArguments(given)
    if (!options) {
      console.error(`That was not understood.\n\n${asTyped(USAGE)}`)
      return NOT_UNDERSTOOD
    }
    if (options.help) {
      console.log(asTyped(USAGE))
      return 0
    }
    const env = readSyncEnv()
    if (!env.WORDPRESS_URL) throw new SettingsError('WordPress is not configured: set WORDPRESS_URL.')
    if (options.preview) {
      console.log(await preview({ ...env, WORDPRESS_URL: env.WORDPRESS_URL }))
      return 0
    }
    db = openDb(env.DATABASE_URL, { poolSize: 3, name: 'leadwell-sync', onConnect: guardDatabase(readGivenDataKey()) })
    // First, so that a signal during the start of the run ends it too.
    const run = await sync(db, env, stopSignal(), {
      dryRun: options['dry-run'],
      approves: options['allow-mass-deactivation'] ? 'all' : undefined,
    })
    const print = run.state === 'done' ? console.log : console.error
    print(lineOf(run))
    return EXIT[run.state as keyof typeof EXIT] ?? EXIT.failed
  } catch (error) {
    const { message } = error as Error
    const isPlain = error instanceof SettingsError || error instanceof WordPressError
    console.error(isPlain ? message : `The sync could not be run: ${message || String(error)}`)
    return EXIT.failed
  } finally {
    await db?.destroy()
  }
}

/**
 * Starts a run or joins the open one, works on it unless another worker does, and waits for its end. Ctrl+C or SIGTERM
 * ends a run that this command started, and leaves a joined run to others. A second signal ends the process.
 */
async function sync(
  db: Db,
  env: SyncEnv,
  stopped: AbortSignal,
  { dryRun = false, approves }: { dryRun?: boolean; approves?: 'all' },
): Promise<SyncRun> {
  const log = createLog('sync', 'silent')
  const id = await startSync(db, { trigger: 'command', actor: 'command line', dryRun, approves })
  for (;;) {
    // Read once: a signal that comes during the queries below must end the run in the next round.
    const isStopped = stopped.aborted
    if (isStopped) await cancelCommandSync(db, id as number, STOPPED)
    const run = await syncRuns.get(db, id as number)
    if (run.finished_at === null && isStopped) return run
    if (run.finished_at !== null) {
      // A joined run did not know of the approval.
      const isAgain = run.state === 'needs_approval' && approves === 'all'
      return isAgain ? sync(db, env, stopped, { dryRun, approves }) : run
    }
    const isFree = run.state === 'waiting' || (await isAbandoned(db, id as number))
    const begun = isFree ? await beginSync(db, id as number) : 'busy'
    const onStop = run.trigger === 'command' ? (_: Db, own: BegunRun) => failSync(db, own, STOPPED) : undefined
    if (typeof begun === 'object') await performRun(begun, { env, db, log }, stopped, onStop)
    else await sleep(SECOND / 2)
  }
}

function stopOnSignals(): AbortSignal {
  const stopped = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort())
  return stopped.signal
}

function lineOf({ id, state, dry_run, counts, leads_queued, old_leads, error, finished_at }: SyncRun): string {
  if (finished_at === null) return `Sync ${id} continues without this command.`
  if (state !== 'done') return `Sync ${id}: ${error}`
  const { seen, created, updated, deactivated, reactivated, unchanged, skipped, missing } = counts
  const what = `${seen} posts seen: ${created} created, ${updated} updated, ${deactivated} deactivated, ${reactivated} reactivated, ${unchanged} unchanged, ${skipped} skipped, ${missing} missing`
  const old =
    old_leads > 0 ? ` ${old_leads} older ones have a provider in reach: staff match them in the dashboard.` : ''
  return dry_run
    ? `Dry run ${id}, nothing was changed. ${what}.`
    : `Sync ${id}: ${what}; ${leads_queued} waiting leads are matched again.${old}`
}

function readArguments(args: string[]) {
  const flag = { type: 'boolean' } as const
  try {
    return parseArgs({
      args,
      options: { 'dry-run': flag, 'allow-mass-deactivation': flag, preview: flag, help: flag },
    }).values
  } catch {
    return null
  }
}

if (isMain(import.meta.url)) process.exitCode = await syncCommand(process.argv.slice(2))
