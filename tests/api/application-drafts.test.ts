import { describe, expect, it } from 'vitest'
import { useApi, useStaff } from '../support/api-server.ts'
import { createApplication } from '../support/factories.ts'
import { found } from '../support/found.ts'

const { api, database } = useApi({
  ...{ WORDPRESS_URL: 'https://clinics.example', WORDPRESS_USER: 'leadwell', WORDPRESS_APP_PASSWORD: 'app password' },
  WORDPRESS_DRAFTS: 'on',
})
const staff = useStaff(database)
const call = (method: string, path: string, body?: object) =>
  api.call(method, `/api/provider-applications${path}`, body, staff)

async function certified() {
  const id = await createApplication(database.db)
  expect((await call('POST', `/${id}/certify`, { active: true })).body).toEqual({ success: true })
  return id
}
const draftOf = async (id: number) => (await call('GET', `/${id}`)).body.provider.draft

describe('certifying where drafts are on', () => {
  it('makes the clinic now, and adds the job of its draft', async () => {
    const id = await certified()
    expect(await database.db('providers')).toMatchObject([{ status: 't', wordpress_id: null, draft_id: null }])
    expect(await draftOf(id)).toMatchObject({ post_id: null, error: null })
    const { jobs } = (await call('GET', `/${id}/jobs`)).body
    expect(jobs.map(({ name }: { name: string }) => name)).toContain('create-draft')
    expect((await api.call('GET', '/api/settings', undefined, staff)).body.wordpress_drafts).toBe(true)
  })

  it('says nothing of a draft that is published', async () => {
    const id = await certified()
    await database.db('providers').update({ wordpress_id: 12 })
    expect(await draftOf(id)).toBeNull()
  })

  it('retries a draft that failed, once, and not the e-mails', async () => {
    const id = await certified()
    const failed = { state: 'failed', last_cause: 'refused', last_error: 'No.', finished_at: new Date() } as const
    await database.db('jobs').where({ name: 'create-draft' }).update(failed)
    expect(await draftOf(id)).toEqual({ post_id: null, state: 'failed', error: 'No.' })

    expect((await call('POST', `/${id}/retry-draft`)).body).toEqual({ success: true })
    const jobs = await database.db('jobs').where({ name: 'create-draft' }).orderBy('generation')
    expect(jobs.map(({ generation }) => generation)).toEqual([1, 2])
    const [act] = (await api.call('GET', '/api/audit-log', undefined, staff)).body.lines
    expect(act).toMatchObject({ action: 'retry-job', entity: 'application', entity_id: String(id) })

    await database
      .db('jobs')
      .where({ id: found(jobs[1]).id })
      .update({ state: 'done', finished_at: new Date() })
    expect((await call('POST', `/${id}/retry-draft`)).status).toBe(409)
    await call('POST', `/${id}/retry-email`)
    expect(await database.db('jobs').where({ name: 'create-draft' })).toHaveLength(2)
  })

  it('knows no draft of an application that was not certified', async () => {
    const id = await createApplication(database.db)
    expect((await call('POST', `/${id}/retry-draft`)).status).toBe(404)
  })
})
