import { describe, expect, it } from 'vitest'
import { brand } from '../../core/brand/brand.ts'
import { policies } from '../../web/site/legal/policies.ts'
import { blocksOf } from '../../web/site/legal/policy.ts'

describe('the policies', () => {
  it('have the sections that were agreed', async () => {
    const [terms, privacy, refunds] = await Promise.all([
      policies.terms.load(),
      policies.privacy.load(),
      policies.refunds.load(),
    ])

    expect(privacy.sections).toHaveLength(8)
    expect(terms.sections).toHaveLength(10)
    expect(terms.updated).toBe('February 2025')
    expect(refunds.updated).toBeUndefined()
  })

  it.each(Object.values(policies))('$title: sections apart, and a way to reach us', async ({ load }) => {
    const { sections } = await load()
    const contact = sections.at(-1)?.text

    expect(new Set(sections.map(({ id }) => id)).size).toBe(sections.length)
    expect(contact).toContain(brand.email)
    expect(contact).toContain(brand.phone)
    expect(contact).toContain(`${brand.legalName}, ${brand.postalAddress}`)
  })
})

describe('a text', () => {
  it('is split by line, its list items together', () => {
    expect(blocksOf('\nOne.\n*Two.* And more.\n- a\n- b\nThree.')).toEqual([
      { kind: 'paragraph', text: 'One.' },
      { kind: 'paragraph', label: 'Two.', text: 'And more.' },
      { kind: 'list', items: ['a', 'b'] },
      { kind: 'paragraph', text: 'Three.' },
    ])
  })
})
