import type Router from '@koa/router'
import * as pictures from '../../core/stores/pictures.ts'
import * as providers from '../../core/stores/providers.ts'
import { DAY } from '../../core/time.ts'
import type { Pages } from '../pages.ts'
import type { Services } from '../services.ts'

/** Serves the pictures of providers. Their names are hashes of their bytes, so browsers may cache them permanently. */
export function pictureRoutes(router: Router, { db }: Services, pages: Pages): void {
  const rounded = roundPictures()

  /** Serves the picture of a provider for e-mails. Its address says which provider it is, and nothing about the reader. */
  router.get('/pictures/clinic-:id.png', async (ctx) => {
    const id = /^\d{1,9}$/.test(ctx.params.id ?? '') ? Number(ctx.params.id) : 0
    const provider = await providers.find(db, id)
    const source = provider && (provider.status === 't' || !provider.hidden) ? provider.image_url : null
    const read = (path: string) =>
      path.startsWith('/pictures/') ? pictures.find(db, path.slice('/pictures/'.length)) : pages.file(path)
    const body = source && (await rounded(source, read))
    if (!body) return

    ctx.type = 'image/png'
    ctx.set('Cache-Control', `public, max-age=${DAY / 1000}`)
    // Mail programs show it on sites of their own.
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin')
    ctx.body = body
  })

  router.get('/pictures/:fileName', async (ctx) => {
    const { fileName = '' } = ctx.params
    const body = /^[0-9a-f]{32}\.webp$/.test(fileName) ? await pictures.find(db, fileName) : null
    if (!body) return

    ctx.type = 'image/webp'
    ctx.set('Cache-Control', `public, max-age=${(365 * DAY) / 1000}, immutable`)
    ctx.body = body
  })
}

/** In pixels: twice the place in the e-mail, for screens with two pixels to the dot. */
const SIDE = 144
const CIRCLE = Buffer.from(`<svg width="${SIDE}" height="${SIDE}"><circle cx="72" cy="72" r="72"/></svg>`)
/** About 15 KB each. */
const MAX_KEPT = 200

/**
 * Returns a function that cuts a picture to a circle, as PNG: Outlook shows neither WebP and SVG nor a round border. It keeps the
 * latest results. Null for what is missing or no picture.
 */
function roundPictures() {
  const kept = new Map<string, Promise<Buffer | null>>()
  return (source: string, read: (source: string) => Promise<Buffer | null>): Promise<Buffer | null> => {
    const known = kept.get(source)
    if (known) return known
    const made = read(source).then((bytes) => bytes && roundPicture(bytes))
    kept.set(source, made)
    made.then(
      (body) => body === null && kept.delete(source),
      () => kept.delete(source),
    )
    const oldest = kept.keys().next().value
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
    return made
  }
}

async function roundPicture(bytes: Buffer): Promise<Buffer | null> {
  // Loaded when it is first needed, because it is large.
  const { default: sharp } = await import('sharp')
  return sharp(bytes)
    .resize({ width: SIDE, height: SIDE, fit: 'cover' })
    .composite([{ input: CIRCLE, blend: 'dest-in' }])
    .png({ palette: true })
    .toBuffer()
    .catch(() => null)
}
