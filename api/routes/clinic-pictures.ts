import { readFile } from 'node:fs/promises'
import { join, normalize } from 'node:path'
import type Router from '@koa/router'
import { CLINIC_PICTURES, type ClinicPicture, versionOf } from '../../core/contract/clinic-pictures.ts'
import { ProviderParams } from '../../core/contract/providers.ts'
import * as pictures from '../../core/stores/pictures.ts'
import * as providers from '../../core/stores/providers.ts'
import { DAY, MINUTE } from '../../core/time.ts'
import { stateMap } from '../clinic-pictures/state-map.ts'
import type { Services } from '../services.ts'

/** The most pictures that are kept in memory. The largest have 200 KB, others less than 30 KB. */
const MAX_KEPT = 100

/** Loads what draws pictures of text on first use, because it takes 20 MB. */
async function loadPainters(fonts: string) {
  const [{ createTypesetter }, { clinicIcon }, { sharePicture }] = await Promise.all([
    import('../clinic-pictures/drawing.ts'),
    import('../clinic-pictures/clinic-icon.ts'),
    import('../clinic-pictures/share-picture.ts'),
  ])
  return { set: await createTypesetter(fonts), clinicIcon, sharePicture }
}

type Picture = Buffer | string | null

/**
 * Serves the pictures that we draw of active providers. Their addresses have the version of what they show, so browsers
 * may keep them permanently; without it, or with an old one, the present picture is served for a short time.
 * @param web the folder of the built web app
 */
export function clinicPictureRoutes(router: Router, { db }: Pick<Services, 'db'>, web: string): void {
  const kept = new Map<string, Promise<Picture>>()
  let painters: ReturnType<typeof loadPainters> | undefined

  router.get('/pictures/clinics/:providerId/:file', async (ctx) => {
    const file = CLINIC_PICTURES.find((each) => each === ctx.params.file)
    const params = ProviderParams.safeParse(ctx.params)
    const provider = file && params.success ? await providers.find(db, params.data.providerId) : null
    if (!file || provider?.status !== 't') return

    const version = versionOf(file, provider)
    const body = await keep(`${provider.id} ${file} ${version}`, () => draw(file, provider))
    if (body === null) return
    ctx.type = file.endsWith('.svg') ? 'image/svg+xml' : 'image/png'
    const isLasting = ctx.query.v === version
    ctx.set(
      'Cache-Control',
      isLasting ? `public, max-age=${(365 * DAY) / 1000}, immutable` : `public, max-age=${(5 * MINUTE) / 1000}`,
    )
    ctx.body = body
  })

  /** Draws a picture once for all who ask for it. The one that was not asked for the longest is dropped first. */
  function keep(key: string, make: () => Promise<Picture>): Promise<Picture> {
    const known = kept.get(key)
    kept.delete(key)
    const picture = known ?? make()
    kept.set(key, picture)
    picture.catch(() => kept.delete(key))
    const [oldest] = kept.keys()
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
    return picture
  }

  async function draw(file: ClinicPicture, provider: providers.Provider): Promise<Picture> {
    const { latitude, longitude, practiceName, city, state } = provider
    if (file === 'map.svg') return latitude === null || longitude === null ? null : stateMap({ latitude, longitude })
    painters ??= loadPainters(join(web, 'fonts')).catch((error) => {
      painters = undefined
      throw error
    })
    const { set, clinicIcon, sharePicture } = await painters
    const name = practiceName || provider.name
    if (file === 'icon.png') return clinicIcon(set, name)
    const place = city && state ? `${city}, ${state}` : null
    return sharePicture(set, { name, place, picture: await pictureAt(provider.image_url) })
  }

  /** Returns the bytes of a provider's own picture: our copy of it, or a file of our own site. */
  async function pictureAt(address: string | null): Promise<Buffer | null> {
    if (!address?.startsWith('/')) return null
    const copy = /^\/pictures\/([0-9a-f]{32}\.webp)$/.exec(address)?.[1]
    if (copy) return pictures.find(db, copy)
    const root = join(web, 'client')
    const path = normalize(join(root, address))
    return path.startsWith(`${root}/`) ? readFile(path).catch(() => null) : null
  }
}
