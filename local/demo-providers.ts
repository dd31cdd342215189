import { brand } from '../core/brand/brand.ts'
import type { Db } from '../core/platform/db.ts'
import { DEMO_CITIES } from './demo-cities.ts'

/** A row of `providers`. */
export interface DemoProvider {
  wordpress_id: number | null
  name: string
  practice_name: string | null
  address: string
  zip_code: string
  status: 't' | 'f'
  latitude: number | null
  longitude: number | null
  phone: string
  email: string
  website: string | null
  url: string
  domain: string | null
  image_url: string | null
  logo_url: string | null
  accepts_free_consultation: boolean
  accepts_financing: boolean
}

/** The clinics with a microsite of their own, by their place in `DEMO_CITIES`: first part of the host name, and name. */
const MICROSITES = [
  ['austin', "Bluebonnet Men's Health"],
  ['denver', 'Front Range Vitality'],
  ['miami', "Biscayne Men's Clinic"],
  ['seattle', "Puget Sound Men's Health"],
  ['chicago', "Lakeshore Men's Wellness"],
  ['phoenix', 'Copper State Urology'],
] as const

/** The host of the first of them. */
export const DEMO_MICROSITE = domainOf(MICROSITES[0])

const FIRST_NAMES =
  'Ana Marcus Priya Daniel Grace Omar Helen Victor Mei Samuel José Nadia Peter Amara Luis Ingrid Kofi Rachel Tomás'.split(
    ' ',
  )
const LAST_NAMES = (
  "Flores Whitfield Raman Okafor Lindqvist Haddad O'Brien Castellano Chen Abernathy Núñez Petrov Goldberg Mbeki " +
  'Hartmann Sørensen Delacroix Tanaka Fairbanks Yilmaz Moreau Kowalski Ashworth'
).split(' ')
const PRACTICE_WORDS =
  'Juniper Cedar Harbor Summit Granite Willow Sterling Meridian Northgate Riverbend Oakmont Beacon Prairie'.split(' ')
const PRACTICE_KINDS = [
  "Men's Health",
  'Urology Group',
  'Vitality Clinic',
  'Wellness & Urology',
  "Men's Medical Center",
]
const STREETS = [
  'Linden Street',
  'Market Street',
  'Orchard Avenue',
  '4th Avenue',
  'Harbor Drive',
  'Maple Boulevard',
  'Union Street',
]
const IMAGES = 6

/**
 * The demo's providers: fictional people and practices in real places, the same at every call. Phone numbers end in
 * 555-0100 to 555-0199 and addresses on the internet in .example, both of which belong to nobody.
 * Some are inactive, and some lack coordinates, a practice name, a picture or a website, as real ones do.
 */
export function demoProviders(): DemoProvider[] {
  return DEMO_CITIES.map(([city, state, zip, latitude, longitude, areaCode], index) => {
    const microsite = MICROSITES[index]
    const isWhole = microsite !== undefined
    const lacks = (every: number) => !isWhole && index % every === 0

    const practice = microsite?.[1] ?? `${pick(PRACTICE_WORDS, index)} ${pick(PRACTICE_KINDS, index * 3)}`
    const host = `${slug(practice)}-${slug(city)}.example`
    const hasCoordinates = !lacks(11)
    return {
      wordpress_id: lacks(4) ? null : 9_000_000 + index,
      name: `Dr. ${pick(FIRST_NAMES, index * 5)} ${pick(LAST_NAMES, index * 7)}${lacks(3) ? ', MD' : ''}`,
      practice_name: lacks(7) ? null : practice,
      address: `${120 + ((index * 83) % 840)} ${pick(STREETS, index)}, ${city}, ${state}`,
      zip_code: zip,
      status: lacks(8) ? 'f' : 't',
      // A few streets away from the centre of the ZIP.
      latitude: hasCoordinates ? beside(latitude, index * 37) : null,
      longitude: hasCoordinates ? beside(longitude, index * 53) : null,
      phone: `(${areaCode}) 555-01${String((index * 7) % 100).padStart(2, '0')}`,
      email: `leads@${host}`,
      website: lacks(6) ? null : `${index % 2 ? 'https://' : ''}www.${host}`,
      url: `https://network.${brand.email.split('@')[1]}/providers/${slug(practice)}-${slug(city)}`,
      domain: microsite ? domainOf(microsite) : null,
      image_url: lacks(5) ? null : `/demo/clinic-${(index % IMAGES) + 1}.svg`,
      logo_url: microsite ? `/demo/logo-${microsite[0]}.svg` : null,
      accepts_free_consultation: index % 3 !== 2,
      accepts_financing: index % 4 < 2,
    }
  })
}

/** Adds the demo's providers to a database that has no providers at all. Returns how many were added. */
export async function addDemoProviders(db: Db): Promise<number> {
  return db.transaction(async (transaction) => {
    if (await transaction('providers').first('id')) return 0
    const providers = demoProviders()
    await transaction('providers').insert(providers)
    return providers.length
  })
}

function domainOf([name]: (typeof MICROSITES)[number]): string {
  return `${name}.localhost`
}

function pick(list: readonly string[], index: number): string {
  return list[index % list.length] as string
}

/** At most 0.01 degrees (less than a mile) away. */
function beside(degrees: number, index: number): number {
  return Number((degrees + ((index % 21) - 10) / 1000).toFixed(4))
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll("'", '')
    .replace(/[^a-z0-9]+/g, '-')
}
