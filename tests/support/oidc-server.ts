import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { OIDC_CLIENT } from './env.ts'

/** A person of the provider, known by a name that never changes. */
export type OidcPerson = { email?: string; email_verified?: boolean }

export type OidcServer = {
  issuer: string
  people: Map<string, OidcPerson>
  /**
   * Acts as a browser at the provider: opens the address, signs in as the person, and agrees. @returns the address to
   * which the provider redirects
   */
  signIn(address: string, subject: string): Promise<string>
  /** Does the same, but the person declines. */
  cancel(address: string): Promise<string>
  close(): Promise<void>
}

/** A real OpenID provider on loopback, with one client and its own pages to sign in. */
export async function startOidcServer({
  redirectUri,
  port = 0,
}: {
  redirectUri: string
  port?: number
}): Promise<OidcServer> {
  const people = new Map<string, OidcPerson>()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [{ client_id: OIDC_CLIENT.id, client_secret: OIDC_CLIENT.secret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    // Many providers put the email into the ID token, which the client reads.
    conformIdTokenClaims: false,
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, ...people.get(sub) }) }),
    pkce: { required: () => true },
    cookies: { keys: ['a key of the tests'] },
  })
  server.on('request', provider.callback())

  /** Follows the provider's pages until it sends the browser elsewhere. `answer` is what is typed into each page. */
  async function follow(address: string, answer: (page: string) => Record<string, string> | 'cancel'): Promise<string> {
    const cookies = new Map<string, string>()
    let next = address
    let body: URLSearchParams | undefined
    for (let step = 0; step < 12; step++) {
      if (!next.startsWith(issuer)) return next
      const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
      const response = await fetch(next, {
        method: body ? 'POST' : 'GET',
        body,
        redirect: 'manual',
        headers: { cookie },
      })
      for (const text of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
        cookies.set(name, value)
      }
      const location = response.headers.get('location')
      body = undefined
      if (location) {
        next = new URL(location, next).href
        continue
      }
      const page = await response.text()
      const typed = answer(page)
      const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(page) ?? []
      if (typed === 'cancel') {
        next = `${next}/abort`
      } else {
        next = new URL(action, next).href
        body = new URLSearchParams(typed)
      }
    }
    throw new Error('The provider sends the browser around for ever.')
  }

  return {
    issuer,
    people,
    signIn: (address, subject) =>
      follow(
        address,
        (page): Record<string, string> =>
          page.includes('name="login"') ? { prompt: 'login', login: subject, password: 'any' } : { prompt: 'consent' },
      ),
    cancel: (address) => follow(address, () => 'cancel'),
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
