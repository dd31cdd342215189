import * as client from 'openid-client'
import type { ApiEnv } from '../core/env.ts'
import { SINGLE_SIGN_ON_CALLBACK, type SingleSignOnProblem } from '../core/staff/contract/session.ts'
import type { Identity } from '../core/staff/sign-in.ts'
import { SECOND } from '../core/time.ts'

/** The timeout of each call to the provider, in milliseconds. */
const TIMEOUT = 10 * SECOND

/** The browser's state while a person is at the provider. `isFresh`: the person had to sign in there again. */
export type Flow = { state: string; nonce: string; verifier: string; isFresh: boolean }

type Settings = Pick<ApiEnv, 'PUBLIC_URL' | 'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET' | 'OIDC_EMAILS'>

/** A refused sign-in. The cause is for the log. */
export class SignOnRefused extends Error {
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
export function createSingleSignOn(env: Settings) {
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

    /**
     * Completes a sign-in with the address to which the provider returned the browser.
     * @throws SignOnRefused when the answer belongs to another flow, is not the provider's, or is a refusal
     */
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
