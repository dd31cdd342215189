import { describe, expect, it } from 'vitest'
import { darkColors } from '../../core/brand/colors.ts'
import { palette } from '../../core/brand/palette.ts'
import { palette as secondPalette } from '../../ops/second-brand.ts'
import { contrast } from '../support/contrast.ts'

const TEXTS = ['ink', 'foreground', 'quiet', 'primary', 'secondary', 'good', 'bad', 'wait'] as const
const GROUNDS = ['background', 'mist', 'paper', 'lilac', 'goodSoft', 'badSoft', 'waitSoft'] as const
const BUTTONS = ['secondary', 'primary', 'bad', 'badDeep'] as const

describe.each([
  ['the brand', palette],
  ['a brand of made-up colors', secondPalette],
])('the colors of %s', (_, colors) => {
  const dark = darkColors(colors)

  it.each(TEXTS)('lets %s be read on paper, on a light page', (text) => {
    expect(contrast(colors[text], colors.paper)).toBeGreaterThanOrEqual(4.5)
  })

  it.each(TEXTS)('lets %s be read on every ground of the dark scheme', (text) => {
    for (const ground of GROUNDS) expect(contrast(dark[text], dark[ground]), ground).toBeGreaterThanOrEqual(4.5)
  })

  it.each(BUTTONS)('lets the words on a button in %s be read', (button) => {
    expect(contrast(dark.background, dark[button])).toBeGreaterThanOrEqual(4.5)
  })

  it('shows where a control ends', () => {
    for (const ground of ['background', 'mist'] as const)
      expect(contrast(dark.edge, dark[ground])).toBeGreaterThanOrEqual(3)
  })
})
