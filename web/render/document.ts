import { PAGE_DATA_ID, type PageData } from '../../core/contract/page.ts'

/** Puts a page together, all but its data. The marks in the template are those of `web/index.html`. */
export function fillTemplate(template: string, { head, app }: { head: string; app: string }): string {
  // By functions, because a text may hold `$&`.
  return template.replace('<!--head-->', () => head).replace('<!--app-->', () => app)
}

/** Adds the element from which the browser reads what the server knew. */
export function fillInData(html: string, data: PageData): string {
  const element = `<script type="application/json" id="${PAGE_DATA_ID}">${inScript(data)}</script>`
  return html.replace('<!--data-->', () => element)
}

/** Data for search engines (JSON-LD 1.1), which browsers do not run. */
export function linkedDataElement(data: object): string {
  return `<script type="application/ld+json">${inScript(data)}</script>`
}

/** JSON that cannot end the element that it is in. */
function inScript(data: object): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}

export function linkElement(rel: string, href: string): string {
  return `<link rel="${rel}" href="${escapeAttribute(href)}">`
}

/** A style sheet for later, in the mode in which Vite's own links ask for it. */
export function stylePreloadElement(href: string): string {
  return `<link rel="preload" as="style" crossorigin href="${escapeAttribute(href)}">`
}

export function propertyElement(property: string, content: string): string {
  return `<meta property="${property}" content="${escapeAttribute(content)}">`
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
