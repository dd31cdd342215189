import { PAGE_DATA_ID, type PageData } from '../../core/contract/page.ts'

/** Fills a page's content into the template, without its data. The placeholders are those of `web/index.html`. */
export function fillTemplate(template: string, { head, app }: { head: string; app: string }): string {
  // Functions, because a replacement string may contain `$&`.
  return template.replace('<!--head-->', () => head).replace('<!--app-->', () => app)
}

export function fillInData(html: string, data: PageData): string {
  const element = `<script type="application/json" id="${PAGE_DATA_ID}">${inScript(data)}</script>`
  return html.replace('<!--data-->', () => element)
}

/** Returns an element with data for search engines (JSON-LD 1.1), which browsers do not run. */
export function linkedDataElement(data: object): string {
  return `<script type="application/ld+json">${inScript(data)}</script>`
}

/** Returns JSON that cannot close the script element around it. */
function inScript(data: object): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}

export function linkElement(rel: string, href: string): string {
  return `<link rel="${rel}" href="${escapeAttribute(href)}">`
}

/** Returns a preload link for a style sheet, in the mode of Vite's own links. */
export function stylePreloadElement(href: string): string {
  return `<link rel="preload" as="style" crossorigin href="${escapeAttribute(href)}">`
}

export function propertyElement(property: string, content: string): string {
  return `<meta property="${property}" content="${escapeAttribute(content)}">`
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
