import { describe, expect, it } from 'vitest'
import { createStaff } from '../support/factories.ts'
import { startSite } from '../support/site.ts'
import { waitFor } from '../support/wait.ts'

describe('An API without a shared password', () => {
  const HOW = 'npm run staff -- add'

  it('starts, and says how to make the first manager until there is one', async () => {
    const site = await startSite()
    const settings = { ADMIN_PASSWORD: '', LOG_LEVEL: 'info' }
    const first = await site.startApi(settings)
    await waitFor('the log to say how', () => first.output().includes(HOW))
    await first.kill('SIGTERM')

    await createStaff(site.db)
    const second = await site.startApi(settings)
    expect((await (await fetch(`${second.url}/api/session`)).json()).ways).toMatchObject({
      account: true,
      shared: false,
    })
    await second.kill('SIGTERM')
    expect(second.output()).not.toContain(HOW)
  })
})
