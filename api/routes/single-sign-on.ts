import type Router from '@koa/router'
import escapeHtml from 'escape-html'
import type { Context } from 'koa'
import * as client from 'openid-client'
import { z } from 'zod'
import { STAFF_PATHS } from '../../core/contract/page.ts'
import { SECOND } from '../../core/contract/time.ts'
import type { ApiEnv } from '../../core/env.ts'
import { deriveKey, keyedHash } from '../../core/platform/data-key.ts'
import {
  SINGLE_SIGN_ON_CALLBACK,
  SINGLE_SIGN_ON_PATH,
  SINGLE_SIGN_ON_RESULT,
  type SingleSignOnProblem,
} from '../../core/staff/contract/session.ts'
import { findOrLinkAccount, type Identity } from '../../core/staff/sign-in.ts'
import { rateLimit } from '../middleware/rate-limit.ts'
import { signOnCookie } from '../middleware/session.ts'
import type { Services } from '../services.ts'
import { credentialOf, openSession } from '../sign-in.ts'

/** The timeout of each call to the provider, in milliseconds. */
const TIMEOUT = 10 * SECOND

/** The browser's state while a person is at the provider. `isFresh`: the person had to sign in there again. */
const Flow = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), isFresh: z.boolean() })
type Flow = z.output<typeof Flow>

type Settings = Pick<ApiEnv, 'PUBLIC_URL' | 'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET' | 'OIDC_EMAILS'>

/** A refused sign-in. The cause is for the log. */
class SignOnRefused extends Error {
  override name = 'SignOnRefused'
  readonly problem: SingleSignOnProblem
  constructor(problem: SingleSignOnProblem, cause?: unknown) {
    super(problem, { cause })
    this.problem = problem
  }
}

/**
 * Signs people in at an OpenID provider: authorization code flow with PKCE, state and nonce (OpenID Connect Core 1.0, 3.1).
 * The provider's addresses and keys are read at the first sign-in, so that its outage does not keep the API from starting.
 */
function createSingleSignOn(env: Settings) {
  const { OIDC_ISSUER = '', OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET = '' } = env
  let discovered: Promise<client.Configuration> | undefined

  function discover(): Promise<client.Configuration> {
    if (discovered) return discovered
    const issuer = new URL(OIDC_ISSUER)
    discovered = client.discovery(issuer, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, undefined, {
      timeout: TIMEOUT / SECOND,
      execute: [
        // Otherwise the signature of an ID token that came by TLS is not checked.
        client.enableNonRepudiationChecks,
        ...(issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []),
      ],
    })
    discovered.catch(() => {
      discovered = undefined
    })
    return discovered
  }

  return {
    /**
     * Begins a sign-in. `isFresh`: the person must sign in at the provider again, even if they are signed in.
     * @returns the address for the browser, and the state that it keeps meanwhile
     * @throws SignOnRefused when the provider cannot be reached
     */
    async begin({ isFresh }: { isFresh: boolean }): Promise<{ url: URL; flow: Flow }> {
      const configuration = await discover().catch(unavailable)
      const flow = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
        isFresh,
      }
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: new URL(SINGLE_SIGN_ON_CALLBACK, env.PUBLIC_URL).href,
        scope: 'openid email',
        code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: 'S256',
        state: flow.state,
        nonce: flow.nonce,
        ...(isFresh && { prompt: 'login', max_age: '0' }),
      })
      return { url, flow }
    },

    /** @throws SignOnRefused when the answer belongs to another flow, is not the provider's, or is a refusal */
    async complete(search: string, { state, nonce, verifier, isFresh }: Flow): Promise<Identity> {
      const configuration = await discover().catch(unavailable)
      const tokens = await client
        .authorizationCodeGrant(configuration, new URL(SINGLE_SIGN_ON_CALLBACK + search, env.PUBLIC_URL), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
          ...(isFresh && { maxAge: 60 }),
        })
        .catch(refused)
      const claims = tokens.claims()
      if (!claims) throw new SignOnRefused('refused')
      const email = typeof claims.email === 'string' ? claims.email : null
      const isEmailVerified = email !== null && (env.OIDC_EMAILS === 'all' || claims.email_verified === true)
      return { issuer: claims.iss, subject: claims.sub, email, isEmailVerified }
    },
  }
}

function unavailable(cause: unknown): never {
  throw new SignOnRefused('unavailable', cause)
}

function refused(cause: unknown): never {
  if (cause instanceof client.AuthorizationResponseError) {
    throw new SignOnRefused(cause.error === 'access_denied' ? 'cancelled' : 'refused', cause)
  }
  // Neither an answer of the provider nor a failed check: the provider did not answer.
  const isAnswer = cause instanceof client.ResponseBodyError || cause instanceof client.ClientError
  const isTimeout = cause instanceof client.ClientError && cause.code === 'OAUTH_TIMEOUT'
  throw new SignOnRefused(isAnswer && !isTimeout ? 'refused' : 'unavailable', cause)
}

const MAX_STARTS_PER_MINUTE = 20
const TOO_MANY = 'Too many sign-ins came from your network. Please try again in a minute.'

const STAFF_PAGES: string[] = Object.values(STAFF_PATHS)
const DASHBOARD = STAFF_PATHS.admin

const KeptFlow = Flow.extend({ returnTo: z.string() })

/** Registers the pages of single sign-on: the browser goes to the provider and comes back. */
export function singleSignOnRoutes(router: Router, services: Services): void {
  const { db, env, log } = services
  if (!env.OIDC_ISSUER) return
  const signOn = createSingleSignOn(env)
  const limit = rateLimit(MAX_STARTS_PER_MINUTE, TOO_MANY)
  const browserKey = deriveKey(env.DATA_KEY, 'known-browser')

  router.get(SINGLE_SIGN_ON_PATH, limit, async (ctx) => {
    ctx.set('Cache-Control', 'no-store')
    const returnTo = pathOf(ctx.query.return, env.PUBLIC_URL)
    await orExplain(ctx, returnTo, async () => {
      const { url, flow } = await signOn.begin({ isFresh: ctx.query.fresh !== undefined })
      const kept: z.output<typeof KeptFlow> = { ...flow, returnTo }
      signOnCookie.set(ctx, services, Buffer.from(JSON.stringify(kept)).toString('base64url'))
      ctx.redirect(url.href)
    })
  })

  router.get(SINGLE_SIGN_ON_CALLBACK, limit, async (ctx) => {
    ctx.set('Cache-Control', 'no-store')
    const kept = readFlow(signOnCookie.read(ctx, services))
    if (!kept && ctx.query.again === undefined) return repeatFromOwnPage(ctx)
    // A flow can be completed only once.
    signOnCookie.set(ctx, services, null)
    await orExplain(ctx, kept?.returnTo ?? DASHBOARD, async () => {
      if (!kept) throw new SignOnRefused('expired')
      const { returnTo, ...flow } = kept
      const found = await findOrLinkAccount(db, await signOn.complete(ctx.search, flow))
      if (typeof found === 'string') throw new SignOnRefused(found)
      const credential = await credentialOf(services, found.email)
      // An account without a password needs another secret to sign the marks of its browsers.
      const secret = credential.secret ?? keyedHash(browserKey, `account ${found.id}`)
      // The provider has already checked the factors that its policy requires. Unless it was told to ask again, it may have
      // remembered this browser, so the identity is not confirmed.
      const options = { factor: 'sso', isConfirmed: flow.isFresh }
      await openSession(ctx, services, { ...credential, secret }, { accountId: found.id }, options)
      ctx.redirect(withParameter(returnTo, 'done'))
    })
  })

  /** Signs in, or returns to the page with the reason why not. */
  async function orExplain(ctx: Context, returnTo: string, signIn: () => Promise<void>): Promise<void> {
    try {
      await signIn()
    } catch (error) {
      if (!(error instanceof SignOnRefused)) throw error
      const { problem, cause } = error
      log.warn({ problem, reason: (cause as Error | undefined)?.message }, 'single sign-on')
      ctx.redirect(withParameter(returnTo, problem))
    }
  }
}

/** Repeats the request from a page of ours, because browsers send `Strict` cookies only from there. */
function repeatFromOwnPage(ctx: Context): void {
  const again = new URLSearchParams(ctx.querystring)
  again.set('again', '')
  ctx.type = 'html'
  ctx.body = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Signing in</title><meta http-equiv="refresh" content="0; url=${escapeHtml(`${SINGLE_SIGN_ON_CALLBACK}?${again}`)}"></head>
<body><p>Signing you in…</p></body>
</html>
`
}

/** Returns the page to come back to: the asked one if it is one of `STAFF_PAGES`, or else the dashboard. */
function pathOf(asked: unknown, site: string): string {
  const { origin } = new URL(site)
  if (typeof asked !== 'string' || !URL.canParse(asked, site)) return DASHBOARD
  const url = new URL(asked, site)
  return url.origin === origin && STAFF_PAGES.includes(url.pathname) ? url.pathname + url.search : DASHBOARD
}

function withParameter(path: string, value: string): string {
  const url = new URL(path, 'http://site')
  url.searchParams.set(SINGLE_SIGN_ON_RESULT, value)
  return url.pathname + url.search
}

function readFlow(cookie: string | undefined): z.output<typeof KeptFlow> | null {
  if (!cookie) return null
  try {
    return KeptFlow.parse(JSON.parse(Buffer.from(cookie, 'base64url').toString('utf8')))
  } catch {
    return null
  }
}
