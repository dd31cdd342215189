import { palette } from './palette.ts'
import type { Palette } from './type.ts'

export const WHITE = '#ffffff'
export const BLACK = '#000000'

export const cssVariables = (colors: Palette = palette): string =>
  Object.entries(colors)
    .map(([name, value]) => `${variableOf(name)}: ${value};`)
    .join('\n')

/** The share of white in each gray of the dark scheme, the darkest first. Each has a trace of the brand's second color. */
const GRAYS = { mist: 0.055, background: 0.09, line: 0.2, edge: 0.52, quiet: 0.66, foreground: 0.84, ink: 0.95 }
const TRACE = 0.05

/**
 * Mixes the colors of the dark scheme, which staff can choose. Names keep their roles: `background` is the surface of
 * cards and `mist` the page around them, texts are light, and a filled button has dark words. Every text reaches a contrast
 * of 4.5 on both (WCAG 2.2, 1.4.3), which a test checks for each brand.
 */
export function darkColors(colors: Palette = palette): Palette {
  const gray = (share: number) => mix(mix(BLACK, WHITE, share), colors.secondary, TRACE)
  const grays = Object.fromEntries(Object.entries(GRAYS).map(([name, share]) => [name, gray(share)]))
  const lighter = (color: string, share: number) => mix(color, WHITE, share)
  const soft = (color: string) => mix(gray(GRAYS.background), color, 0.28)
  return {
    ...colors,
    ...grays,
    paper: gray(GRAYS.background),
    primary: lighter(colors.secondary, 0.72),
    secondary: lighter(colors.secondary, 0.56),
    accent: lighter(colors.accent, 0.3),
    lilac: mix(gray(GRAYS.background), colors.secondary, 0.3),
    good: lighter(colors.good, 0.55),
    goodSoft: soft(colors.good),
    bad: lighter(colors.bad, 0.55),
    badDeep: lighter(colors.bad, 0.68),
    badSoft: soft(colors.bad),
    wait: lighter(colors.waitBright, 0.45),
    waitBright: lighter(colors.waitBright, 0.2),
    waitSoft: soft(colors.waitBright),
  }
}

/** Mixes two colors, each as #rrggbb, with `share` (0 to 1) of the second. */
export function mix(first: string, second: string, share: number): string {
  const channels = (color: string) => [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))
  const [from, to] = [channels(first), channels(second)]
  const mixed = from.map((value, index) => Math.round(value + (Number(to[index]) - value) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

const variableOf = (name: string) => `--color-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
