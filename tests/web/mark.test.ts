import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { expect, it } from 'vitest'

const PUBLIC = new URL('../../web/public/', import.meta.url)

it('the mark in e-mails is the drawing of the favicon, as the kind of picture that each mail program shows', async () => {
  const file = await readFile(new URL('art/mark.png', PUBLIC))
  const { width, height, format } = await sharp(file).metadata()
  expect({ width, height, format }).toEqual({ width: 120, height: 120, format: 'png' })
  const drawn = sharp(await readFile(new URL('favicon.svg', PUBLIC)), { density: 360 }).resize(120, 120)
  const [mark, favicon] = await Promise.all([sharp(file), drawn].map((image) => image.ensureAlpha().raw().toBuffer()))
  const different = mark?.filter((value, index) => Math.abs(value - (favicon?.[index] ?? 0)) > 24).length
  expect(different).toBe(0)
})
