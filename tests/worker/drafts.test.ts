import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { certifyApplication } from '../../core/commands/applications/certify-application.ts'
import { retryDeliveries } from '../../core/commands/retry-deliveries.ts'
import type { NewApplication } from '../../core/contract/applications.ts'
import * as details from '../../core/stores/application-details.ts'
import * as attention from '../../core/stores/attention.ts'
import { slugOf } from '../../core/stores/provider-drafts.ts'
import { testEnv } from '../support/env.ts'
import { createApplication, createProvider } from '../support/factories.ts'
import { found } from '../support/found.ts'
import { useLeadJobs } from '../support/lead-jobs.ts'
import { failure, startWordPress, type TestWordPress, type WordPressOptions } from '../support/wordpress-server.ts'

const { worker, run } = useLeadJobs()
const STAFF = { actor: 'staff' }
let wordpress: TestWordPress
beforeEach(() => start())
afterEach(() => wordpress.close())

async function start(options: WordPressOptions = {}, overrides: Record<string, string> = {}) {
  await wordpress?.close()
  wordpress = await startWordPress({ user: 'leadwell', password: 'app password', ...options })
  const settings = {
    WORDPRESS_URL: wordpress.url,
    ...{ WORDPRESS_USER: 'leadwell', WORDPRESS_APP_PASSWORD: 'app password', WORDPRESS_DRAFTS: 'on' },
  }
  worker.env = testEnv({ ...settings, ...overrides })
}

async function certified(form: Partial<NewApplication> = {}) {
  const id = await createApplication(worker.db, { form: { name: 'Dr. Ines Calloway', ...form } })
  await certifyApplication(
    worker.db,
    id,
    { active: true, match_waiting: false, waitingDays: 30, makesDraft: true },
    STAFF,
  )
  return id
}
const jobOf = async (id: number) =>
  found(
    await worker.db('jobs').where({ application_id: id, name: 'create-draft' }).orderBy('generation', 'desc').first(),
  )
const attemptDraft = async (id: number) => {
  await run((await jobOf(id)).id)
  return jobOf(id)
}
const clinicOf = async (id: number) => found(await details.findProvider(worker.db, id))

describe('the draft of a certified clinic', () => {
  it('has what the sync reads, and is noted at the clinic', async () => {
    const form = { practice_name: 'Quill & Søn Clinic', email: 'desk@quill.example', zip_code: '78701' }
    const id = await certified({ ...form, phone: '(512) 555-0199', website: 'https://quill.example' })
    expect(await attemptDraft(id)).toMatchObject({ state: 'done', result: { postId: 1 } })
    expect(wordpress.posts).toEqual([
      {
        ...{ id: 1, status: 'draft', slug: slugOf(id, form.practice_name), title: 'Dr. Ines Calloway', meta: {} },
        acf: {
          practice_name: 'Quill & Søn Clinic',
          zip_code: '78701',
          email: 'desk@quill.example',
          phone: '(512) 555-0199',
          website: 'https://quill.example',
        },
      },
    ])
    expect((await clinicOf(id)).draft).toEqual({ post_id: 1, state: 'done', error: null })
  })

  it('is written into registered meta, by the types of its schema', async () => {
    const schema = {
      meta: {
        zip: { type: 'string' },
        email: { type: 'string' },
        active: { type: 'boolean' },
        phone: { type: 'array' },
      },
    }
    await start({ schema, permalinks: 'plain' }, { WORDPRESS_FIELDS: '{"phone": "meta.phone", "practiceName": null}' })
    await attemptDraft(await certified({ phone: '(512) 555-0199' }))
    expect(wordpress.posts[0]?.meta).toMatchObject({ zip: '78701', active: true, phone: ['(512) 555-0199'] })
  })

  it('is made once, also when the worker was killed before it noted the answer', async () => {
    const id = await certified()
    await attemptDraft(id)
    await worker.db('providers').update({ draft_id: null })
    await worker.db('jobs').where({ name: 'create-draft' }).update({ state: 'waiting', finished_at: null })
    expect(await attemptDraft(id)).toMatchObject({ state: 'done', result: { postId: 1 } })
    expect(wordpress.posts).toHaveLength(1)
    expect((await clinicOf(id)).draft?.post_id).toBe(1)
  })

  it('is not made again for a clinic that has one', async () => {
    const id = await certified()
    await attemptDraft(id)
    await worker.db('jobs').where({ name: 'create-draft' }).update({ state: 'waiting', finished_at: null })
    expect(await attemptDraft(id)).toMatchObject({
      state: 'cancelled',
      last_error: 'The clinic has a post already.',
    })
  })

  it('never takes a post of somebody else', async () => {
    const id = await certified({ practice_name: 'Quill Clinic' })
    const post = { ...{ id: 7, status: 'publish', title: 'Another', acf: {}, meta: {} } }
    wordpress.posts.push({ ...post, slug: slugOf(id, 'Quill Clinic') })
    expect(await attemptDraft(id)).toMatchObject({
      state: 'failed',
      last_error: expect.stringContaining('Another post of WordPress has the slug'),
    })
  })

  it('that a sync has made another clinic of meanwhile is not taken', async () => {
    const id = await certified()
    await attemptDraft(id)
    await worker.db('providers').update({ draft_id: null })
    await createProvider(worker.db, { wordpress_id: 1 })
    await worker.db('jobs').where({ name: 'create-draft' }).update({ state: 'waiting', finished_at: null })
    expect(await attemptDraft(id)).toMatchObject({
      state: 'failed',
      last_error: expect.stringContaining('A sync has read the draft already'),
    })
  })

  it.each<[string, WordPressOptions, Record<string, string>, string, string]>([
    ['a wrong password', { password: 'another' }, {}, 'credentials', 'does not let WORDPRESS_USER'],
    ['a user who may not', { isSubscriber: true }, {}, 'credentials', 'does not let WORDPRESS_USER list its drafts'],
    ['an unknown type', {}, { WORDPRESS_POST_TYPE: 'people' }, 'wrong_address', '(404 rest_no_route)'],
    [
      'no field for the zip code',
      { schema: { acf: { email: { type: 'string' } } } },
      {},
      'unknown_property',
      'zip code',
    ],
  ])('fails for good with %s, and says what to do', async (_, options, overrides, cause, words) => {
    await start(options, overrides)
    const id = await certified()
    const failed = await attemptDraft(id)
    expect(failed).toMatchObject({ state: 'failed', last_cause: cause })
    expect(failed.last_error).toContain(words)
    expect(wordpress.posts).toEqual([])
    expect(await attention.list(worker.db, { aside: false, waitingDays: 0 })).toMatchObject({
      lines: [{ kind: 'application', applicationId: id, draftError: failed.last_error }],
      counts: { application: 1 },
    })

    await start()
    await retryDeliveries(worker.db, { jobId: failed.id }, STAFF)
    expect(await attemptDraft(id)).toMatchObject({ state: 'done', generation: 2 })
    expect((await attention.list(worker.db, { aside: false, waitingDays: 0 })).lines).toEqual([])
  })

  it('is tried again later while WordPress is away', async () => {
    const id = await certified()
    await wordpress.close()
    expect(await attemptDraft(id)).toMatchObject({ state: 'waiting', last_cause: 'unreachable', attempts: 1 })
  }, 20_000)

  it('that WordPress refuses says so in its words', async () => {
    wordpress.intercept((_page, answer) => (answer.status === 201 ? failure(400, 'rest_invalid_param') : answer))
    expect(await attemptDraft(await certified())).toMatchObject({
      ...{ state: 'failed', last_cause: 'refused', last_detail: 'Sorry.' },
      last_error: expect.stringContaining('(400 rest_invalid_param)'),
    })
  })

  it('is not made while drafts are switched off', async () => {
    const id = await certified()
    worker.env = testEnv({ WORDPRESS_URL: wordpress.url })
    expect(await attemptDraft(id)).toMatchObject({ state: 'cancelled' })
    expect(wordpress.requests).toEqual([])
  })
})

it.each([
  ['Quill & Søn’s Clinic', 'quill-s-ns-clinic'],
  ['  Café Médical — Austin ', 'cafe-medical-austin'],
  ['泌尿科', ''],
])('the slug of %j names the clinic and its application', (name, words) => {
  expect(slugOf(12, name)).toBe([words, '12'].filter(Boolean).join('-'))
})
