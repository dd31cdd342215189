import { expect, it } from 'vitest'
import { isOwnHost } from '../../../core/rules/own-hosts.ts'

it.each([
  'www.velmora.example',
  'WWW.Velmora.example',
  'velmora.example',
  'admin.velmora.example',
  'mail.velmora.example',
  'www.www.velmora.example',
  'api.www.velmora.example',
])('%s is the main site’s own', (host) => expect(isOwnHost(host, 'www.velmora.example')).toBe(true))

it.each([
  'austin.velmora.example',
  'clinic.example',
  'www.clinic.example',
  'evilvelmora.example',
  'velmora.example.org',
])('%s may be a microsite', (host) => expect(isOwnHost(host, 'www.velmora.example')).toBe(false))

it('leaves the microsites of the demo alone, which are below its main domain', () => {
  expect(isOwnHost('lamar.localhost', 'localhost')).toBe(false)
  expect(isOwnHost('localhost', 'localhost')).toBe(true)
})
