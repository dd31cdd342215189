import { describe, expect, it } from 'vitest'
import { darkColors, palette } from '../../core/brand/colors.ts'
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

  it('lets every text be read on its grounds and every button by its words, and shows where a control ends', () => {
    const least = (what: string, a: string, b: string, ratio: number) =>
      expect.soft(contrast(a, b), what).toBeGreaterThanOrEqual(ratio)
    for (const text of TEXTS) {
      least(`${text} on paper`, colors[text], colors.paper, 4.5)
      for (const ground of GROUNDS) least(`${text} on dark ${ground}`, dark[text], dark[ground], 4.5)
    }
    for (const button of BUTTONS) least(`words on ${button}`, dark.background, dark[button], 4.5)
    for (const ground of ['background', 'mist'] as const) least(`an edge on ${ground}`, dark.edge, dark[ground], 3)
  })
})
