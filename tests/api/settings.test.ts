import { expect, it } from 'vitest'
import { apiWith } from '../support/api-server.ts'
import { useDatabase } from '../support/database.ts'
import { signedInStaff } from '../support/factories.ts'

const database = useDatabase({ isKept: true })

/** What a viewer is told by an API with these settings. */
async function told(settings: Record<string, string>, headers: Record<string, string> = {}) {
  const api = await apiWith(database.app, settings)
  const { headers: staff } = await signedInStaff(database.db, { role: 'viewer' })
  return (await api.call('GET', '/api/settings', undefined, { ...staff, ...headers })).body
}

it('tells staff where WordPress is, how far matching goes, and where the maps get their tiles', async () => {
  const settings = {
    WORDPRESS_URL: 'https://clinics.example/wp/',
    MATCH_RADIUS_MILES: '75',
    MAP_TILE_URL: 'https://tiles.example/{z}/{x}/{y}.png Tiles of ours',
  }
  expect(await told(settings)).toEqual({
    wordpress_url: 'https://clinics.example/wp',
    match_radius_miles: 75,
    map_tiles: { url: '/tiles/{z}/{x}/{y}', attribution: 'Tiles of ours' },
    has_leads: false,
    proxy_ignored: false,
  })
})

it.each([
  ['X-Forwarded-For', '0', { 'x-forwarded-for': '198.51.100.9' }, true],
  ['Forwarded', '0', { forwarded: 'for=198.51.100.9' }, true],
  ['neither', '0', {}, false],
  ['X-Forwarded-For', '1', { 'x-forwarded-for': '198.51.100.9' }, false],
])('warns of a proxy that sends %s and is not counted in TRUST_PROXY_HOPS=%s', async (_, hops, headers, warns) => {
  expect((await told({ TRUST_PROXY_HOPS: hops }, headers)).proxy_ignored).toBe(warns)
})
