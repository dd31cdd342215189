import { text } from 'node:stream/consumers'
import { StrictMode } from 'react'
import { prerenderToNodeStream } from 'react-dom/static'
import { StaticRouter } from 'react-router-dom'
import type { PageRequest, RenderPage } from '../../core/contract/page.ts'
import { App } from '../app.tsx'
import { AppRoutes } from '../routes.tsx'
import { describePage } from './description.ts'
import { fillTemplate } from './document.ts'

type Build = {
  /** The built `index.html`, with its marks. */
  template: string
  /** By path, the links to the scripts and styles of a page. */
  links: Record<string, string>
}

export { countryMarks } from '../shared/map/country-marks.ts'
export { fillInData } from './document.ts'

/**
 * Renders any public page, all but its data: at build time those that are the same for everybody, in the API all others.
 */
export function createRenderer({ template, links }: Build): RenderPage {
  return async (request) => {
    const { head, app } = await renderApp(request)
    const { pathname } = new URL(request.url, request.origin)
    return fillTemplate(template, { head: (links[pathname] ?? '') + head + describePage(request), app })
  }
}

/** A page without content, which the browser draws: the staff's. */
export function renderShell({ template }: Build): string {
  const app = '<noscript>This page needs JavaScript. Please enable it and reload the page.</noscript>'
  return fillTemplate(template, { head: '', app })
}

async function renderApp({ url, data }: PageRequest): Promise<{ head: string; app: string }> {
  let fault: unknown
  const { prelude } = await prerenderToNodeStream(
    <StrictMode>
      <App data={data}>
        <StaticRouter location={url}>
          <AppRoutes />
        </StaticRouter>
      </App>
    </StrictMode>,
    {
      // React would send what is large in a piece of its own, with an inline script that our policy refuses.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError(error) {
        fault ??= error
      },
    },
  )
  const html = await text(prelude)
  if (fault) throw fault

  // Titles, descriptions and preloads come first; the app itself starts with its only <div>.
  const start = html.indexOf('<div')
  return { head: html.slice(0, start), app: html.slice(start) }
}
