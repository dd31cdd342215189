import { describe, expect, it } from 'vitest'
import { darkColors } from '../../core/brand/colors.ts'
import { palette } from '../../core/brand/palette.ts'
import { palette as secondPalette } from '../../ops/second-brand.ts'
import { DARK, LIGHT } from '../../worker/emails/look.ts'
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

it.each([
  ['light', LIGHT],
  ['dark', DARK],
])('emails have enough contrast between text and ground in %s colors', (_, colors) => {
  const { title, text, muted, link, card, panel, button, onButton } = colors
  for (const words of [text, muted, link]) {
    for (const ground of [card, panel]) expect(contrast(words, ground)).toBeGreaterThanOrEqual(4.5)
  }
  for (const [words, ground] of [
    [title, card],
    [onButton, button],
  ] as const) {
    expect(contrast(words, ground)).toBeGreaterThanOrEqual(4.5)
  }
})
