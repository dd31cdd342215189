import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allowedChanges } from '../../../core/sync/rules/sync-approval.ts'
import { clinicPost, failure, html, type ListAnswer, type TestPost } from '../../support/wordpress-server.ts'
import { useSyncSite } from './sync.ts'

const site = useSyncSite()

const POSTS = 24
const PAGE_SIZE = 4
const PAGES = Array.from({ length: POSTS / PAGE_SIZE }, (_, index) => index + 1)
const pages = { size: PAGE_SIZE, atOnce: 4 }
const RUNS = { numRuns: 5 }

/** What a site, or something before it, may do to a page. */
const FAULTS: Record<string, (answer: ListAnswer) => ListAnswer> = {
  'cut off in the middle': (answer) => ({ ...answer, body: answer.body.slice(0, answer.body.length / 2) }),
  'without its last posts': (answer) => withPosts(answer, (posts) => posts.slice(0, 1)),
  empty: (answer) => withPosts(answer, () => []),
  'with a post twice': (answer) => withPosts(answer, (posts) => [...posts, ...posts.slice(0, 1)]),
  'a web page': () => html(200),
  forbidden: () => failure(403, 'rest_forbidden'),
  'past the end': () => failure(400, 'rest_post_invalid_page_number'),
  'with another count': (answer) => ({ ...answer, headers: { ...answer.headers, 'x-wp-total': String(POSTS - 1) } }),
  'without a count': ({ status, body }) => ({ status, body, headers: {} }),
  'with posts in another order': (answer) => withPosts(answer, (posts) => posts.toReversed()),
  'with posts that are none': (answer) => withPosts(answer, (posts) => posts.map(() => null)),
  'not a list': (answer) => ({ ...answer, body: '{}' }),
}
const withPosts = (answer: ListAnswer, change: (posts: unknown[]) => unknown[]): ListAnswer => ({
  ...answer,
  body: JSON.stringify(change(JSON.parse(answer.body))),
})

/** After these the run is done: WordPress may count posts that it does not show, and nothing hangs on their order. */
const HARMLESS = ['without its last posts', 'empty', 'with posts in another order']

/** What may be said of a run that has failed; nothing else. */
const REASONS = [
  'The same post came twice, so another may be missing. Sync again.',
  'The number of posts changed while they were being read. Sync again when nobody is publishing.',
  ...PAGES.flatMap((page) =>
    [
      'WordPress answered with a web page instead of data. Check WORDPRESS_URL, and that its REST API is enabled.',
      'WordPress’s answer is not JSON.',
      'WordPress’s answer is not a list of posts.',
      'WordPress does not let us read the posts (403 rest_forbidden). Check WORDPRESS_USER and WORDPRESS_APP_PASSWORD.',
      'WordPress does not say how many posts there are: X-WP-Total is missing. A proxy in between may remove it.',
    ].map((reason) => `Page ${page} could not be read. ${reason}`),
  ),
].map((reason) => `${reason} Nothing was changed.`)

const fault = fc.constantFrom(...Object.keys(FAULTS))
/** Either faults, by page; or which page is sent for each: all of them in another order, or some twice, others never. */
type Trouble = { faults: Record<string, string> } | { sent: number[] }
const trouble: fc.Arbitrary<Trouble> = fc.oneof(
  fc.record({ faults: fc.dictionary(fc.constantFrom(...PAGES).map(String), fault, { minKeys: 1, maxKeys: 3 }) }),
  fc.record({ sent: fc.shuffledSubarray(PAGES, { minLength: PAGES.length }) }),
  fc.record({ sent: fc.array(fc.constantFrom(...PAGES), { minLength: PAGES.length, maxLength: PAGES.length }) }),
)
const isHarmless = (one: Trouble) =>
  'sent' in one
    ? new Set(one.sent).size === PAGES.length
    : Object.values(one.faults).every((name) => HARMLESS.includes(name))

/** The posts of each page while all is well, as they are sent. */
const bodies = new Map<number, string>()
const fill = () => {
  site.wordpress.intercept((page, answer) => {
    bodies.set(page, answer.body)
    return answer
  })
  site.wordpress.posts.splice(0, Infinity, ...Array.from({ length: POSTS }, (_, index) => clinicPost(index + 1)))
}
const breakPages = (one: Trouble) =>
  site.wordpress.intercept((page, answer) => {
    if ('sent' in one) return { ...answer, body: bodies.get(one.sent[page - 1] as number) as string }
    return FAULTS[one.faults[page] ?? '']?.(answer) ?? answer
  })
const isActive = ({ status }: { status: string }) => status === 't'

describe('whatever becomes of the pages', () => {
  it('no provider is deactivated whose post is there, however often it is tried', { timeout: 120_000 }, async () => {
    fill()
    await site.sync({ pages })
    await fc.assert(
      fc.asyncProperty(fc.array(trouble, { minLength: 3, maxLength: 4 }), async (runs) => {
        for (const one of runs) {
          breakPages(one)
          await site.sync({ pages, approves: 'all' })
        }
        expect((await site.providers()).filter(isActive)).toHaveLength(POSTS)
      }),
      RUNS,
    )
  })

  it('a run fails, says why and changes nothing, unless what it has read is true', { timeout: 120_000 }, async () => {
    fill()
    await site.sync({ pages })
    await fc.assert(
      fc.asyncProperty(trouble, fc.nat(), async (one, phone) => {
        site.wordpress.posts.splice(3, 1, clinicPost(4, {}, { phone: String(phone) }))
        breakPages(one)
        const before = await site.providers()
        const run = await site.sync({ pages })
        if (isHarmless(one)) {
          expect(run).toMatchObject({ state: 'done', counts: { created: 0, deactivated: 0, missing: 0 } })
          return
        }
        expect(run.state).toBe('failed')
        expect(REASONS).toContain(run.error)
        expect(await site.providers()).toEqual(before)
      }),
      RUNS,
    )
  })
})

describe('whatever becomes of the posts', () => {
  const change = fc.record({
    id: fc.integer({ min: 1, max: POSTS + 4 }),
    how: fc.constantFrom('removed', 'inactive', 'active', 'unusable', 'unreadable', 'changed'),
  })
  const apply = (posts: TestPost[], { id, how }: { id: number; how: string }) => {
    const index = posts.findIndex((post) => post.id === id)
    if (how === 'removed') return index < 0 ? undefined : void posts.splice(index, 1)
    const fields = { inactive: { active: false }, unusable: { email: 'nonsense' }, changed: { phone: `${id}` } }[how]
    const next = clinicPost(id, { isUnreadable: how === 'unreadable' }, fields)
    if (index < 0) posts.push(next)
    else posts[index] = next
  }

  it('no more are deactivated at once than may be, and only those that are inactive or were long gone', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { maxLength: 8 }), { minLength: 1, maxLength: 6 }), async (runs) => {
        await site.db('providers').delete()
        fill()
        await site.sync({ pages })
        const missedBy = new Map<number, number>()
        for (const changes of runs) {
          for (const one of changes) apply(site.wordpress.posts, one)
          const before = await site.providers()
          const run = await site.sync({ pages })
          expect(['done', 'needs_approval']).toContain(run.state)
          const after = await site.providers()
          const activeBefore = before.filter(isActive)
          const gone = activeBefore.filter(({ id }) => !after.some((row) => row.id === id && isActive(row)))
          expect(gone.length).toBeLessThanOrEqual(allowedChanges(activeBefore.length))
          expect(gone).toHaveLength(run.state === 'done' ? run.counts.deactivated : 0)

          for (const { wordpress_id } of before) {
            const isThere = site.wordpress.posts.some(({ id }) => id === wordpress_id)
            if (run.state === 'done') missedBy.set(wordpress_id, isThere ? 0 : (missedBy.get(wordpress_id) ?? 0) + 1)
          }
          for (const { wordpress_id } of gone) {
            const post = site.wordpress.posts.find(({ id }) => id === wordpress_id)
            if (post) expect(post.acf).toMatchObject({ active: false })
            else expect(missedBy.get(wordpress_id)).toBeGreaterThanOrEqual(3)
          }
        }
      }),
      RUNS,
    )
  })
})
