import { describe, expect, it } from 'vitest'
import { type KnownProvider, planSync } from '../../../../core/sync/rules/sync-plan.ts'
import type { PostedProvider } from '../../../../core/sync/rules/wordpress-mapping.ts'
import { FIELDS, post, provider, reading } from '../../../support/sync-plan.ts'

/** Providers of the ids 1, 2, 3 and so on, with these domains. */
const known = (...domains: (string | null)[]) =>
  domains.map((domain, index) => provider(index + 1, { wordpressId: index + 1, domain }))
/** Posts of the same ids, with these domains; undefined where there is no such post. */
const posts = (...domains: (string | null | undefined)[]) =>
  domains.flatMap((domain, index) =>
    domain === undefined ? [] : [post(index + 1, { domain }, { wordpressId: index + 1 })],
  )

/** What becomes of the domains: of the creations and updates by the id of the post, and the reasons of what is skipped. */
function plan(before: KnownProvider[], after: PostedProvider[], foreignDomains: string[] = []) {
  const { creations, updates, skipped } = planSync(before, reading(after), foreignDomains)
  const moved = Object.fromEntries([
    ...creations.map(({ wordpressId, fields: { domain } }) => [wordpressId, domain]),
    ...updates.map(({ id, fields: { domain } }) => [id, domain]),
  ])
  return { moved, refused: Object.fromEntries(skipped.map(({ wordpress_id: id, reason }) => [id, reason])) }
}
const taken = (domain: string) => `The domain ${domain} belongs to another provider.`

describe('a domain', () => {
  it('of the main site is refused, and so are the domains above it and names like mail. below these', () => {
    const own = ['leadwell.example', 'www.leadwell.example', 'mail.leadwell.example']
    const { creations, skipped } = planSync(
      known('kept.example'),
      reading(posts(own[0], own[1], own[2], 'austin.leadwell.example')),
      [],
      'www.leadwell.example',
    )
    expect(skipped.map(({ reason }) => reason)).toEqual(
      own.map((domain) => `The domain ${domain} is reserved for the main site.`),
    )
    expect(creations.map(({ fields: { domain } }) => domain)).toEqual(['austin.leadwell.example'])
  })

  it('goes to the provider whose post has it', () => {
    expect(plan(known(null), posts('a.example'))).toEqual({ moved: { 1: 'a.example' }, refused: {} })
    expect(plan([], posts('a.example', 'b.example'))).toEqual({
      moved: { 1: 'a.example', 2: 'b.example' },
      refused: {},
    })
  })

  it('that is kept is no conflict with itself', () => {
    expect(plan(known('a.example'), posts('a.example'))).toEqual({ moved: {}, refused: {} })
  })

  it('that stands in capital letters in the database is the same', () => {
    expect(plan(known('A.Example'), posts('a.example'))).toEqual({ moved: { 1: 'a.example' }, refused: {} })
    expect(plan(known('A.Example'), posts(undefined, 'a.example')).refused).toEqual({ 2: taken('a.example') })
  })

  it('is refused while another provider keeps it', () => {
    expect(plan(known('a.example', 'b.example'), posts('a.example', 'a.example'))).toEqual({
      moved: {},
      refused: { 2: taken('a.example') },
    })
  })

  it('is refused while a provider has it whose post was not read', () => {
    expect(plan(known('a.example'), posts(undefined, 'a.example')).refused).toEqual({ 2: taken('a.example') })
  })

  it('is refused when a provider has it that did not come from WordPress', () => {
    expect(plan(known(null), posts('a.example'), ['a.example']).refused).toEqual({ 1: taken('a.example') })
  })

  it('is refused to the second of two new posts', () => {
    expect(plan([], posts('a.example', 'a.example'))).toEqual({
      moved: { 1: 'a.example' },
      refused: { 2: taken('a.example') },
    })
  })

  it('is no conflict among posts that have none', () => {
    expect(plan(known(null), posts(null, null, null)).refused).toEqual({})
  })

  it('can be taken in the same run in which its provider gives it up', () => {
    expect(plan(known('a.example', null), posts('b.example', 'a.example'))).toEqual({
      moved: { 1: 'b.example', 2: 'a.example' },
      refused: {},
    })
    expect(plan(known('a.example', null), posts(null, 'a.example'))).toEqual({
      moved: { 1: null, 2: 'a.example' },
      refused: {},
    })
  })

  it('can be exchanged with another', () => {
    expect(plan(known('a.example', 'b.example'), posts('b.example', 'a.example'))).toEqual({
      moved: { 1: 'b.example', 2: 'a.example' },
      refused: {},
    })
  })

  it('is not free when the post that would give it up is refused, and so on', () => {
    const before = known('a.example', 'b.example', 'c.example')
    // 1 wants what is foreign, so it keeps a; 2 wants a, so it keeps b; 3 wants b.
    expect(plan(before, posts('foreign.example', 'a.example', 'b.example'), ['foreign.example'])).toEqual({
      moved: {},
      refused: { 1: taken('foreign.example'), 2: taken('a.example'), 3: taken('b.example') },
    })
  })

  it('of a post that cannot be used stays where it is', () => {
    const [broken, other] = posts('b.example', 'a.example') as [PostedProvider, PostedProvider]
    const after = [{ ...broken, problems: ['One.'] }, other]
    expect(plan(known('a.example', null), after)).toEqual({
      moved: {},
      refused: { 1: 'One.', 2: taken('a.example') },
    })
    // What a post wants that cannot be used is free for others.
    expect(
      plan(known(null, null), [
        { ...broken, problems: ['One.'] },
        { ...other, fields: { ...FIELDS, domain: 'b.example' } },
      ]),
    ).toEqual({
      moved: { 2: 'b.example' },
      refused: { 1: 'One.' },
    })
  })
})
