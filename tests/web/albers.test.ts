import { expect, it } from 'vitest'
import { project } from '../../web/dashboard/albers.ts'

// From d3-geo 3.1.1, test/projection/albersUsa-test.js, which draws at 1070 around (480, 250).
it.each([
  ['San Francisco', -122.4194, 37.7749, 'CA', [107.4, 214.1]],
  ['New York', -74.0059, 40.7128, 'NY', [794.6, 176.5]],
  ['Tulsa', -95.9928, 36.154, 'OK', [488.8, 298.0]],
  ['Anchorage', -149.9003, 61.2181, 'AK', [171.2, 446.9]],
  ['Honolulu', -157.8583, 21.3069, 'HI', [298.5, 451.0]],
] as const)('puts %s where the borders of the states are', (_, longitude, latitude, state, [x, y]) => {
  const point = project({ longitude, latitude, state })
  expect(point?.x).toBeCloseTo(487.5 + ((x - 480) * 1300) / 1070, 0)
  expect(point?.y).toBeCloseTo(305 + ((y - 250) * 1300) / 1070, 0)
})

it('has no place for what is far from the states', () => {
  expect(project({ longitude: 144.8, latitude: 13.4, state: 'GU' })).toBeNull()
})
