import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { PackedPoints, packPoints, unpackPoints } from '../../../core/contract/places.ts'

const KIB = 1024

it('brings every point over, to the metre, with what is offered there', () => {
  const points = [
    { id: 3, latitude: 30.123456789, longitude: -97.1, isFree: true, hasFinancing: true, state: 'TX' },
    { id: 4, latitude: -14.27, longitude: 170.700004, isFree: true, isOfZip: true },
    { id: 5, latitude: 1, longitude: 1, hasFinancing: true },
    { id: 90, latitude: 0, longitude: 0 },
  ]
  expect(unpackPoints(PackedPoints.parse(packPoints(points)))).toEqual([
    { id: 3, latitude: 30.12346, longitude: -97.1, isFree: true, hasFinancing: true, isOfZip: false, state: 'TX' },
    { id: 4, latitude: -14.27, longitude: 170.7, isFree: true, hasFinancing: false, isOfZip: true, state: null },
    { id: 5, latitude: 1, longitude: 1, isFree: false, hasFinancing: true, isOfZip: false, state: null },
    { id: 90, latitude: 0, longitude: 0, isFree: false, hasFinancing: false, isOfZip: false, state: null },
  ])
  expect(unpackPoints(packPoints([]))).toEqual([])
})

it('is at most 100 KiB for 10,000 providers, compressed', () => {
  // Digits without a pattern that could be compressed, the same each time.
  const scattered = (seed: number) => Math.abs(Math.sin(seed) * 10_000) % 1
  const points = Array.from({ length: 10_000 }, (_, index) => ({
    id: index * 2 + (index % 3),
    latitude: 25 + 24 * scattered(index),
    longitude: -124 + 57 * scattered(index + 0.5),
    isFree: scattered(index + 0.25) > 0.5,
    hasFinancing: scattered(index + 0.75) > 0.5,
    state: ['TX', 'CA', 'NY', 'FL'][Math.floor(4 * scattered(index + 0.1))],
  }))
  expect(gzipSync(JSON.stringify(packPoints(points))).length).toBeLessThan(100 * KIB)
})
