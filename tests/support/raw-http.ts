import { type Agent, request } from 'node:http'

export type RawAnswer = { status: number; headers: Record<string, string | string[] | undefined>; text: string }

/** Calls a server with a path, headers (Host among them) and bytes that `fetch` would mend or refuse. */
export function rawRequest(
  url: string,
  {
    method = 'GET',
    path,
    headers = {},
    body,
    agent,
  }: { method?: string; path: string; headers?: Record<string, string>; body?: string | Buffer; agent?: Agent },
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const call = request({ hostname, port, method, path, headers, agent: agent ?? false }, async (response) => {
      response.setEncoding('utf8')
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({ status: Number(response.statusCode), headers: response.headers, text })
    })
    call.on('error', reject)
    call.end(body)
  })
}
