import { describe, expect, it } from 'vitest'
import { inches, isOnStep, measures, moveBySteps, toStep } from '../../web/site/size-calculator/projection.ts'

const { length, girth } = measures

describe('the projection', () => {
  it.each([
    ['length', length, '5.16', '6.20'],
    ['girth', girth, '4.59', '5.13'],
  ])('of the initial %s', (_, { initial, gain }, current, projected) => {
    expect(inches(initial)).toBe(current)
    expect(inches(initial + gain)).toBe(projected)
  })

  it.each([
    [3, '4.04'],
    [5.3, '6.34'],
    [8, '9.04'],
  ])('of a length of %d inches is %s', (current, projected) => expect(inches(current + length.gain)).toBe(projected))

  it('is exact on every step', () => {
    for (let tenths = 30; tenths <= 70; tenths++) {
      const hundredths = tenths * 10 + 54
      expect(inches(tenths / 10 + girth.gain)).toBe(`${Math.floor(hundredths / 100)}.${String(hundredths).slice(1)}`)
    }
  })
})

describe('a move', () => {
  it.each([
    [5.16, 1, 5.2],
    [5.16, -1, 5.1],
    [5.14, 1, 5.2],
    [5.14, -1, 5.1],
    [4.59, 5, 5],
    [4.59, -5, 4.1],
    [5.2, 1, 5.3],
    [5.3, -1, 5.2],
    [7.9, 5, 8],
    [8, 1, 8],
    [3.1, -5, 3],
    [3, -1, 3],
  ])('from %d by %d steps ends at %d', (value, steps, end) => expect(moveBySteps(value, steps, length)).toBe(end))

  it('always ends on a step', () => {
    for (let value: number = girth.min; value < girth.max; value = moveBySteps(value, 1, girth)) {
      expect(isOnStep(value)).toBe(true)
      expect(inches(value)).toMatch(/0$/)
    }
  })

  it('of the pointer is rounded to the step', () => {
    expect(toStep(5.2499)).toBe(5.2)
    expect(toStep(6.27)).toBe(6.3)
  })
})
