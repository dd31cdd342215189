import { afterEach } from 'vitest'
import { LIMITS, type Limits } from '../../../worker/sync/request.ts'
import { createWordPress, type Pages, type WordPress } from '../../../worker/sync/wordpress.ts'
import {
  clinicPost,
  type ListAnswer,
  startWordPress,
  type TestWordPress,
  type WordPressOptions,
} from '../../support/wordpress-server.ts'
import { syncEnv } from './sync.ts'

const QUICK: Limits = { ...LIMITS, deadline: 500, largestAnswer: 500_000, firstPause: 1, longestPause: 50 }
export const MEMBERS = ['id', 'title', 'acf']

type Settings = Record<string, string>

/** Reads posts of WordPress sites, which end with each test. `wordpress` is the one that was started last. */
export function useReads() {
  const open: TestWordPress[] = []
  let wordpress: TestWordPress
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => server.close()))
  })

  async function start(options: WordPressOptions = {}, posts = 250): Promise<void> {
    wordpress = await startWordPress(options)
    open.push(wordpress)
    wordpress.posts.push(...Array.from({ length: posts }, (_, index) => clinicPost(index + 1)))
  }

  function client(settings: Settings = {}, url = wordpress.url, pages?: Pages): WordPress {
    return createWordPress({ ...syncEnv(url, settings), WORDPRESS_URL: url }, QUICK, pages)
  }

  /** Reads everything. Returns the ids, in order. */
  async function readAll(settings: Settings = {}, url?: string, sizes?: Pages) {
    const pages: unknown[][] = []
    const { total } = await client(settings, url, sizes).readAll({
      members: MEMBERS,
      onPage: (posts, index) => {
        pages[index] = posts
      },
    })
    return { total, ids: pages.flat().map((post) => (post as { id: number }).id) }
  }

  function onPage(wanted: number, change: (answer: ListAnswer) => ListAnswer | null | undefined): void {
    wordpress.intercept((page, answer) => (page === wanted ? change(answer) : answer))
  }

  return {
    start,
    client,
    readAll,
    onPage,
    get wordpress() {
      return wordpress
    },
  }
}
