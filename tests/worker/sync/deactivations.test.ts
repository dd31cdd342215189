import { describe, expect, it } from 'vitest'
import { clinicPost } from '../../support/wordpress-server.ts'
import { useSyncSite } from './sync.ts'

const site = useSyncSite()
const many = (count: number, from = 1) => Array.from({ length: count }, (_, index) => clinicPost(from + index))
const active = async () => (await site.providers()).filter(({ status }) => status === 't').length
/** Versions of rows: one that was written is another. */
const versions = async () => {
  const { rows } = await site.db.raw('select id, xmin::text, ctid::text from providers order by id')
  return rows
}

describe('many deactivations at once', () => {
  const deactivate = (count: number) => {
    for (let index = 0; index < count; index++)
      site.wordpress.posts[index] = clinicPost(index + 1, {}, { active: false })
  }

  it.each([
    [10, 3],
    [50, 5],
  ])('of %i providers: %i are deactivated, one more needs approval', async (count, allowed) => {
    site.wordpress.posts.push(...many(count))
    await site.sync()
    deactivate(allowed)
    expect(await site.sync()).toMatchObject({
      state: 'done',
      approval_reasons: [],
      counts: { deactivated: allowed },
    })
    await site.db('providers').update({ status: 't' })
    deactivate(allowed + 1)
    site.wordpress.posts.push(clinicPost(count + 1))
    const before = await versions()
    const refused = await site.sync()
    expect(refused).toMatchObject({
      state: 'needs_approval',
      approval_reasons: [{ kind: 'deactivate', count: allowed + 1 }],
      can_be_approved: true,
      counts: { deactivated: allowed + 1, created: 1 },
      error: `${allowed + 1} providers would be deactivated at once, which is more than ${allowed}. Nothing was changed: a manager must approve it first.`,
    })
    expect(refused.changes.filter(({ kind }) => kind === 'deactivate')).toHaveLength(allowed + 1)
    expect(await versions()).toEqual(before)
  })

  it('are done once they are approved, but not others with them', async () => {
    site.wordpress.posts.push(...many(20))
    await site.sync()
    deactivate(5)
    const refused = await site.sync()
    deactivate(10)
    const other = await site.sync({ approves: refused.id })
    expect(other).toMatchObject({ state: 'needs_approval', approves: refused.id, can_be_approved: true })
    expect(await active()).toBe(20)
    const done = await site.sync({ approves: other.id })
    expect(done).toMatchObject({ state: 'done', counts: { deactivated: 10 }, can_be_approved: false })
    expect(await active()).toBe(10)
  })

  it('are done for whoever allows them beforehand', async () => {
    site.wordpress.posts.push(...many(20))
    await site.sync()
    deactivate(20)
    expect(await site.sync({ approves: 'all' })).toMatchObject({ state: 'done', counts: { deactivated: 20 } })
  })
})
