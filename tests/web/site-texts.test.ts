import { describe, expect, it } from 'vitest'
import { blocksOf } from '../../web/site/legal/policy-text.tsx'
import { inches, measures, moveBySteps, toStep } from '../../web/site/size-calculator/size-calculator.tsx'

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
