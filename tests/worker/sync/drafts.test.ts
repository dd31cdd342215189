import { beforeEach, describe, expect, it } from 'vitest'
import { createProvider } from '../../support/factories.ts'
import { clinicPost } from '../../support/wordpress-server.ts'
import { useSyncSite } from './sync.ts'

const site = useSyncSite({ user: 'leadwell', password: 'app' })
const DRAFT = 9

/** A clinic that was certified here, with a draft in WordPress, beside one that was synced before. */
let clinic: number
beforeEach(async () => {
  site.wordpress.posts.push(clinicPost(1))
  await site.sync()
  const row = { name: 'Dr. Ines Calloway', practice_name: 'Quill Clinic', email: `clinic${DRAFT}@clinics.example` }
  clinic = (await createProvider(site.db, { ...row, draft_id: DRAFT })).id
})
const own = async () => (await site.providers()).find(({ id }) => id === clinic)
const post = (overrides = {}) => clinicPost(DRAFT, { title: 'Dr. Ines Calloway', ...overrides })

describe('the draft of a clinic', () => {
  it('becomes its post once it is published, and no second clinic is made', async () => {
    site.wordpress.posts.push(post())
    const run = await site.sync()
    expect(run).toMatchObject({ state: 'done', counts: { created: 0, updated: 1 } })
    expect(await site.providers()).toHaveLength(2)
    expect(await own()).toMatchObject({
      wordpress_id: DRAFT,
      draft_id: null,
      status: 't',
      practice_name: `Clinic ${DRAFT}`,
    })

    // From now on, it is one of WordPress's.
    expect((await site.sync()).counts).toMatchObject({ unchanged: 2 })
  })

  it('is only announced by a dry run', async () => {
    site.wordpress.posts.push(post())
    const run = await site.sync({ dryRun: true })
    expect(run.changes).toMatchObject([{ kind: 'update', wordpress_id: DRAFT, provider_id: clinic }])
    expect(await own()).toMatchObject({ wordpress_id: null, draft_id: DRAFT })
  })

  it('activates a clinic that was certified as inactive, once it is published', async () => {
    await site.db('providers').where({ id: clinic }).update({ status: 'f', hidden: true })
    site.wordpress.posts.push(post())
    await site.sync()
    expect(await own()).toMatchObject({ wordpress_id: DRAFT, status: 't', hidden: false })
  })

  it.each(['draft', 'pending', 'private'])(
    'that is %s neither hides its clinic nor makes another one',
    async (status) => {
      const both = {
        WORDPRESS_POST_STATUS: `publish,${status}`,
        WORDPRESS_USER: 'leadwell',
        WORDPRESS_APP_PASSWORD: 'app',
      }
      site.wordpress.posts.push(post({ status }))
      for (const _ of [1, 2, 3]) await site.sync({ settings: both })
      expect(await site.providers()).toHaveLength(2)
      expect(await own()).toMatchObject({
        wordpress_id: null,
        draft_id: DRAFT,
        status: 't',
        hidden: false,
        missed_syncs: 0,
      })
    },
  )

  it('that is deleted leaves its clinic as it is', async () => {
    for (const _ of [1, 2, 3]) await site.sync()
    expect(await own()).toMatchObject({ draft_id: DRAFT, status: 't', missed_syncs: 0 })
  })
})
