import { beforeAll, expect, it } from 'vitest'
import { useApi } from '../support/api-server.ts'
import { createProvider, leadForm } from '../support/factories.ts'
import { requireBuild } from '../support/processes.ts'
import { rawRequest } from '../support/raw-http.ts'

const { api, database } = useApi({ AD_MEASUREMENT: 'on' }, { isKept: true })
beforeAll(requireBuild)

it('allows what advertising asks on the pages of a clinic that measures it, and on no other', async () => {
  const both = await createProvider(database.db, { google_ads_id: 'AW-123456789/AbC', bing_ads_id: '98765432' })
  const google = await createProvider(database.db, { google_ads_id: 'AW-123456789' })
  const none = await createProvider(database.db, { google_ads_id: 'not an id' })

  const asked = await directive(`/?providerId=${both.id}`, 'connect-src')
  expect(asked).toEqual(expect.arrayContaining(['https://www.googletagmanager.com', 'https://bat.bing.com']))
  expect(await policy(`/?providerId=${google.id}`)).not.toContain('bing')
  for (const path of ['/', '/start', '/homev2', '/terms', '/admin', `/?providerId=${none.id}`, '/no/such/page']) {
    expect(await policy(path), path).not.toMatch(/google|bing|nonce|dynamic/)
  }
})

it('runs scripts of no host there but by the nonce of that very answer', async () => {
  const { id } = await createProvider(database.db, { google_ads_id: 'AW-123456789/AbC', bing_ads_id: '98765432' })
  const nonces = await Promise.all(
    [0, 1].map(async () => {
      const { headers, text } = await page(`/?providerId=${id}`)
      const [, nonce] = /'nonce-([^']+)'/.exec(String(headers['content-security-policy'])) ?? []
      expect(sourcesOf(headers, 'script-src')).toEqual([`'nonce-${nonce}'`, "'strict-dynamic'", "'self'"])
      const scripts = text.match(/<(script type="module"|link rel="modulepreload")[^>]*>/g) ?? []
      expect(scripts.length).toBeGreaterThan(1)
      for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`)
      return nonce
    }),
  )
  expect(new Set(nonces).size).toBe(2)
})

it('gives a refused plain form a nonce, too, and none to what was typed', async () => {
  const { id } = await createProvider(database.db, { google_ads_id: 'AW-123456789/AbC' })
  const typed = {
    ...leadForm(),
    email: 'x',
    first_name: '<script type="module">1</script>',
    page: `/?providerId=${id}`,
  }
  const { headers, text } = await rawRequest(api.url, {
    method: 'POST',
    path: `/api/leads?providerId=${id}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    body: new URLSearchParams(Object.entries(typed).map(([name, value]) => [name, String(value)])).toString(),
  })
  const [, nonce] = /'nonce-([^']+)'/.exec(String(headers['content-security-policy'])) ?? []
  expect(text).toContain(`<script type="module" nonce="${nonce}"`)
  expect(text).not.toContain('>1</script>')
})

it('names no page to other sites, and asks browsers for what it uses only', async () => {
  const { headers } = await page('/map')
  expect(headers['referrer-policy']).toBe('same-origin')
  expect(headers['permissions-policy']).toContain('geolocation=(self)')
  for (const unused of ['camera', 'microphone', 'payment', 'browsing-topics']) {
    expect(headers['permissions-policy']).toContain(`${unused}=()`)
  }
})

const page = (path: string) => rawRequest(api.url, { path, headers: { accept: 'text/html' } })

async function policy(path: string): Promise<string> {
  return String((await page(path)).headers['content-security-policy'])
}

async function directive(path: string, name: string): Promise<string[] | undefined> {
  return sourcesOf((await page(path)).headers, name)
}

function sourcesOf(headers: Awaited<ReturnType<typeof page>>['headers'], name: string): string[] | undefined {
  return new RegExp(`${name} ([^;]*)`).exec(String(headers['content-security-policy']))?.[1]?.split(' ')
}
