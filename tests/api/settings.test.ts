import { expect, it } from 'vitest'
import { startApiServer } from '../support/api-server.ts'
import { useDatabase } from '../support/database.ts'
import { createStaff, staffHeaders } from '../support/factories.ts'

const database = useDatabase()

/** What a viewer is told by an API with these settings. */
async function told(settings: Record<string, string>) {
  const api = await startApiServer(database.db, settings)
  try {
    const { id } = await createStaff(database.db, { role: 'viewer' })
    return (await api.call('GET', '/api/settings', undefined, await staffHeaders(database.db, id))).body
  } finally {
    await api.close()
  }
}

it('tells staff where WordPress is, how far matching goes, and where the maps get their tiles', async () => {
  const settings = {
    WORDPRESS_URL: 'https://clinics.example/wp/',
    MATCH_RADIUS_MILES: '75',
    MAP_TILE_URL: 'https://tiles.example/{z}/{x}/{y}.png',
    MAP_TILE_ATTRIBUTION: 'Tiles of ours',
  }
  expect(await told(settings)).toEqual({
    wordpress_url: 'https://clinics.example/wp',
    match_radius_miles: 75,
    map_tiles: { url: 'https://tiles.example/{z}/{x}/{y}.png', attribution: 'Tiles of ours' },
  })
})

it('tells them that there is no WordPress', async () => {
  expect((await told({})).wordpress_url).toBeNull()
})
