import { describe, expect, it } from 'vitest'
import { CALLS } from '../../api/routes/openapi.ts'
import { useApi } from '../support/api-server.ts'
import { createProvider } from '../support/factories.ts'
import { staffBrowsers } from '../support/staff-browsers.ts'

const { api, database } = useApi({ REQUIRE_SECOND_FACTOR: 'managers', ADMIN_PASSWORD: '' })

const browsers = staffBrowsers(api, database)
const signedIn = (role: string) => browsers.signedIn({ role })

describe('an account that must have a second factor and has none', () => {
  it('is signed in, and told what to do', async () => {
    const { session } = await signedIn('manager')
    expect(session).toMatchObject({ authenticated: true, two_step: false, lacks_factor: true })
  })

  it('can do nothing but set one up', async () => {
    const { browser, id } = await signedIn('manager')
    const calls = CALLS.filter(
      ({ access, beforeSecondFactor }) => access !== 'public' && access !== 'clinic' && !beforeSecondFactor,
    )
    expect(calls.length).toBeGreaterThan(40)
    for (const { method, path } of calls) {
      const address = path.replace(/:\w+/, String(id))
      const { status, body } = await browser.call(method, address)
      expect({ path, status, code: body.code }).toEqual({ path, status: 403, code: 'second_factor_required' })
    }
  })

  it('sees what a visitor sees where a call answers staff with more', async () => {
    const { id } = await createProvider(database.db)
    const { browser } = await signedIn('manager')
    expect(JSON.stringify((await browser.call('GET', `/api/providers/${id}`)).body)).not.toContain('@clinics.example')
    await browser.addApp()
    expect(JSON.stringify((await browser.call('GET', `/api/providers/${id}`)).body)).toContain('@clinics.example')
  })

  it('is locked again when a manager has reset it, or a role came with the duty', async () => {
    const [ada, ben] = [await signedIn('manager'), await signedIn('viewer')]
    await ada.browser.addApp()
    expect((await ben.browser.call('GET', '/api/leads')).status).toBe(200)
    await ada.browser.call('PATCH', `/api/staff/${ben.id}`, { role: 'manager' })
    expect((await ben.browser.call('GET', '/api/leads')).body.code).toBe('second_factor_required')
  })
})

it('an account that must have a second factor keeps it, and may set it up on another phone', async () => {
  const { browser } = await signedIn('manager')
  await browser.addApp()
  expect((await browser.call('DELETE', '/api/second-factor')).status).toBe(409)
  expect((await browser.addApp()).recoveryCodes).toHaveLength(10)
  expect((await browser.call('GET', '/api/second-factor')).body.required).toBe(true)
})

it('an account of another role is not asked for one', async () => {
  const { browser, session } = await signedIn('agent')
  expect(session).toMatchObject({ authenticated: true, lacks_factor: false })
  expect((await browser.call('GET', '/api/leads')).status).toBe(200)
})
