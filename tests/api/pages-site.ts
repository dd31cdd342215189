import { beforeAll } from 'vitest'
import { useApi } from '../support/api-server.ts'
import { createProvider } from '../support/factories.ts'
import { requireBuild } from '../support/processes.ts'
import { rawRequest } from '../support/raw-http.ts'

export const MAIN_HOST = 'www.leadwell.example'
export const MAIN = `https://${MAIN_HOST}`
/** The settings of an API that serves the built pages. */
export const PAGES = { PUBLIC_URL: MAIN, MAIN_DOMAIN: MAIN_HOST }
export const HTML = { accept: 'text/html' }

/** Starts an API that serves the built pages, with a clinic that has a site of its own. */
export function usePagesSite() {
  beforeAll(requireBuild)
  const { api, database } = useApi(PAGES, { isKept: true })
  let quill: number
  beforeAll(async () => {
    const clinic = {
      name: 'Dr. Rosa Quill',
      practice_name: 'Quill </script> Clinic',
      domain: 'Quill.example',
      website: 'quill-clinic.example',
      latitude: 30.27,
      longitude: -97.74,
      logo_url: '/demo/logo-austin.svg',
    }
    quill = (await createProvider(database.db, clinic)).id
  })

  /** Requests a page as a browser does for which `host` has the address of this machine. */
  async function get(path: string, host = MAIN_HOST) {
    const { status, headers, text } = await rawRequest(api.url, { path, headers: { host, ...HTML } })
    const linkedData = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1]
    return {
      status,
      headers,
      text,
      title: /<title>(.*?)<\/title>/.exec(text)?.[1],
      canonical: /<link rel="canonical" href="(.*?)">/.exec(text)?.[1],
      data: pageDataOf(text),
      linkedData: linkedData && JSON.parse(linkedData),
    }
  }

  return {
    ...{ api, database, get },
    /** The id of the clinic at quill.example. */
    get quill() {
      return quill
    },
  }
}

/** Returns the data that the server has put into a page; null if there is none. */
export function pageDataOf(html: string) {
  return JSON.parse(/<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null')
}
