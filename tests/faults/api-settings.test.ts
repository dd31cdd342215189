import { describe, expect, it, onTestFinished } from 'vitest'
import { rawEnv } from '../support/env.ts'
import { createStaff } from '../support/factories.ts'
import { launchProcess } from '../support/processes.ts'
import { startSite } from '../support/site.ts'
import { waitFor } from '../support/wait.ts'

describe('An API with a shared password that is easy to guess', () => {
  it('says so and ends, in production', async () => {
    const settings = {
      NODE_ENV: 'production',
      TRUST_PROXY_HOPS: '0',
      REDIS_URL: 'redis://127.0.0.1:1',
      ADMIN_PASSWORD: 'password1234',
    }
    const api = launchProcess('api', rawEnv(settings))
    onTestFinished(() => void api.kill('SIGKILL'))

    expect(await api.ended).toEqual({ code: 1, signal: null })
    expect(api.output()).toContain('ADMIN_PASSWORD is easy to guess')
    expect(api.output()).not.toContain('password1234')
  })
})

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
