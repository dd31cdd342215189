import { MINUTE, SECOND } from '../../core/contract/time.ts'
import type { SyncEnv } from '../../core/env.ts'
import type { Db } from '../../core/platform/db.ts'
import type { Logger } from '../../core/platform/log.ts'
import type { SkippedPost } from '../../core/sync/contract/sync.ts'
import type { PostedProvider, WordPressPosts } from '../../core/sync/rules/wordpress-mapping.ts'
import {
  applySync,
  type BegunRun,
  failSync,
  handBackSync,
  LostRun,
  type Progress,
  recordProgress,
} from '../../core/sync/runs.ts'
import * as providerSync from '../../core/sync/stores/provider-sync.ts'
import { mapPost, neededMembers, titleOf } from './mapping.ts'
import { LIMITS, WordPressError } from './request.ts'
import { createWordPress, type Pages, type WordPress } from './wordpress.ts'

type SyncServices = {
  env: SyncEnv
  db: Db
  log: Logger
  /** The time limit for reading all posts, in milliseconds. Tests shorten it. */
  deadline?: number
  /** How the posts are read, if not as usual. */
  pages?: Pages
}

/** The interval between two heartbeats of a run. */
const HEARTBEAT_INTERVAL = SECOND

/** Longer than a hundred pages at the limit of a page, four at a time. */
const DEADLINE = 10 * MINUTE

/**
 * Performs a begun run and records its result. When the worker stops, the run is handed back.
 * @returns whether the run has ended here; false when it was handed back, or another worker has taken it over
 * @throws Error when the result cannot be recorded; the job of the run is then retried
 */
export async function performRun(run: BegunRun, services: SyncServices, stopped?: AbortSignal): Promise<boolean> {
  const { db, log } = services
  const started = performance.now()
  const progress: Progress = { pagesDone: 0, pagesTotal: null }
  const lost = new AbortController()
  const beating = setInterval(() => {
    recordProgress(db, run, progress).catch((error: Error) => {
      if (error instanceof LostRun) lost.abort(error)
    })
  }, HEARTBEAT_INTERVAL)
  const line = { syncId: run.id, attempt: run.attempt, dryRun: run.dryRun }
  try {
    const reading = await readInTime(services, progress, AbortSignal.any([lost.signal, ...(stopped ? [stopped] : [])]))
    const { MATCH_RADIUS_MILES: radiusMiles, MAIN_DOMAIN: mainDomain } = services.env
    const { state, plan } = await applySync(db, run, reading, {
      ...progress,
      radiusMiles,
      mainDomain,
    })
    log.info({ ...line, state, ...plan.counts, ms: Math.round(performance.now() - started) }, 'sync')
    return true
  } catch (error) {
    if (lost.signal.aborted || error instanceof LostRun) {
      log.warn(line, 'sync taken over by another worker')
      return false
    } else if (stopped?.aborted) {
      await handBackSync(db, run)
      log.info({ ...line, state: 'stopped' }, 'sync')
      return false
    } else {
      await end(run, error as Error, services)
      log.warn({ ...line, state: 'failed', reason: (error as Error).message }, 'sync')
      return true
    }
  } finally {
    clearInterval(beating)
  }
}

async function end(run: BegunRun, error: Error, { db, log }: SyncServices): Promise<void> {
  if (error instanceof WordPressError) return failSync(db, run, `${error.message} Nothing was changed.`)
  log.error({ syncId: run.id, err: error }, 'sync failed with an internal error')
  await failSync(db, run, 'Something went wrong on our side. Nothing was changed.')
}

/** Bounds the time of a run, so that the next one can start. */
async function readInTime(services: SyncServices, progress: Progress, signal: AbortSignal): Promise<WordPressPosts> {
  const { deadline = DEADLINE } = services
  const late = AbortSignal.timeout(deadline)
  try {
    return await readPosts(services, progress, AbortSignal.any([signal, late]))
  } catch (error) {
    if (!late.aborted || signal.aborted) throw error
    throw new WordPressError(`The posts could not be read within ${deadline / MINUTE} minutes.`, { cause: error })
  }
}

/** Reads and maps every page. Keeps only the mapped fields, so memory grows with the providers and not the posts. */
async function readPosts(
  { env, db, pages: sizes }: Pick<SyncServices, 'env' | 'db' | 'pages'>,
  progress: Progress,
  signal: AbortSignal,
): Promise<WordPressPosts> {
  const { WORDPRESS_URL: site, WORDPRESS_FIELDS: mapping } = env
  if (!site) throw new WordPressError('WordPress is not configured: WORDPRESS_URL is not set.')
  const wordpress = createWordPress({ ...env, WORDPRESS_URL: site }, LIMITS, sizes)
  const pages: PostedProvider[][] = []
  const unusable: SkippedPost[] = []
  let seen = 0

  const { total } = await wordpress.readAll({
    members: neededMembers(mapping),
    signal,
    onPage(posts, index, count) {
      seen += posts.length
      pages[index] = posts.flatMap((post) => {
        try {
          return [mapPost(post, { site, mapping })]
        } catch (error) {
          unusable.push({ wordpress_id: null, title: titleOf(post), reason: (error as Error).message })
          return []
        }
      })
      progress.pagesDone += 1
      progress.pagesTotal = count
    },
  })
  const posts = pages.flat()
  const unreadable = total - seen
  return { posts, unusable, unreadable, removed: await findRemoved(posts, wordpress, db, signal) }
}

/** A missing post is no proof of removal: it may be hidden from us, or have moved between pages meanwhile. */
async function findRemoved(
  posts: PostedProvider[],
  wordpress: WordPress,
  db: Db,
  signal: AbortSignal,
): Promise<Set<number>> {
  const read = new Set(posts.map(({ wordpressId }) => wordpressId))
  const absent = (await providerSync.publishedPosts(db)).filter((id) => !read.has(id))
  return new Set(await wordpress.findRemoved(absent, signal))
}
