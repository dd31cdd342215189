import sharp from 'sharp'
import { brand } from '../../core/brand/brand.ts'
import { SHARE_PICTURE } from '../../core/contract/clinic-pictures.ts'
import { initialOf } from '../../core/contract/initials.ts'
import { drawable, drawn, type Typesetter, type Words } from './drawing.ts'

type Clinic = {
  /** The practice, or the provider without one. */
  name: string
  /** City and state, if known. */
  place: string | null
  /** Its own picture, if it has one. */
  picture: Buffer | null
}

const { width, height } = SHARE_PICTURE
const { primary, secondary, dusk, night, lilac, accent } = brand.colors
const LEFT = 80
const GAP = 42
const TEXT_WIDTH = 570
const MAX_NAME = 110
/** The sizes of the name, in pixels: the first that fits is taken. */
const NAME_SIZES = [88, 76, 64, 54, 46, 40, 34]
const MAX_NAME_HEIGHT = 300
/** The dial on the right, and the disk in it. */
const DIAL = { x: 962, y: 315, radius: 288, disk: 206 }

/** Returns the picture that is shown with a link to a clinic's site, as PNG. It names the clinic, and no treatment. */
export async function sharePicture(set: Typesetter, { name, place, picture }: Clinic): Promise<Buffer> {
  const shownName = drawable(name, MAX_NAME, brand.company)
  const title = await fittingName(set, shownName)
  const city =
    place === null ? null : await set(drawable(place, 60, ''), { size: 36, color: lilac, maxWidth: TEXT_WIDTH })
  const note = await set(`A ${brand.company} certified clinic`, { size: 30, color: lilac, maxWidth: TEXT_WIDTH })
  const disk = (picture && (await round(picture))) ?? (await initialIn(set, shownName))

  const block = title.height + (city ? GAP + city.height : 0)
  const top = Math.round(height / 2 - block / 2)
  const overlays = [
    { input: disk.image, left: Math.round(DIAL.x - disk.width / 2), top: Math.round(DIAL.y - disk.height / 2) },
    { input: title.image, left: LEFT, top },
    ...(city ? [{ input: city.image, left: LEFT, top: top + title.height + 28 }] : []),
    { input: note.image, left: LEFT + 46, top: height - 100 + Math.round((36 - note.height) / 2) },
  ]
  return drawn(background(), overlays)
    .png({ palette: picture === null, quality: 90 })
    .toBuffer()
}

async function fittingName(set: Typesetter, name: string): Promise<Words> {
  let words: Words | undefined
  for (const size of NAME_SIZES) {
    words = await set(name, { size, color: 'white', maxWidth: TEXT_WIDTH })
    if (words.height <= MAX_NAME_HEIGHT && words.width <= TEXT_WIDTH) break
  }
  return words as Words
}

/** Returns a picture as a disk; null if it cannot be read. */
async function round(picture: Buffer): Promise<Words | null> {
  const side = DIAL.disk * 2
  const mask = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><circle cx="50%" cy="50%" r="50%"/></svg>`
  try {
    const image = await sharp(picture, { limitInputPixels: 40_000_000 })
      .resize({ width: side, height: side, fit: 'cover' })
      .composite([{ input: Buffer.from(mask), blend: 'dest-in' }])
      .png()
      .toBuffer()
    return { image, width: side, height: side }
  } catch {
    return null
  }
}

function initialIn(set: Typesetter, name: string): Promise<Words> {
  return set(initialOf(name), { size: 250, color: 'white', maxWidth: DIAL.disk * 2 })
}

function background(): string {
  const { x, y, radius, disk } = DIAL
  const ticks = Array.from({ length: 240 }, (_, index) => {
    const length = index % 10 === 0 ? 20 : 9
    return `<path d="M${x} ${y - radius}v${length}" transform="rotate(${index * 1.5} ${x} ${y})" opacity="${index % 10 === 0 ? 0.8 : 0.45}"/>`
  }).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
    <defs>
      <linearGradient id="ground" x2="1" y2="1"><stop stop-color="${primary}"/><stop offset="1" stop-color="${night}"/></linearGradient>
      <radialGradient id="disk"><stop stop-color="${accent}"/><stop offset="1" stop-color="${secondary}"/></radialGradient>
      <radialGradient id="glow"><stop stop-color="${secondary}" stop-opacity=".55"/><stop offset="1" stop-color="${secondary}" stop-opacity="0"/></radialGradient>
    </defs>
    <rect width="${width}" height="${height}" fill="url(#ground)"/>
    <path d="M0 540C260 470 470 520 700 556S1050 560 ${width} 512V${height}H0Z" fill="${dusk}" opacity=".7"/>
    <circle cx="${x}" cy="${y}" r="${radius * 1.5}" fill="url(#glow)"/>
    <g stroke="${lilac}" stroke-width="1.4">${ticks}</g>
    <circle cx="${x}" cy="${y}" r="${disk + 26}" fill="none" stroke="${lilac}" opacity=".35"/>
    <circle cx="${x}" cy="${y}" r="${disk}" fill="url(#disk)"/>
    <path d="M${x - 246} ${y}A246 246 0 0 1 ${x - 174} ${y - 174}" fill="none" stroke="${accent}" stroke-width="6" stroke-linecap="round"/>
    <g transform="translate(${LEFT} ${height - 100})" fill="none" stroke-linecap="round" stroke-linejoin="round">
      <path d="M2 9 16 34 30 9" stroke="white" stroke-width="4"/>
      <path d="M16 2v9M10 4v4M22 4v4" stroke="${accent}" stroke-width="3"/>
    </g>
  </svg>`
}
