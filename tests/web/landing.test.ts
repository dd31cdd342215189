import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { brand } from '../../core/brand/brand.ts'
import { clinicTexts } from '../../core/brand/clinic-texts.ts'
import { texts } from '../../core/brand/texts.ts'

const publicFile = (path: string) => new URL(`../../web/public${path}`, import.meta.url)

describe('what the landing page shows', () => {
  it('has eight partner logos', () => expect(brand.partners).toHaveLength(8))

  it.each([...brand.partners, ...brand.financingPartners])('knows the size of the logo of $name', (partner) => {
    const svg = readFileSync(publicFile(partner.logo), 'utf8')
    expect(svg).toContain(`width="${partner.width}" height="${partner.height}"`)
    expect(svg).toContain(`<title>${partner.name}</title>`)
  })

  it.each([brand.creator.portrait, clinicTexts.certifiedProvider.portrait, '/art/doctor.svg'])(
    'has an engraving of at most 25 KB: %s',
    (portrait) => expect(gzipSync(readFileSync(publicFile(portrait))).length).toBeLessThan(25 * 1024),
  )

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

  it('draws each element of the program once', () => {
    const drawings = texts.elements.map(({ drawing }) => drawing)
    expect(new Set(drawings).size).toBe(drawings.length)
  })

  it('puts the visits at equal distances on the months of the study, which the page draws so', () => {
    const months = texts.course.visits.map(({ month }) => month)
    expect(months).toEqual([0, 1, 2, 3].map((third) => (third * brand.study.months) / 3))
  })

  it('promises nothing free for a clinic where the consultation is not', () => {
    const said = (isFree: boolean) => {
      const clinic = { name: 'Quill Clinic', isFree }
      return JSON.stringify([texts.steps(clinic), texts.firstVisit(clinic), texts.course, texts.discretion])
    }
    expect(said(true)).toMatch(/free/i)
    expect(said(false)).not.toMatch(/free/i)
  })
})
