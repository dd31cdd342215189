import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { blocksOf } from '../../web/site/legal/policy-text.tsx'
import { inches, measures, moveBySteps, toStep } from '../../web/site/size-calculator/size-calculator.tsx'

const publicFile = (path: string) => readFileSync(new URL(`../../web/public${path}`, import.meta.url))

it('a text is split by line, its list items together', () => {
  expect(blocksOf('\nOne.\n*Two.* And more.\n- a\n- b\nThree.')).toEqual([
    { kind: 'paragraph', text: 'One.' },
    { kind: 'paragraph', label: 'Two.', text: 'And more.' },
    { kind: 'list', items: ['a', 'b'] },
    { kind: 'paragraph', text: 'Three.' },
  ])
})

describe('the size calculator', () => {
  const { length, girth } = measures

  it('projects the gain of the study, exact on every step', () => {
    const projected = ({ initial, gain }: typeof length | typeof girth) => [inches(initial), inches(initial + gain)]
    expect([projected(length), projected(girth)]).toEqual([
      ['5.16', '6.20'],
      ['4.59', '5.13'],
    ])
    for (let tenths = 30; tenths <= 70; tenths++) {
      const hundredths = tenths * 10 + 54
      expect(inches(tenths / 10 + girth.gain)).toBe(`${Math.floor(hundredths / 100)}.${String(hundredths).slice(1)}`)
    }
  })

  it.each([
    [5.16, 1, 5.2],
    [5.16, -1, 5.1],
    [4.59, 5, 5],
    [5.2, 1, 5.3],
    [7.9, 5, 8],
    [3, -1, 3],
  ])('moves from %d by %d steps to %d', (value, steps, end) => expect(moveBySteps(value, steps, length)).toBe(end))

  it('rounds where the pointer is to the step', () => expect([5.2499, 6.27].map(toStep)).toEqual([5.2, 6.3]))
})

it('the mark in emails is the drawing of the favicon, as the kind of picture that each mail program shows', async () => {
  const file = publicFile('/art/mark.png')
  const { width, height, format } = await sharp(file).metadata()
  expect({ width, height, format }).toEqual({ width: 120, height: 120, format: 'png' })
  const drawn = sharp(publicFile('/favicon.svg'), { density: 360 }).resize(120, 120)
  const [mark, favicon] = await Promise.all([sharp(file), drawn].map((image) => image.ensureAlpha().raw().toBuffer()))
  const different = mark?.filter((value, index) => Math.abs(value - (favicon?.[index] ?? 0)) > 24).length
  expect(different).toBe(0)
})
