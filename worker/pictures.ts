import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { SECOND } from '../core/contract/time.ts'
import type { Db } from '../core/platform/db.ts'
import * as providerRecord from '../core/providers/stores/provider-record.ts'
import * as http from './http.ts'

/** Limits of a picture. Times in milliseconds, sizes in bytes. */
export const PICTURE_LIMITS = {
  /** From the request to the last byte. */
  deadline: 15 * SECOND,
  /** From the first byte in the decoder to the last one out of it. */
  decoding: 10 * SECOND,
  size: 8 * 1024 * 1024,
  pixels: 40_000_000,
  redirects: 3,
}
type PictureLimits = typeof PICTURE_LIMITS

/** In pixels: twice the 600 of the largest place, for screens with two pixels to the dot. */
const MAX_SIDE = 1200
const BATCH = 4

type Options = {
  /** The origin of the WordPress site, which may be in a private network because a setting names it. */
  trustedOrigin?: string
  limits?: PictureLimits
  signal?: AbortSignal
}

/** Fetches the due pictures, so that browsers load them from our host only. Returns how many were fetched. */
export async function fetchPictures(db: Db, { signal, ...options }: Options = {}): Promise<number> {
  await providerRecord.register(db)
  let fetched = 0
  while (!signal?.aborted) {
    const due = await providerRecord.claim(db, BATCH)
    if (due.length === 0) break
    for (const sourceUrl of due) {
      try {
        await providerRecord.save(db, sourceUrl, await fetchPicture(sourceUrl, options))
        fetched += 1
      } catch (error) {
        if (!(error instanceof PictureError)) throw error
        await providerRecord.fail(db, sourceUrl, error.message)
      }
    }
  }
  return fetched
}

/** An unusable picture. The message is a sentence for staff. */
class PictureError extends Error {
  override name = 'PictureError'
}

/** Re-encodes a picture as WebP without metadata. Only the WordPress site may be private. @throws PictureError */
export async function fetchPicture(
  address: string,
  { trustedOrigin, limits = PICTURE_LIMITS }: Omit<Options, 'signal'>,
) {
  const body = await encode(await download(address, trustedOrigin, limits), limits)
  return { body, fileName: `${createHash('sha256').update(body).digest('hex').slice(0, 32)}.webp` }
}

async function download(address: string, trustedOrigin: string | undefined, limits: PictureLimits): Promise<Buffer> {
  const isTrusted = ({ origin }: URL) => origin === trustedOrigin
  try {
    const response = await http.request(pictureUrl(address, isTrusted), {
      headers: { accept: 'image/*' },
      timeout: limits.deadline,
      maxRedirects: limits.redirects,
      redirect: (from, location) => pictureUrl(location, isTrusted, from),
      isTrusted,
    })
    if (response.status !== 200) {
      await http.discard(response)
      throw new PictureError(`The server of the picture answered ${response.status}.`)
    }
    const { bytes, isWhole } = await http.readBytes(response, limits.size)
    if (!isWhole) throw new PictureError(`The picture is larger than ${Math.round(limits.size / 1024 / 1024)} MB.`)
    return bytes
  } catch (error) {
    if (error instanceof PictureError) throw error
    throw new PictureError(problemOf(http.asHttpError(error), limits))
  }
}

/** Foreign hosts are asked over https. @throws PictureError unless it is a web address */
function pictureUrl(address: string, isTrusted: (url: URL) => boolean, base?: URL): URL {
  if (!URL.canParse(address, base)) throw new PictureError('The address of the picture is no web address.')
  const url = new URL(address, base)
  if (!isTrusted(url) && url.protocol === 'http:') url.protocol = 'https:'
  if (!/^https?:$/.test(url.protocol)) throw new PictureError('The address of the picture is no web address.')
  return url
}

function problemOf({ reason }: http.HttpError, { deadline }: PictureLimits): string {
  if (reason === 'timeout') return `The picture did not come within ${deadline / SECOND} seconds.`
  if (reason === 'not_public') return 'The address of the picture is not public.'
  if (reason === 'redirect_loop') return 'The address of the picture redirects too often.'
  return 'The picture could not be reached.'
}

/**
 * The decoder: reads a picture from its standard input and writes it as WebP, without metadata, to its standard output. Only
 * these formats can be opened. SVG is none of them, because drawing one can take hours. It ends itself if its parent was
 * killed, and by a signal, because a normal exit waits for what libvips is doing.
 */
const DECODER = `
const [, sharpPath, options] = process.argv
const { pixels, side, decoding } = JSON.parse(options)
setTimeout(() => process.kill(process.pid, 'SIGKILL'), decoding + 1000).unref()
const sharp = require(sharpPath)
sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((format) => 'VipsForeignLoad' + format) })
const parts = []
process.stdin.on('data', (part) => parts.push(part)).on('end', async () => {
  try {
    const body = await sharp(Buffer.concat(parts), { limitInputPixels: pixels })
      .rotate()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82 })
      .toBuffer()
    process.stdout.write(body)
  } catch (error) {
    process.stderr.write(error.message)
    process.exitCode = 1
  }
})
`
const SHARP = createRequire(import.meta.url).resolve('sharp')
/** In bytes: more than a WebP of that size ever has. */
const MAX_ENCODED = 16 * 1024 * 1024
const IS_SVG = /^\s*<(\?xml|!doctype svg|!--|svg)/i

/** Decodes in a process of its own, without our settings, that is killed after the deadline. Removes all metadata. */
async function encode(bytes: Buffer, { pixels, decoding }: PictureLimits): Promise<Buffer> {
  if (IS_SVG.test(bytes.toString('latin1', 0, 200).replace(/^\u00ef\u00bb\u00bf/, '')))
    throw new PictureError('The picture is an SVG, which is not accepted. Please use JPEG, PNG or WebP.')
  const options = JSON.stringify({ pixels, side: MAX_SIDE, decoding })
  return new Promise((resolve, reject) => {
    const decoder = execFile(
      process.execPath,
      ['--eval', DECODER, SHARP, options],
      { encoding: 'buffer', env: {}, timeout: decoding, killSignal: 'SIGKILL', maxBuffer: MAX_ENCODED },
      (error, body, problem) => {
        if (!error) return resolve(body)
        if (error.killed)
          return reject(new PictureError(`The picture took longer than ${decoding / SECOND} seconds to decode.`))
        const isTooLarge = /exceeds pixel limit/.test(String(problem))
        reject(
          new PictureError(
            isTooLarge
              ? `The picture has more than ${pixels / 1_000_000} million pixels.`
              : 'The file is not a picture.',
          ),
        )
      },
    )
    // A decoder that ends early does not read the rest.
    decoder.stdin?.on('error', () => {}).end(bytes)
  })
}
