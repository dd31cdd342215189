import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

const METHODS = { br: promisify(brotliCompress), gz: promisify(gzip) }
const COMPRESSIBLE = /\.(js|css|svg)$/

/** Writes a compressed copy beside each file, at the highest level, so that no request has to wait for compression. */
export async function compressFiles(folder: string): Promise<void> {
  const files = (await readdir(folder)).filter((file) => COMPRESSIBLE.test(file))
  for (const file of files) {
    const content = await readFile(join(folder, file))
    for (const [extension, compress] of Object.entries(METHODS)) {
      await writeFile(join(folder, `${file}.${extension}`), await compress(content))
    }
  }
}
