import { copyFile, readFile, writeFile } from 'node:fs/promises'
import subsetFont from 'subset-font'

const SOURCE = new URL('../node_modules/@fontsource-variable/newsreader/', import.meta.url)
const FOLDER = new URL('../web/fonts/', import.meta.url)

/** The letters of headings. A page loads the package's own file for any other letter. See `app.css`. */
const LETTERS = `${range(' ', '~')}\u00a0©·–—‘’“”•…`

/*
 * `npm run font`: writes the serif of headings, `web/fonts/newsreader-display.woff2`. It has one axis of sizes from 24 to
 * 72 px, so that large headings get the display cut, and the weights 400 to 500. Run it after an upgrade of the package.
 */
const font = await readFile(new URL('files/newsreader-latin-opsz-normal.woff2', SOURCE))
const axes = { opsz: { min: 24, max: 72 }, wght: { min: 400, max: 500 } }
await writeFile(
  new URL('newsreader-display.woff2', FOLDER),
  await subsetFont(font, LETTERS, { targetFormat: 'woff2', variationAxes: axes }),
)
await copyFile(new URL('LICENSE', SOURCE), new URL('LICENSE', FOLDER))

function range(first: string, last: string): string {
  const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)]
  return String.fromCharCode(...Array.from({ length: to - from + 1 }, (_, index) => from + index))
}
