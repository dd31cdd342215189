import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { merge, mesh } from 'topojson-client'
import type { Topology } from 'topojson-specification'
import { brand } from '../../core/brand/brand.ts'
import { OUTLINES, pixelOf } from '../shared/map/view.ts'

/** Points that move the line by fewer pixels are left out. */
const STEP = 2

/**
 * Draws the states as a small picture, the placeholder for the map until it has loaded. Shapes of the US Census
 * Bureau's cartographic boundary files, 2017 (npm us-atlas, ISC).
 */
export async function drawOutlines(): Promise<string> {
  const file = createRequire(import.meta.url).resolve('us-atlas/states-10m.json')
  const topology: Topology = JSON.parse(await readFile(file, 'utf8'))
  const states = topology.objects.states as never
  const land = merge(topology, (states as { geometries: never[] }).geometries).coordinates.flat()
  const borders = mesh(topology, states).coordinates
  const { x, y, width, height } = OUTLINES
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}">`,
    `<path d="${land.map(lineOf).join('')}" fill="white"/>`,
    `<path d="${borders.map(lineOf).join('')}" fill="none" stroke="${brand.colors.edge}"/>`,
    '</svg>',
  ].join('')
}

/** Returns an SVG path through pixels: its start, then each step. */
function lineOf(places: number[][]): string {
  const [start, ...others] = places.map(([longitude = 0, latitude = 0]) => pixelOf({ latitude, longitude }))
  if (!start) return ''
  let at = start
  const steps = others.flatMap(({ x, y }) => {
    if (Math.abs(x - at.x) + Math.abs(y - at.y) < STEP) return []
    const step = `${x - at.x} ${y - at.y}`
    at = { x, y }
    return [step]
  })
  return steps.length > 0 ? `M${start.x} ${start.y}l${steps.join(' ')}` : ''
}
