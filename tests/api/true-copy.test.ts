import { expect, it } from 'vitest'
import { pages } from '../../web/pages.ts'
import { createProvider } from '../support/factories.ts'
import { usePagesSite } from './pages-site.ts'

const { database, get } = usePagesSite()

/** Every page for visitors; a token in the path is of no request. */
const PATHS = Object.values(pages)
  .filter(({ rendered, audience }) => rendered !== 'browser' && audience === undefined)
  .flatMap(({ path }) => {
    const known = path.replace(':token', 'token')
    const outcomes = ['?providerId=ID', '?providerId=ID&inReview=true', '?noProvider=true']
    return path === pages.success.path
      ? ['', ...outcomes].map((query) => known + query)
      : [known, `${known}?providerId=ID`]
  })

/** The refund policy says this, which is about no consultation. */
const OF_THE_SITE = 'This site is free to use.'

/** The map's filter says which other clinics offer it. */
const FILTER = /<label><input type="checkbox"\/>Free consultation.*?<\/label>/

/** Returns what a page says: its texts and its descriptions, without its data, scripts and styles. */
function wordsOf(html: string): string {
  return html
    .replace(OF_THE_SITE, '')
    .replace(/<(script|style)\b.*?<\/\1>/gs, ' ')
    .replace(/ (class|href|src|for|id|name|value)="[^"]*"/g, '')
    .replace(FILTER, '')
}

it('says nowhere that anything is free on the site of a clinic whose consultation is not', async () => {
  const { id } = await createProvider(database.db, {
    domain: 'paid.example',
    practice_name: 'Paid Clinic',
    accepts_free_consultation: false,
    accepts_financing: true,
  })
  for (const path of PATHS) {
    const { text } = await get(path.replace('ID', String(id)), 'paid.example')
    const found = wordsOf(text).match(/.{0,60}\bfree\b.{0,60}/gi)
    expect(found, path).toBeNull()
  }
  expect(wordsOf((await get(`/success?providerId=${id}`)).text)).not.toMatch(/\bfree\b/i)
})

it('says it on the site of a clinic whose consultation is', async () => {
  await createProvider(database.db, { domain: 'free.example', accepts_free_consultation: true })
  expect(wordsOf((await get('/', 'free.example')).text)).toMatch(/\bfree\b/i)
})
