import { TOTP } from 'otpauth'
import type { ApiAnswer, ApiClient } from './api-client.ts'
import { ACCOUNT_PASSWORD } from './factories.ts'

export type CookieBrowser = ReturnType<typeof openBrowser>

/** A browser that keeps the cookies that it is given. */
export function openBrowser(api: Pick<ApiClient, 'call'>) {
  const cookies = new Map<string, string>()

  async function call(method: string, path: string, body?: unknown): Promise<ApiAnswer> {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const answer = await api.call(method, path, body, cookie ? { cookie } : {})
    for (const text of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (value) cookies.set(name, value)
      else cookies.delete(name)
    }
    return answer
  }

  const signIn = (email: string, password = ACCOUNT_PASSWORD) => call('POST', '/api/session', { email, password })

  return {
    cookies,
    call,
    signIn,
    secondStep: (proof: { code?: string; recovery_code?: string }) => call('POST', '/api/session/second-step', proof),
    /** Turns on an authenticator app for the account that is signed in. */
    async addApp(): Promise<{ secret: string; recoveryCodes: string[] }> {
      const { secret } = (await call('POST', '/api/second-factor/totp')).body
      const { body } = await call('POST', '/api/second-factor/totp/confirm', { secret, code: codeOf(secret) })
      return { secret, recoveryCodes: body.recovery_codes }
    },
  }
}

export const codeOf = (secret: string, timestamp = Date.now()): string => new TOTP({ secret }).generate({ timestamp })
