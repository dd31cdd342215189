import { onTestFinished } from 'vitest'
import type { Changes, EventName } from '../../core/contract/events.ts'
import { waitFor } from './wait.ts'

export type EventStream = {
  status: number
  headers: Headers
  /** The events so far, as text of the wire. */
  text: () => string
  events: () => { event: EventName; data: Changes }[]
  hasEnded: () => boolean
  close(): void
}

/** Opens `GET /api/events` as a browser does, until the end of the test. */
export async function openEvents(url: string, headers: Record<string, string> = {}): Promise<EventStream> {
  const gone = new AbortController()
  const close = () => gone.abort()
  onTestFinished(close)
  const response = await fetch(`${url}/api/events`, {
    headers: { accept: 'text/event-stream', 'accept-encoding': 'gzip, br', ...headers },
    signal: gone.signal,
  })
  let text = ''
  let ended = false
  const read = async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString()
  }
  read()
    .catch(() => {})
    .finally(() => {
      ended = true
    })

  return {
    status: response.status,
    headers: response.headers,
    text: () => text,
    events: () =>
      [...text.matchAll(/^event: (.+)\ndata: (.+)\n\n/gm)].map(([, event, data]) => ({
        event: event as EventName,
        data: JSON.parse(String(data)),
      })),
    hasEnded: () => ended,
    close,
  }
}

/** Waits until an open dashboard gets the event of a change, as long as the specification allows. */
export const notified = (dashboard: EventStream, kind: keyof Changes, id?: number) =>
  waitFor(
    `${kind} ${id ?? ''}`,
    () =>
      dashboard.events().some(({ data }) => (id === undefined ? data[kind] : (data[kind] as number[])?.includes(id))),
    { within: 2000 },
  )
