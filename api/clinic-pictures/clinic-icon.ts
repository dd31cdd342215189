import { brand } from '../../core/brand/brand.ts'
import { initialOf } from '../../core/contract/initials.ts'
import { drawable, drawn, signMarks, type Typesetter } from './drawing.ts'

/** The side of the icon, in pixels: enough for the tab of a browser and the home screen of a phone. */
const SIDE = 192

/** Returns the icon of a clinic's site as PNG: the first letter of its name below the marks of our own sign. */
export async function clinicIcon(set: Typesetter, name: string): Promise<Buffer> {
  const initial = initialOf(drawable(name, 60, brand.company))
  const letter = await set(initial, { size: 132, color: 'white', maxWidth: SIDE })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}">
    <rect width="${SIDE}" height="${SIDE}" rx="44" fill="${brand.colors.primary}"/>${signMarks(SIDE / 2, 34, 5.2)}
  </svg>`
  const left = Math.round((SIDE - letter.width) / 2)
  const top = Math.round(114 - letter.height / 2)
  return drawn(svg, [{ input: letter.image, left, top }])
    .png({ palette: true })
    .toBuffer()
}
