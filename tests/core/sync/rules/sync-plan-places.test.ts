import { expect, it } from 'vitest'
import { withoutDoubtfulPlaces } from '../../../../core/sync/rules/sync-plan.ts'
import { post, provider } from '../../../support/sync-plan.ts'

const CENTERS = new Map([
  ['33131', { latitude: 25.767, longitude: -80.19 }],
  ['78701', { latitude: 30.27, longitude: -97.74 }],
])
const MIAMI = { zipCode: '33131' }

it.each([
  ['swapped', -80.193, 25.767],
  ['without the minus sign', 25.767, 80.193],
  ['of Seattle', 47.6, -122.33],
])('coordinates that are %s are not believed, and the run says so', (_, latitude, longitude) => {
  const { posts, doubts } = withoutDoubtfulPlaces([post(1, { ...MIAMI, latitude, longitude })], [], CENTERS)
  expect(posts[0]?.fields).toMatchObject({ latitude: null, longitude: null })
  expect(doubts).toEqual([
    { wordpress_id: 10, title: 'Post 1', reason: expect.stringContaining('miles from its zip code 33131') },
  ])
})

it('coordinates near the zip code, or of an unknown one, stay', () => {
  const posts = [
    post(1, { ...MIAMI, latitude: 25.767, longitude: -80.193 }),
    post(2, { zipCode: '00600', latitude: 47.6, longitude: -122.33 }),
    post(3, { ...MIAMI, latitude: null, longitude: null }),
    post(4, { ...MIAMI, latitude: 47.6, longitude: null }),
    post(5, { ...MIAMI, latitude: null, longitude: -122.33 }),
  ]
  expect(withoutDoubtfulPlaces(posts, [], CENTERS)).toEqual({ posts, doubts: [] })
})

it('known coordinates are not kept when the zip code moves away from them', () => {
  const moved = post(1, {}, { fields: { zipCode: '33131' } })
  const { posts } = withoutDoubtfulPlaces([moved], [provider(1)], CENTERS)
  expect(posts[0]?.fields).toEqual({ zipCode: '33131', latitude: null, longitude: null })
})
