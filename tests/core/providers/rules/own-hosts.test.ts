import { expect, it } from 'vitest'
import { isOwnHost } from '../../../../core/contract/page.ts'

it.each([
  'www.leadwell.example',
  'WWW.Leadwell.example',
  'leadwell.example',
  'admin.leadwell.example',
  'mail.leadwell.example',
  'www.www.leadwell.example',
  'api.www.leadwell.example',
])('%s is the main site’s own', (host) => expect(isOwnHost(host, 'www.leadwell.example')).toBe(true))

it.each([
  'austin.leadwell.example',
  'clinic.example',
  'www.clinic.example',
  'evilleadwell.example',
  'leadwell.example.org',
  'www',
])('%s may be a microsite', (host) => expect(isOwnHost(host, 'www.leadwell.example')).toBe(false))

it('leaves the microsites of the demo alone, which are below its main domain', () => {
  expect(isOwnHost('lamar.localhost', 'localhost')).toBe(false)
  expect(isOwnHost('localhost', 'localhost')).toBe(true)
})
