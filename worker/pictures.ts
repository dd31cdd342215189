import { createHash } from 'node:crypto'
import sharp from 'sharp'
import type { Db } from '../core/platform/db.ts'
import * as pictures from '../core/stores/pictures.ts'
import { SECOND } from '../core/time.ts'
import * as http from './http.ts'

/** Limits of a picture. Times in milliseconds, sizes in bytes. */
export const PICTURE_LIMITS = {
  /** From the request to the last byte. */
  deadline: 15 * SECOND,
  size: 8 * 1024 * 1024,
  pixels: 40_000_000,
  redirects: 3,
}
export type PictureLimits = typeof PICTURE_LIMITS

/** In pixels: twice the 600 of the largest place, for screens with two pixels to the dot. */
const MAX_SIDE = 1200
const FORMATS = ['jpeg', 'png', 'webp', 'gif', 'svg', 'heif', 'avif']
const BATCH = 4

type Options = {
  /** The origin of the WordPress site, which may be in a private network because a setting names it. */
  trustedOrigin?: string
  limits?: PictureLimits
  signal?: AbortSignal
}

/**
 * Fetches the due pictures of providers, so that visitors' browsers load them from our host only.
 * @returns the number of fetched pictures
 */
export async function fetchPictures(db: Db, { signal, ...options }: Options = {}): Promise<number> {
  await pictures.register(db)
  let fetched = 0
  while (!signal?.aborted) {
    const due = await pictures.claim(db, BATCH)
    if (due.length === 0) break
    for (const sourceUrl of due) {
      try {
        await pictures.save(db, sourceUrl, await fetchPicture(sourceUrl, options))
        fetched += 1
      } catch (error) {
        if (!(error instanceof PictureError)) throw error
        await pictures.fail(db, sourceUrl, error.message)
      }
    }
  }
  return fetched
}

/** An unusable picture. The message is a sentence for staff. */
export class PictureError extends Error {
  override name = 'PictureError'
}

/**
 * Fetches a picture and re-encodes it as WebP without its metadata. Asks public addresses over https, and the WordPress
 * site.
 * @throws PictureError
 */
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

/**
 * Parses a picture's address. Foreign hosts are asked over https.
 * @throws PictureError unless it is a web address
 */
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

/** Re-encodes the picture, which removes anything hidden in it. */
async function encode(bytes: Buffer, { pixels }: PictureLimits): Promise<Buffer> {
  try {
    const image = sharp(bytes, { limitInputPixels: pixels })
    const { format } = await image.metadata()
    if (!FORMATS.includes(format)) throw new Error(`unexpected format ${format}`)
    return await image
      .rotate()
      .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82 })
      .toBuffer()
  } catch (error) {
    const isTooLarge = /exceeds pixel limit/.test((error as Error).message)
    throw new PictureError(
      isTooLarge ? `The picture has more than ${pixels / 1_000_000} million pixels.` : 'The file is not a picture.',
    )
  }
}
