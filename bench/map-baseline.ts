import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32, deflateSync, gzipSync } from 'node:zlib'
import type { ProviderPoint } from '../core/contract/places.ts'

const LEAFLET = 'node_modules/leaflet/dist'
const TILE_SIZE = 256
/** Of each eight pixels one is noise: 14 KB, about what a tile of a street map takes. */
const NOISE = 1 / 8

export type MapBaseline = { url: string; tileUrl: string; close(): void }

/**
 * Starts the baseline of the map: Leaflet with a plain marker for each provider, on a page without anything else. It
 * also serves the tiles of both maps.
 */
export async function startMapBaseline(points: ProviderPoint[]): Promise<MapBaseline> {
  const text = (type: string, body: string | Buffer) => ({ type, body: gzipSync(body), encoding: 'gzip' })
  const files = new Map<string, { type: string; body: Buffer; encoding?: string }>([
    ['/leaflet.js', text('text/javascript', await readFile(`${LEAFLET}/leaflet.js`))],
    ['/leaflet.css', text('text/css', await readFile(`${LEAFLET}/leaflet.css`))],
    ['/pin.svg', text('image/svg+xml', await readFile('web/public/art/map/pin.svg'))],
    ['/points.json', text('application/json', JSON.stringify(points))],
  ])
  const tile = { type: 'image/png', body: noisyTile(), encoding: undefined }

  const server = createServer((request, response) => {
    const path = String(request.url)
    const page = path === '/' ? text('text/html', pageWith(tileUrl)) : undefined
    const { type, body, encoding } = page ?? files.get(path) ?? tile
    response.setHeader('content-type', type)
    response.setHeader('cache-control', 'max-age=86400')
    if (encoding) response.setHeader('content-encoding', encoding)
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  const tileUrl = `${url}/{z}/{x}/{y}.png`
  return {
    url,
    tileUrl,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const pageWith = (tileUrl: string) => `<!doctype html>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/leaflet.css">
<body style="margin: 0"><div id="map" style="height: 400px"></div>
<script src="/leaflet.js"></script>
<script>
  const map = L.map('map').setView([39.83, -98.58], 4)
  L.tileLayer('${tileUrl}').addTo(map)
  const icon = L.icon({ iconUrl: '/pin.svg', iconSize: [30, 40], iconAnchor: [15, 39] })
  fetch('/points.json').then((answer) => answer.json()).then((points) => {
    for (const { latitude, longitude } of points) L.marker([latitude, longitude], { icon }).addTo(map)
  })
</script>`

/** A PNG (RFC 2083): one byte of grey for each pixel. */
function noisyTile(): Buffer {
  const rows = Buffer.alloc((TILE_SIZE + 1) * TILE_SIZE, 235)
  for (let at = 0; at < rows.length; at++) {
    if (at % (TILE_SIZE + 1) === 0) rows[at] = 0
    else if (Math.random() < NOISE) rows[at] = Math.floor(Math.random() * 256)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(TILE_SIZE, 0)
  header.writeUInt32BE(TILE_SIZE, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND')])
}

function chunk(name: string, data = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(name), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}
