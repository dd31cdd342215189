import { text } from 'node:stream/consumers'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { prerenderToNodeStream } from 'react-dom/static'
import { StaticRouter } from 'react-router-dom'
import type { PageData } from '../../core/contract/page.ts'
import { PageDataContext } from '../../web/lib/page-data.ts'

const MAIN_SITE: PageData = {
  mainDomain: 'www.leadwell.example',
  timeZone: 'America/New_York',
  mapTiles: { url: 'https://tiles.example/{z}/{x}/{y}.png', attribution: '' },
  hostProvider: null,
}

/** The HTML that the server makes of a part of a page at an address. */
export function render(part: ReactNode, address = '/', data: Partial<PageData> = {}): string {
  return renderToString(onPage(part, address, data))
}

/** As above, with what is loaded lazily. */
export async function renderLazyParts(part: ReactNode, address = '/', data: Partial<PageData> = {}): Promise<string> {
  const { prelude } = await prerenderToNodeStream(onPage(part, address, data))
  return text(prelude)
}

function onPage(part: ReactNode, address: string, data: Partial<PageData>) {
  return (
    <PageDataContext value={{ ...MAIN_SITE, ...data }}>
      <StaticRouter location={address}>{part}</StaticRouter>
    </PageDataContext>
  )
}

/** The opening tag that contains a text, else undefined. */
export function tagWith(html: string, text: string): string | undefined {
  return html.match(/<[a-z][^>]*>/g)?.find((tag) => tag.includes(text))
}
