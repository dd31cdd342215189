import { STAFF_PASSWORD } from './env.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export type ApiAnswer = { status: number; headers: Headers; body: any }

export type ApiClient = {
  url: string
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiAnswer>
  /** Signs in; returns the headers that make a call a staff call. */
  signIn(): Promise<{ cookie: string }>
}

/** The headers of a browser that has got this answer. */
export const cookiesOf = ({ headers }: Pick<ApiAnswer, 'headers'>) => {
  const cookies = headers.getSetCookie().map((text) => text.split(';')[0])
  return { cookie: cookies.join('; ') }
}

export function apiClient(url: string, password = STAFF_PASSWORD): ApiClient {
  const call: ApiClient['call'] = async (method, path, body, headers = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
      redirect: 'manual',
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('application/json')
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
  }
  return {
    url,
    call,
    async signIn() {
      return cookiesOf(await call('POST', '/api/session', { password }))
    },
  }
}
