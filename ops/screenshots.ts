import { mkdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import sharp from 'sharp'
import { CHROMIUM_FLAGS, newForm } from '../bench/support.ts'
import { createLead } from '../core/contract/forms.ts'
import { SECOND } from '../core/contract/time.ts'
import { findChromium } from '../tests/support/chromium.ts'

/** The pages of the README's pictures, by the name of the file. */
const PICTURES = { site: '/', dashboard: '/admin?tab=leads' }
const FOLDER = new URL('../docs/pictures/', import.meta.url)
const PEOPLE = [
  ['Marcus', 'Bell', '78701'],
  ['Theo', 'Lindqvist', '98101'],
  ['Andre', 'Okafor', '10001'],
  ['Samuel', 'Reyes', '59718'],
  ['Victor', 'Halloran', '60601'],
  ['Daniel', 'Pruitt', '80202'],
]

/*
 * `npm run screenshots`: takes the README's pictures of a running `npm start`, whose people and clinics are fictional.
 * `SITE_URL` names another address than http://localhost:3000.
 */
const site = process.env.SITE_URL ?? 'http://localhost:3000'
for (const [index, [first_name, last_name, zip_code]] of PEOPLE.entries()) {
  const email = `${first_name}.${last_name}@visitors.example`.toLowerCase()
  const form = { ...JSON.parse(newForm()), first_name, last_name, email, phone: `(202) 555-01${20 + index}`, zip_code }
  const headers = { 'content-type': 'application/json' }
  await fetch(new URL(createLead.path, site), { method: createLead.method, headers, body: JSON.stringify(form) })
}
// The time in which they are delivered.
await sleep(10 * SECOND)

await mkdir(FOLDER, { recursive: true })
const browser = await chromium.launch({ executablePath: findChromium() ?? undefined, args: CHROMIUM_FLAGS })
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
for (const [name, path] of Object.entries(PICTURES)) {
  await page.goto(new URL(path, site).href)
  await page.waitForTimeout(3 * SECOND)
  // Off the banner, which is underlined under the pointer.
  await page.mouse.move(4, 890)
  const picture = await page.screenshot()
  await sharp(picture)
    .resize({ width: 1200 })
    .webp({ quality: 80 })
    .toFile(new URL(`${name}.webp`, FOLDER).pathname)
}
await browser.close()
