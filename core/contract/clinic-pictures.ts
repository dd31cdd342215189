import type { MicrositeProvider } from './providers.ts'

/**
 * The pictures that the server draws of a provider (`api/clinic-pictures`): for links that are shared, for the tab of the
 * browser, and its place on a map of its state.
 */
export const CLINIC_PICTURES = ['share.png', 'icon.png', 'map.svg'] as const
export type ClinicPicture = (typeof CLINIC_PICTURES)[number]

/** The width and height of the picture for links that are shared (https://ogp.me/#structured), in pixels. */
export const SHARE_PICTURE = { width: 1200, height: 630 }

/** The width and height of the map, in pixels. */
export const STATE_MAP = { width: 800, height: 300 }

type Drawn = Pick<
  MicrositeProvider,
  'id' | 'name' | 'practiceName' | 'city' | 'state' | 'latitude' | 'longitude' | 'image_url'
>

/** The number of the design. Raise it with each change, because browsers keep the pictures permanently. */
const DESIGN = 1

/** Returns the path of a picture. It changes with what the picture shows. */
export function clinicPicturePath(picture: ClinicPicture, provider: Drawn): string {
  return `/pictures/clinics/${provider.id}/${picture}?v=${versionOf(picture, provider)}`
}

/** Returns the version of a picture: a hash of what it shows. */
export function versionOf(picture: ClinicPicture, provider: Drawn): string {
  const { name, practiceName, city, state, latitude, longitude, image_url } = provider
  const shown = {
    'share.png': [practiceName || name, city, state, image_url],
    'icon.png': [practiceName || name],
    'map.svg': [latitude, longitude],
  }[picture]
  return hash(JSON.stringify([DESIGN, ...shown]))
}

/** Returns a short hash that is not for secrets: FNV-1a with 32 bits, because browsers have no hash that answers at once. */
function hash(text: string): string {
  let value = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0
  return value.toString(36)
}
