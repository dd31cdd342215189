import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PageData, PageFacts, RenderPage } from '../core/contract/page.ts'
import type { Mark, ProviderPoint } from '../core/contract/places.ts'
import { type KeptBody, keepBody } from './parse.ts'

export type Build = {
  rows: Map<string, PageFacts>
  prerendered: Map<string, KeptBody>
  notFound: KeptBody
  /** The page that only the browser renders. */
  shell: KeptBody
  render: RenderPage
  countryMarks(points: ProviderPoint[]): Mark[]
  /** Adds the data for the browser to a page. */
  fillInData(html: string, data: PageData): string
  /** The hash of the style sheet in each page, for the Content-Security-Policy. */
  styleHash: string
}

/** Reads the output of the web build in `root`. @param mainSite the data of the prerendered pages */
export async function openBuild(root: string, publicUrl: string, mainSite: PageData): Promise<Build> {
  // The build contains a placeholder for the address of the main site, which is a setting.
  const read = async (file: string) => {
    const text = await readFile(join(root, file), 'utf8')
    return text.replaceAll('https://main.invalid', publicUrl)
  }
  const [{ createRenderer, countryMarks, fillInData }, description, notFound, shell, files] = await Promise.all([
    import(pathToFileURL(join(root, 'server', 'server.js')).href),
    read('build.json'),
    read('not-found.html'),
    read('shell.html'),
    readdir(join(root, 'pages')),
  ])
  const prerendered = await Promise.all(
    files.map(async (file) => [pathOf(file), keepBody(fillInData(await read(join('pages', file)), mainSite))] as const),
  )
  const client: { rows: PageFacts[]; styleHash: string } = JSON.parse(description)
  return {
    rows: new Map(client.rows.map((row) => [row.path, row])),
    prerendered: new Map(prerendered),
    notFound: keepBody(fillInData(notFound, mainSite)),
    shell: keepBody(shell),
    render: createRenderer(client),
    countryMarks,
    fillInData,
    styleHash: client.styleHash,
  }
}

function pathOf(file: string): string {
  const name = file.replace('.html', '')
  return name === 'index' ? '/' : `/${name}`
}
