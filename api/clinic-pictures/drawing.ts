import { join } from 'node:path'
import sharp, { type OverlayOptions, type Sharp } from 'sharp'
import { brand } from '../../core/brand/brand.ts'

/** The files of the serif, one for each range of letters (web/render/build.ts). */
const FONTS = ['latin.ttf', 'latin-ext.ttf', 'vietnamese.ttf']
const FAMILY = 'Newsreader Medium'

/** The characters that the fonts do not have. They would be drawn as boxes. */
const UNKNOWN = /[^\u0020-\u024f\u1e00-\u1eff\u2010-\u2027\u2030-\u205e\u20ac\u2122]/gu

/** A text as a picture of its own. */
export type Words = { image: Buffer; width: number; height: number }

type Style = { size: number; color: string; maxWidth: number }

/** Returns a function that sets a text in the brand's serif. It breaks lines at `maxWidth` pixels. */
export async function createTypesetter(fonts: string) {
  // Pango keeps each font that it has loaded once.
  for (const file of FONTS) await sharp({ text: { text: '.', fontfile: join(fonts, file) } }).toBuffer()

  return async function set(text: string, { size, color, maxWidth }: Style): Promise<Words> {
    // Pango's sizes are in 1024ths of a point; at 72 dpi a point is a pixel.
    const attributes = `font_family="${FAMILY}" foreground="${color}" size="${Math.round(size * 1024)}"`
    const markup = `<span ${attributes}>${escaped(text)}</span>`
    const { data, info } = await sharp({
      text: { text: markup, rgba: true, dpi: 72, width: maxWidth, wrap: 'word-char', spacing: Math.round(size * 0.06) },
    })
      .png()
      .toBuffer({ resolveWithObject: true })
    return { image: data, width: info.width, height: info.height }
  }
}

export type Typesetter = Awaited<ReturnType<typeof createTypesetter>>

/** Returns a text without the characters that cannot be drawn, on one line, cut at a length; `otherwise` if nothing is left. */
export function drawable(text: string, maxLength: number, otherwise: string): string {
  const known = text.normalize('NFC').replace(UNKNOWN, ' ').replace(/\s+/g, ' ').trim()
  if (!/[\p{L}\p{N}]/u.test(known)) return otherwise
  return known.length > maxLength ? `${known.slice(0, maxLength - 1).trim()}…` : known
}

/** Escapes a text for Pango's markup, so that a name cannot change the picture. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Draws a picture in SVG, with others on it. Only our own shapes and numbers may be in the SVG. */
export function drawn(svg: string, onTop: OverlayOptions[]): Sharp {
  return sharp(Buffer.from(svg)).composite(onTop)
}

/** Returns the three marks of a scale in the brand's sign, centered above a point. */
export function signMarks(x: number, y: number, scale: number): string {
  return `<path transform="translate(${x} ${y}) scale(${scale})" d="M0-3v6M-3.6-2.1v2.8M3.6-2.1v2.8" stroke="${brand.colors.accent}" stroke-width="1.8" stroke-linecap="round"/>`
}
