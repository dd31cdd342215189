import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { brand } from '../../core/brand/brand.ts'
import { texts } from '../../core/brand/texts.ts'

const publicFile = (path: string) => new URL(`../../web/public${path}`, import.meta.url)

describe('what the landing page shows', () => {
  it('has eight partner logos', () => expect(brand.partners).toHaveLength(8))

  it.each([...brand.partners, ...brand.financingPartners])('knows the size of the logo of $name', (partner) => {
    const svg = readFileSync(publicFile(partner.logo), 'utf8')
    expect(svg).toContain(`width="${partner.width}" height="${partner.height}"`)
    expect(svg).toContain(`<title>${partner.name}</title>`)
  })

  it('has a portrait of the creator', () => expect(existsSync(publicFile(brand.creator.portrait))).toBe(true))

  it('answers five questions, and says what may be expected', () => {
    const questions = texts.questions()
    expect(questions).toHaveLength(5)
    const text = questions.map(({ answer }) => answer).join(' ')
    expect(text).toContain('vacuum therapy, injections, stretching exercises and supplements')
    expect(text).toContain('nearly an inch in length and half an inch in girth')
    expect(text).toContain('results vary')
  })

  it('loads a light picture in the hero', () => {
    expect(readFileSync(publicFile('/art/hero.svg')).length).toBeLessThan(15 * 1024)
  })
})
