import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { z } from 'zod'
import type { Place } from '../../../core/contract/places.ts'
import { PackedPoints, type ProviderPoint, unpackPoints } from '../../../core/contract/places.ts'
import { listProviders, MAX_PROVIDER_IDS, PublicProvider } from '../../../core/providers/contract/providers.ts'
import { call } from '../../lib/call.ts'

const Providers = z.array(PublicProvider)
export const INACTIVE_WORDS = 'Not taking new patients'

async function listPoints(status: 'active' | 'inactive'): Promise<ProviderPoint[]> {
  try {
    // The map page has asked for the same address before (`Lists`).
    const points = unpackPoints(await call(listProviders, { query: { status, view: 'points' }, output: PackedPoints }))
    return status === 'active' ? points : points.map((point) => ({ ...point, isInactive: true }))
  } catch (cause) {
    throw new Error(`Failed to fetch ${status} providers`, { cause })
  }
}

function pointsQuery(status: 'active' | 'inactive') {
  // Comparing thousands of points that never change would be wasted work.
  return { queryKey: ['providers', 'points', status], queryFn: () => listPoints(status), structuralSharing: false }
}

/** Returns the places of all providers. If one list fails, the other is returned together with the error. */
export function usePoints() {
  const active = useQuery(pointsQuery('active'))
  const inactive = useQuery(pointsQuery('inactive'))
  const points = useMemo(() => [...(active.data ?? []), ...(inactive.data ?? [])], [active.data, inactive.data])
  const lists = [active, inactive]

  return {
    points,
    isPending: lists.some(({ isPending }) => isPending),
    errors: lists.flatMap(({ error }) => error?.message ?? []),
    retry() {
      for (const list of lists) if (list.isError) list.refetch()
    },
  }
}

const knownKey = (id: number) => ['providers', 'known', id]

/** Returns cached providers at once. `ids` must stay the same array; `came` are providers that came with the page. */
export function useProvidersById(ids: number[], came: PublicProvider[] = []) {
  const client = useQueryClient()
  const known = useMemo(
    () => new Map([...came.map((provider) => [provider.id, provider] as const), ...knownOf(client, ids)]),
    [client, ids, came],
  )
  return useQuery({
    queryKey: ['providers', 'some', ids],
    queryFn: () => {
      for (const provider of came) client.setQueryData(knownKey(provider.id), provider)
      return providersById(client, ids)
    },
    enabled: ids.length > 0,
    placeholderData: known,
    structuralSharing: false,
  })
}

async function providersById(client: QueryClient, ids: number[]): Promise<Map<number, PublicProvider>> {
  const missing = ids.filter((id) => !client.getQueryData(knownKey(id)))
  const calls: Promise<PublicProvider[]>[] = []
  for (let first = 0; first < missing.length; first += MAX_PROVIDER_IDS) {
    const some = missing.slice(first, first + MAX_PROVIDER_IDS)
    calls.push(call(listProviders, { query: { ids: some.join() }, output: Providers }))
  }
  for (const provider of (await Promise.all(calls)).flat()) client.setQueryData(knownKey(provider.id), provider)
  return knownOf(client, ids)
}

function knownOf(client: QueryClient, ids: number[]): Map<number, PublicProvider> {
  const found = ids.map((id) => client.getQueryData<PublicProvider>(knownKey(id)))
  return new Map(found.flatMap((provider) => (provider ? [[provider.id, provider]] : [])))
}

/** The visible part of the world in degrees, and Leaflet's zoom. */
export type View = { bounds: [west: number, south: number, east: number, north: number]; zoom: number }

export const COUNTRY: View = { bounds: [-200, -20, -40, 75], zoom: 4 }

export { MIDDLE_OF_US } from '../../../core/contract/page.ts'

/** Width and height of the world at the zoom of `COUNTRY`, in pixels. */
const WORLD = 256 * 2 ** COUNTRY.zoom

/** Returns a place in pixels on a picture of the world, `WORLD` pixels wide, in Leaflet's projection (EPSG:3857). */
export function pixelOf({ latitude, longitude }: Place): { x: number; y: number } {
  const sine = Math.sin((latitude * Math.PI) / 180)
  return {
    x: Math.round(WORLD * (0.5 + longitude / 360)),
    y: Math.round(WORLD * (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI))),
  }
}

const NORTH_WEST = { latitude: 72, longitude: -180 }
const SOUTH_EAST = { latitude: 15, longitude: -60 }

/** The picture of the states' outlines (web/render/build.ts), and the corners of its area. */
export const OUTLINES_PICTURE = {
  url: '/art/map/states.svg',
  bounds: [NORTH_WEST, SOUTH_EAST].map(({ latitude, longitude }): [number, number] => [latitude, longitude]),
}

const [northWest, southEast] = [pixelOf(NORTH_WEST), pixelOf(SOUTH_EAST)]

export const OUTLINES = { ...northWest, width: southEast.x - northWest.x, height: southEast.y - northWest.y }

export function isIn([west, south, east, north]: View['bounds'], { latitude, longitude }: Place): boolean {
  return latitude >= south && latitude <= north && longitude >= west && longitude <= east
}

export function middleOf([west, south, east, north]: View['bounds']): Place {
  return { latitude: (south + north) / 2, longitude: (west + east) / 2 }
}
