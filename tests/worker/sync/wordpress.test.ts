import { describe, expect, it } from 'vitest'
import { clinicPost, failure } from '../../support/wordpress-server.ts'
import { useReads } from './reads.ts'

const reads = useReads()
const { client, onPage, readAll, start } = reads

describe('reading posts', () => {
  it.each(['pretty', 'plain'] as const)('reads every page with %s links, each once', async (permalinks) => {
    await start({ permalinks })
    expect(await readAll()).toEqual({ total: 250, ids: Array.from({ length: 250 }, (_, index) => index + 1) })
    const asked = reads.wordpress.requests.filter(({ searchParams }) => searchParams.get('_embed'))
    expect(asked).toHaveLength(permalinks === 'pretty' ? 3 : 4)
    expect(asked.at(-1)?.searchParams.get('per_page')).toBe('100')
  })

  it('reads a site without posts', async () => {
    await start({}, 0)
    expect(await readAll()).toEqual({ total: 0, ids: [] })
  })

  it('asks for no more pages at once than configured, and for as many posts', async () => {
    await start({}, 60)
    reads.wordpress.intercept(async (_page, answer) => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      return answer
    })
    const { ids } = await readAll({}, undefined, { size: 5, atOnce: 3 })
    expect(ids).toHaveLength(60)
    expect(reads.wordpress.mostAtOnce()).toBe(3)
  })

  it('reads drafts, too, where the settings say so and the user may', async () => {
    await start({ user: 'leadwell', password: 'abcd efgh' }, 2)
    reads.wordpress.posts.push(clinicPost(9, { status: 'draft' }))
    const account = { WORDPRESS_USER: 'leadwell', WORDPRESS_APP_PASSWORD: 'abcd efgh' }
    expect((await readAll(account)).ids).toEqual([1, 2])
    expect((await readAll({ ...account, WORDPRESS_POST_STATUS: 'publish,draft' })).ids).toEqual([1, 2, 9])
  })

  it('tries again what failed for a moment, and waits as long as it is asked to', async () => {
    await start()
    const failures = [failure(503, 'busy', { 'retry-after': '0' }), failure(429, 'slow_down')]
    onPage(2, (answer) => failures.pop() ?? answer)
    expect((await readAll()).ids).toHaveLength(250)
  })

  it('follows redirects on the same host', async () => {
    await start()
    onPage(1, (answer) => {
      const last = reads.wordpress.requests.at(-1)
      if (last?.searchParams.has('moved')) return answer
      return { status: 301, headers: { location: `${last?.pathname}${last?.search}&moved=1` }, body: '' }
    })
    expect((await readAll()).ids).toHaveLength(250)
  })
})

describe('asking which posts are gone', () => {
  it('distinguishes removed posts from unreadable ones', async () => {
    await start({}, 300)
    const hidden = [7, 150, 151]
    for (const post of reads.wordpress.posts) post.isUnreadable = hidden.includes(post.id)
    const draft = reads.wordpress.posts.find(({ id }) => id === 20)
    if (draft) draft.status = 'draft'
    const asked = [...hidden, 20, ...Array.from({ length: 120 }, (_, index) => 1000 + index)]
    const gone = await client().findRemoved(asked)
    expect(gone.toSorted((a, b) => a - b)).toEqual(asked.filter((id) => !hidden.includes(id)).toSorted((a, b) => a - b))
  })

  it('believes nothing of a site that does not understand the question', async () => {
    await start({}, 300)
    reads.wordpress.intercept((_page, answer) => ({ ...answer, headers: { ...answer.headers, 'x-wp-total': '300' } }))
    expect(await client().findRemoved([1000, 1001])).toEqual([])
  })
})
