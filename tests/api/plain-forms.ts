import { beforeAll } from 'vitest'
import { useApi } from '../support/api-server.ts'
import { leadForm } from '../support/factories.ts'
import { requireBuild } from '../support/processes.ts'
import { rawRequest } from '../support/raw-http.ts'
import { MAIN_HOST, PAGES, pageDataOf } from './pages-site.ts'

export const FORM_TYPE = 'application/x-www-form-urlencoded'

type Fields = Record<string, string | undefined>
type Options = { query?: string; headers?: Record<string, string>; url?: string; path?: string }

/** Returns the fields as a browser sends them: a ticked box is "on", an unticked one is absent. */
export function fieldsOf(overrides: Fields = {}): string {
  const { first_name, last_name, email, phone, zip_code, acceptance_message } = leadForm()
  const texts = { first_name, last_name, email, phone, zip_code, acceptance_message }
  const fields: Fields = { ...texts, acceptance_consent: 'on', page: '/', topic: '', ...overrides }
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined)
  return new URLSearchParams(sent as [string, string][]).toString()
}

/** Starts an API that serves the built pages, to post forms to as a browser without a script does. */
export function usePlainForms() {
  beforeAll(requireBuild)
  const { api, database } = useApi(PAGES)

  async function post(body: string, { query = '', headers = {}, url = api.url, path = '/api/leads' }: Options = {}) {
    const answer = await rawRequest(url, {
      method: 'POST',
      path: path + query,
      headers: {
        host: MAIN_HOST,
        accept: 'text/html',
        'content-type': FORM_TYPE,
        'content-length': String(Buffer.byteLength(body)),
        ...headers,
      },
      body,
    })
    return { ...answer, data: pageDataOf(answer.text) ?? undefined }
  }

  return { api, database, post, storedLeads: () => database.db('leads').select('*') }
}
