import { brand } from './brand.ts'
import type { ColorName } from './type.ts'

export const WHITE = '#ffffff'
export const BLACK = '#000000'

/** Refers to a color of the brand in a style of a page: `var(--color-good-soft)`. */
export const cssColor = (name: ColorName): string => `var(${variableOf(name)})`

/** Declares every color of the brand as a CSS variable, one in a line. */
export const cssVariables = (): string =>
  Object.entries(brand.colors)
    .map(([name, value]) => `${variableOf(name)}: ${value};`)
    .join('\n')

/** Mixes two colors, each as #rrggbb, with `share` (0 to 1) of the second. */
export function mix(first: string, second: string, share: number): string {
  const channels = (color: string) => [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))
  const [from, to] = [channels(first), channels(second)]
  const mixed = from.map((value, index) => Math.round(value + (Number(to[index]) - value) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

const variableOf = (name: string) => `--color-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
