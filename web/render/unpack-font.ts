import { inflateSync } from 'node:zlib'

const WOFF_HEADER = 44
const WOFF_ENTRY = 20
const FONT_HEADER = 12
const FONT_ENTRY = 16

/** Unpacks a font from WOFF 1.0, which compresses each of its tables (https://www.w3.org/TR/WOFF/). */
export function unpackFont(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('The font is not a WOFF 1.0 file')
  const count = woff.readUInt16BE(12)
  const header = headerOf(woff.subarray(4, 8), count)
  const parts = [header]
  let offset = header.length
  for (let index = 0; index < count; index++) {
    const entry = woff.subarray(WOFF_HEADER + index * WOFF_ENTRY, WOFF_HEADER + (index + 1) * WOFF_ENTRY)
    const [start, packed, length] = [entry.readUInt32BE(4), entry.readUInt32BE(8), entry.readUInt32BE(12)]
    const stored = woff.subarray(start, start + packed)
    const table = packed < length ? inflateSync(stored) : stored
    const at = FONT_HEADER + index * FONT_ENTRY
    entry.copy(header, at, 0, 4)
    entry.copy(header, at + 4, 16, 20)
    header.writeUInt32BE(offset, at + 8)
    header.writeUInt32BE(length, at + 12)
    // Each table starts at a multiple of four bytes.
    const padding = Buffer.alloc((4 - (length % 4)) % 4)
    parts.push(table, padding)
    offset += length + padding.length
  }
  return Buffer.concat(parts)
}

/** Returns the start of a font file (https://learn.microsoft.com/typography/opentype/spec/otff#table-directory). */
function headerOf(flavor: Buffer, count: number): Buffer {
  const header = Buffer.alloc(FONT_HEADER + count * FONT_ENTRY)
  const power = Math.floor(Math.log2(count))
  flavor.copy(header)
  header.writeUInt16BE(count, 4)
  header.writeUInt16BE(FONT_ENTRY * 2 ** power, 6)
  header.writeUInt16BE(power, 8)
  header.writeUInt16BE(FONT_ENTRY * (count - 2 ** power), 10)
  return header
}
